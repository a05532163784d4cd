package policy

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/planlint/planlint"
	"github.com/planlint/planlint/plan/planyaml"
)

// TestPackCalls holds representative calls of every pack: the class after
// class_when, and what the two built-in policies for plans and for agents answer.
func TestPackCalls(t *testing.T) {
	const (
		rev, comp, irr      = "reversible-internal", "compensating", "irreversible-internal"
		pub, auth           = "irreversible-public", "authority-modifying"
		free, quiet, always = "allow allow", "ask allow", "ask ask" // default, coding-agent
	)
	cases := []struct{ tool, args, class, want string }{
		// filesystem, git
		{"mcp__filesystem__read_text_file", "path: /srv/app/README.md", rev, free},
		{"mcp__filesystem__write_file", "path: /srv/app/a.txt, content: x", rev, quiet},
		{"mcp__filesystem__move_file", "source: /srv/app/a.txt, destination: /srv/app/b.txt", rev, quiet},
		{"copy_file", "source: /srv/app/a.txt, destination: /srv/app/b.txt", rev, quiet},
		{"mcp__git__git_diff", "repo_path: /srv/app, target: main", rev, free},
		{"mcp__git__git_commit", "repo_path: /srv/app, message: fix", rev, quiet},
		{"git_commit", "repo_path: /srv/app, message: fix", rev, quiet},
		// github, gitlab
		{"mcp__github__issue_read", "method: get, owner: acme, repo: site, issue_number: 4", rev, free},
		{"mcp__github__search_code", "query: retry", rev, free},
		{"mcp__github__get_secret_scanning_alert", "owner: acme, repo: site, alertNumber: 1", rev, free},
		{"mcp__github__add_issue_comment", "owner: acme, repo: site, issue_number: 4, body: thanks", pub, always},
		{"mcp__github__create_or_update_file", "owner: acme, repo: site, branch: fix, path: a.md, content: x, message: m", comp, quiet},
		{"mcp__github__merge_pull_request", "owner: acme, repo: site, pullNumber: 4", irr, always},
		{"mcp__github__actions_run_trigger", "method: run_workflow, owner: acme, repo: site, workflow_id: deploy.yml, ref: main", irr, always},
		{"mcp__github__create_gist", "filename: a.txt, content: x", pub, always},
		{"mcp__github__create_branch", "owner: acme, repo: site, branch: fix", rev, quiet},
		{"github.add_issue_comment", "owner: acme, repo: site, issue_number: 4, body: thanks", pub, always},
		{"mcp__gitlab__get_file_contents", "project_id: acme/site, file_path: a.md", rev, free},
		{"mcp__gitlab__create_merge_request", "project_id: acme/site, title: t, source_branch: a, target_branch: main", pub, always},
		// the web
		{"mcp__fetch__fetch", "url: \"https://docs.example/\"", rev, free},
		{"mcp__brave-search__brave_web_search", "query: go generics", rev, free},
		{"mcp__tavily__tavily_research", "input: history of tea", rev, free},
		{"mcp__exa__web_fetch_exa", "urls: [\"https://docs.example/\"]", rev, free},
		{"mcp__playwright__browser_navigate", "url: \"https://docs.example/\"", rev, free},
		{"mcp__playwright__browser_click", "element: Buy, target: e4", pub, always},
		{"mcp__playwright__browser_evaluate", "function: () => 1", pub, always},
		{"mcp__puppeteer__puppeteer_navigate", "url: \"https://docs.example/\"", rev, quiet},
		{"mcp__puppeteer__puppeteer_navigate", "url: \"https://docs.example/\", launchOptions: {args: [--no-sandbox]}, allowDangerous: true", irr, always},
		// messages
		{"mcp__slack__slack_get_channel_history", "channel_id: C1", rev, free},
		{"mcp__slack__slack_post_message", "channel_id: C1, text: done", pub, always},
		{"mcp__gmail__read_email", "messageId: m1", rev, free},
		{"mcp__gmail__send_email", "to: [ann@partner.example], subject: s, body: b", pub, always},
		{"mcp__gmail__draft_email", "to: [ann@partner.example], subject: s, body: b", rev, quiet},
		{"mcp__gmail__delete_email", "messageId: m1", irr, always},
		{"mcp__gmail__create_filter", "criteria: {from: bank}, action: {forward: x@other.example}", auth, always},
		{"mcp__ms365__list-mail-messages", "top: 5", rev, free},
		{"mcp__ms365__send-mail", "body: {Message: {subject: s, toRecipients: [{emailAddress: {address: ann@partner.example}}]}}", pub, always},
		{"mcp__ms365__create-draft-email", "body: {subject: s}", rev, quiet},
		{"mcp__ms365__create-mail-rule", "body: {displayName: x}", auth, always},
		{"mcp__ms365__delete-todo-task", "todoTaskListId: l, todoTaskId: t", irr, always},
		{"mcp__ms365__update-excel-range", "driveId: d, driveItemId: i, workbookWorksheetId: w, address: A1, body: {}", rev, quiet},
		// calendars, documents
		{"mcp__gdrive__search", "query: budget", rev, free},
		{"mcp__google-calendar__list-events", "calendarId: primary", rev, free},
		{"mcp__google-calendar__create-event", "calendarId: primary, summary: focus, start: \"2026-12-01T09:00:00\", end: \"2026-12-01T10:00:00\"", pub, always},
		{"mcp__google-calendar__create-event", "calendarId: primary, summary: talk, start: \"2026-12-01T09:00:00\", end: \"2026-12-01T10:00:00\", attendees: [{email: ann@partner.example}]", pub, always},
		{"mcp__google-calendar__create-event", "calendarId: primary, summary: fair, visibility: public, start: \"2026-12-01\", end: \"2026-12-02\"", pub, always},
		{"mcp__google-calendar__manage-accounts", "action: list", rev, quiet},
		{"mcp__google-calendar__manage-accounts", "action: add", auth, always},
		{"mcp__notion__API-retrieve-a-page", "page_id: p1", rev, free},
		{"mcp__notion__API-post-page", "parent: {page_id: p1}, properties: {}", comp, quiet},
		{"mcp__notion__API-move-page", "page_id: p1, parent: {page_id: p2}", auth, always},
		{"mcp__notion__API-create-a-comment", "parent: {page_id: p1}, rich_text: [{text: {content: hi}}]", pub, always},
		// trackers
		{"mcp__linear__get_issue", "id: ENG-1", rev, free},
		{"mcp__linear__save_comment", "issueId: ENG-1, body: done", pub, always},
		{"mcp__atlassian__jira_get_issue", "issue_key: OPS-1", rev, free},
		{"mcp__mcp-atlassian__jira_add_comment", "issue_key: OPS-1, body: done", pub, always},
		{"jira_delete_issue", "issue_key: OPS-1", irr, always},
		{"mcp__atlassian__confluence_update_page", "page_id: '7', title: t, content: c", rev, quiet},
		{"mcp__atlassian__confluence_set_page_restrictions", "page_id: '7', read_users: []", auth, always},
		{"mcp__atlassian__createJiraIssue", "cloudId: c, projectKey: OPS, summary: s, issueTypeName: Bug", pub, always},
		{"mcp__sentry__search_issues", "organizationSlug: acme, query: crash", rev, free},
		{"mcp__sentry__update_issue", "organizationSlug: acme, issueId: A-1, status: resolved", rev, quiet},
		{"mcp__sentry__create_dsn", "organizationSlug: acme, projectSlug: web, name: n", auth, always},
		// data
		{"mcp__postgres__query", "sql: select count(*) from orders where (paid)", rev, quiet},
		{"mcp__postgres__query", "sql: 'COMMIT; drop table orders'", irr, always},
		{"mcp__postgres__query", "sql: copy (select 1) to program 'sh'", irr, always},
		{"mcp__postgres__query", "sql: 'select lo_export(1, 2)'", irr, always},
		{"mcp__sqlite__read_query", "query: select 1", rev, free},
		{"mcp__sqlite__write_query", "query: delete from t", irr, always},
		{"mcp__mysql__mysql_query", "sql: \"SELECT count(*) FROM orders WHERE (paid = 1);\"", rev, quiet},
		{"mcp__mysql__mysql_query", "sql: delete from orders", irr, always},
		{"mcp__mysql__mysql_query", "sql: select drop_all()", irr, always},
		{"mcp__mysql__mysql_query", "sql: select 1; drop table orders", irr, always},
		{"mcp__mysql__mysql_query", "sql: select * from t into outfile '/x'", irr, always},
		{"mcp__mysql__mysql_query", "sql: explain analyze delete from orders", irr, always},
		{"mcp__supabase__execute_sql", "project_id: p, query: select id from orders", rev, quiet},
		{"mcp__supabase__execute_sql", "project_id: p, query: 'with d as (delete from t returning *) select * from d'", irr, always},
		{"mcp__supabase__pause_project", "project_id: p", pub, always},
		{"mcp__redis__get", "key: k", rev, free},
		{"mcp__redis__set", "key: k, value: v", irr, always},
		{"mcp__memory__create_entities", "entities: [{name: a, entityType: t, observations: [x]}]", rev, quiet},
		{"mcp__memory__search_nodes", "query: a", rev, free},
		{"mcp__memory__delete_entities", "entityNames: [a]", irr, always},
		{"mcp__stripe__list_customers", "limit: 3", rev, free},
		{"mcp__stripe__create_refund", "payment_intent: pi_1, amount: 500", pub, always},
		// machines
		{"mcp__aws-api__call_aws", "cli_command: aws s3 ls", rev, free},
		{"mcp__awslabs_aws-api-mcp-server__call_aws", "cli_command: aws iam attach-user-policy --user-name bob --policy-arn arn:aws:iam::aws:policy/AdministratorAccess", auth, always},
		{"mcp__kubernetes__kubectl_get", "resourceType: pods, namespace: web", rev, free},
		{"mcp__kubernetes__kubectl_apply", "filename: /srv/app/web.yaml", auth, always},
		{"mcp__kubernetes__kubectl_scale", "name: web, replicas: 3, namespace: web", comp, quiet},
		{"mcp__kubernetes__kubectl_delete", "resourceType: pod, name: web-1", irr, always},
		{"mcp__docker__list_containers", "all: true", rev, free},
		{"mcp__docker__run_container", "image: alpine, command: id", auth, always},
		{"mcp__docker__remove_volume", "volume_name: data", irr, always},
		{"mcp__docker__push_image", "repository: registry.example/acme/web", pub, always},
	}
	covered := make(map[string]bool)
	var checkers []*planlint.Checker
	for _, base := range []string{"default", "coding-agent"} {
		p, err := Builtin(base)
		require.NoError(t, err)
		checkers = append(checkers, planlint.New(*p))
		for _, c := range cases {
			if con := p.Registry.Find(c.tool, ""); con != nil {
				covered[con.Pack] = true
			}
		}
	}
	for _, c := range cases {
		t.Run(fmt.Sprintf("%s %.40s", c.tool, c.args), func(t *testing.T) {
			source := "version: 1\nenv: {cwd: /srv/app, home: /home/dev}\ncalls:\n  - {tool: " + c.tool + ", args: {" + c.args + "}}\n"
			parsed, errs := planyaml.Parse([]byte(source), "plan.yaml")
			require.Empty(t, errs)
			var got []string
			for _, checker := range checkers {
				r := checker.Check(context.Background(), parsed)
				require.Len(t, r.Calls, 1)
				require.Equal(t, c.class, r.Calls[0].Class.String())
				require.Empty(t, r.Findings)
				got = append(got, decisions(r))
			}
			require.Equal(t, c.want, strings.Join(got, " "))
		})
	}
	for _, file := range PackFiles() {
		pack := strings.TrimPrefix(file, "packs/")
		if doc, err := packDocument(file); err == nil && len(doc.Tools) > 0 && pack != "clients.yaml" {
			require.True(t, covered[pack], "no call of %s", pack)
		}
	}
}
