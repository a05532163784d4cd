package shell

import "strings"

// pickedPast takes the environment of a container off what docker inspect
// prints where a jq that reads it picks fields beside it.
func (w *walker) pickedPast(st *Step) {
	if st.Name != "jq" || len(st.Stdin.Steps) != 1 {
		return
	}
	from := &w.out.Steps[st.Stdin.Steps[0]]
	if len(from.Stdout) != 1 || !picksFields(st.Args) {
		return
	}
	for i := range from.Effects {
		if e := &from.Effects[i]; e.Kind == EnvRead && e.Target == "container" {
			e.Kind, e.Target, e.Labels, e.Sink = Query, "docker", nil, sinkOf(Query)
		}
	}
}

// picksFields reports whether a jq filter names fields, none of them that of the
// environment, and passes nothing on whole.
func picksFields(args []Word) bool {
	filter := ""
	for _, a := range args {
		if strings.HasPrefix(a.Text, "-") && len(a.Text) <= 3 {
			continue
		}
		if filter != "" || !a.Known {
			return false
		}
		filter = a.Text
	}
	low := strings.ToLower(filter)
	if strings.Contains(low, "env") || strings.Contains(low, "config") || strings.ContainsAny(filter, "|,{(*$@") || strings.Contains(filter, "..") {
		return false
	}
	dot := strings.LastIndexByte(filter, '.')
	return dot >= 0 && dot+1 < len(filter) && (filter[dot+1]|0x20) >= 'a' && (filter[dot+1]|0x20) <= 'z'
}
