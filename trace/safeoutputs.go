package trace

import (
	"fmt"
	"slices"

	"github.com/planlint/planlint/internal/transcript"
	"github.com/planlint/planlint/plan"
)

// safeTypes are the types of gh-aw's items by which a file of lines is known.
// The set grows, so an unknown type in such a file is a call all the same.
var safeTypes = []string{"create_issue", "add_comment", "create_pull_request", "add_labels", "update_issue", "close_issue",
	"create_discussion", "push_to_pull_request_branch", "update_release", "create_pull_request_review_comment",
	"missing_tool", "noop", "add_reviewer", "assign_milestone", "upload_asset", "update_project", "create_code_scanning_alert"}

func isSafeOutputs(v *plan.Value) bool {
	items := transcript.Member(v, "items")
	if items != nil && items.Kind == plan.List {
		if len(items.Items) == 0 {
			return has(v, "errors")
		}
		typ := transcript.Str(&items.Items[0], "type")
		return has(v, "errors") && typ != "" || slices.Contains(safeTypes, typ)
	}
	return slices.Contains(safeTypes, transcript.Str(v, "type")) && !has(v, "role") && !has(v, "data") && !has(v, "payload")
}

// safeOutputs reads the writes that an agent of GitHub Agentic Workflows asks
// for, before the job runs that makes them. The type is the tool.
func (r *reader) safeOutputs(values []plan.Value) []*plan.Plan {
	p := &plan.Plan{Format: string(r.format), Source: r.name}
	for i := range values {
		v := &values[i]
		if items := transcript.Member(v, "items"); items != nil && !has(v, "type") {
			for j := range items.Items {
				safeItem(p, &items.Items[j])
			}
			continue
		}
		safeItem(p, v)
	}
	at := plan.Position{Line: 1, Column: 1}
	p.Texts = append(p.Texts, plan.Text{Kind: plan.TextUnknown, Origin: "what the agent read before it wrote these items", Pos: at})
	p.Notes = append(p.Notes, partial(at, "what the agent read is not in the file, and the limits of targets are in the workflow's front matter"))
	return []*plan.Plan{p}
}

func safeItem(p *plan.Plan, item *plan.Value) {
	typ := transcript.Str(item, "type")
	if typ == "" {
		return
	}
	c := plan.Call{ID: fmt.Sprintf("item-%d", len(p.Calls)+1), Tool: typ, Pos: item.Pos}
	c.Args = plan.Value{Kind: plan.Object, Pos: item.Pos}
	for i, key := range item.Keys {
		if key != "type" {
			c.Args.Keys = append(c.Args.Keys, key)
			c.Args.Items = append(c.Args.Items, item.Items[i])
		}
	}
	p.Calls = append(p.Calls, c)
}
