package plan

// ValueKind says what a Value is.
type ValueKind uint8

// The kinds of value.
const (
	Null ValueKind = iota
	Bool
	Number
	String
	List
	Object
	// UnknownValue is not known until the plan runs; Value.Unknown says why.
	UnknownValue
)

// Value is one argument or output, or a part of one. It is a tree of at most
// MaxDepth levels and immutable once built.
type Value struct {
	// Text is the decoded string, the number as written, "true" or "false".
	Text string
	// Items are a list's items, or an object's values, in file order.
	Items []Value
	// Keys are an object's keys, as long as Items.
	Keys []string
	// Ext holds what few values have.
	Ext  *Ext
	Pos  Position
	Kind ValueKind
}

// Ext is what only some values have.
type Ext struct {
	// Refs are the references inside Text, in order; for a whole-value
	// reference one with Whole set.
	Refs []Ref
	// Unknown says what is known of a value that is not known yet.
	Unknown *UnknownSource
}

// UnknownSource says where a value that is not known yet will come from.
type UnknownSource struct {
	// From are the calls whose outputs decide it (indexes, resolved by Validate).
	From []int
	// By is who fills it in: model, person, input, env or code.
	By string
	// Candidates are possible values, if the planner named some.
	Candidates []string
}

// MaxDepth is the greatest nesting of a value; readers refuse deeper ones.
const MaxDepth = 256

// Refs returns the references in the value itself, not in its items.
func (v *Value) Refs() []Ref {
	if v.Ext == nil {
		return nil
	}
	return v.Ext.Refs
}

// Get returns the item of an object under a key, nil if there is none.
func (v *Value) Get(key string) *Value {
	if v.Kind != Object {
		return nil
	}
	for i := range v.Keys {
		if v.Keys[i] == key {
			return &v.Items[i]
		}
	}
	return nil
}

// Walk calls visit for the value and everything below it, depth first, in file
// order, with the path from the value; it does not go below a value for which
// visit returns false. The path is only valid during the call.
func (v *Value) Walk(visit func(path Path, v *Value) bool) {
	if len(v.Items) == 0 {
		visit(nil, v)
		return
	}
	v.walk(make(Path, 0, 8), visit)
}

func (v *Value) walk(path Path, visit func(Path, *Value) bool) {
	if !visit(path, v) {
		return
	}
	for i := range v.Items {
		if v.Kind == Object {
			v.Items[i].walk(append(path, Step{Key: v.Keys[i]}), visit)
		} else {
			v.Items[i].walk(append(path, Step{Index: i, IsIndex: true}), visit)
		}
	}
}

// Str returns a string value.
func Str(s string) Value { return Value{Kind: String, Text: s} }

// Obj returns an object of alternating keys and values.
func Obj(keys []string, items ...Value) Value {
	return Value{Kind: Object, Keys: keys, Items: items}
}
