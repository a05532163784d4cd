// Package policy loads policy files into policies.
//
// In: planlint.yaml files and what they extend. Out: a planlint.Policy, and every
// problem with its place, the line, and the nearest allowed word. A file passes
// through four steps: YAML nodes (source.go), a compiled.Document by the field
// tables in that package's tags (decode.go), one table merged from all layers
// (merge.go, untrusted.go), and the policy (internal/compiled). The same field
// tables give the JSON Schema for editors (schema.go).
//
// Layers are built-in, user, project and session. What is listed adds up; what
// is a single value is the strictest of those that layers state, and the
// built-in one where none states it. A project's layer, and what it extends,
// may only tighten until the user has pinned its digest with Trust; what it
// said in vain is reported as PL9020 and on.
//
// Guaranteed: nothing is loaded half. Where a problem is not a diagnostic there
// is no policy. Each file is read once, so what was hashed is what is used.
//
// Limits: limits.go. Positions of multi-line plain and folded scalars name the
// first line.
package policy
