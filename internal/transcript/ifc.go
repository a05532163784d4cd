package transcript

import "github.com/planlint/planlint/plan"

// ifcLabels reads what an MCP server says of its own result, in _meta.ifc:
// {integrity: "untrusted", confidentiality: "private" or the readers}. Such a
// word may only raise: that a result is trusted or public is never taken from
// the server that made it.
func ifcLabels(holders ...*plan.Value) []string {
	var labels []string
	add := func(label string) {
		for _, l := range labels {
			if l == label {
				return
			}
		}
		labels = append(labels, label)
	}
	for _, v := range holders {
		for _, path := range [][]string{{"_meta", "ifc"}, {"mcpMeta", "ifc"}, {"mcpMeta", "_meta", "ifc"}} {
			ifc := at(v, path...)
			if ifc == nil || ifc.Kind != plan.Object {
				continue
			}
			if word := member(ifc, "integrity"); present(word) && leaves(word) != "trusted" {
				add("untrusted")
			}
			switch word := leaves(member(ifc, "confidentiality")); word {
			case "", "public", "everyone":
			case "secret":
				add("secret")
			default:
				add("private")
			}
		}
	}
	return labels
}
