// Package compiled is the flattened form of a policy: one table, all layers
// merged, names instead of numbers, and how it becomes a planlint.Policy.
//
// In: a Document, either read by package policy from YAML, or decoded from the
// built-in packs that go generate flattened, or from a file that `planlint
// compile` wrote. Out: a planlint.Policy. Contracts of the built-in packs stay
// encoded until a plan names them: an index is searched by name, so loading
// costs the same however many contracts there are.
//
// The package links no YAML and no CEL: the text of a condition goes to a
// Conditioner, which package policy implements with compose, and the small hook
// binary with one that knows only that a condition is there.
//
// Limits: Build reports all problems of a Document, but a contract that is
// decoded later was checked when it was flattened, not again.
package compiled

import "github.com/planlint/planlint/tool"

// Document is one policy file, or several merged into one table. The tags are
// the field tables of the loader (policy) and of docs/schema: json is the name,
// doc what it means, one the set of allowed words, must says that it is needed.
type Document struct {
	Version     *int            `json:"version,omitempty" must:"yes" one:"format" doc:"format of this file: always 1"`
	Extends     []Text          `json:"extends,omitempty" doc:"layers below this file: builtin:NAME or ./FILE"`
	Settings    Settings        `json:"settings,omitzero" doc:"how single calls are decided"`
	Labels      Entries[Label]  `json:"labels,omitempty" doc:"labels of your own, by name"`
	Sources     []Source        `json:"sources,omitempty" doc:"calls whose output carries labels; no contract needed"`
	Sinks       []Sink          `json:"sinks,omitempty" doc:"calls by which data leaves; no contract needed"`
	Audiences   Entries[[]Text] `json:"audiences,omitempty" doc:"who sees what reaches a destination"`
	Tools       []Tool          `json:"tools,omitempty" doc:"contracts of tools"`
	Rules       []Rule          `json:"rules,omitempty" doc:"per-call rules: allow, ask or deny"`
	Permissions Permissions     `json:"permissions,omitzero" doc:"permission lists in the syntax of Claude Code"`
	Compose     []ComposeRule   `json:"compose,omitempty" doc:"composition rules over flows, calls or the plan"`
	Protected   []Protected     `json:"protected,omitempty" doc:"places whose change asks, whatever tool makes it"`
	Gates       Entries[Gate]   `json:"gates,omitempty" keys:"gate" doc:"what stands before a call, by risk class or strictest"`

	// Name is how reports call the policy.
	Name string `json:"name,omitempty" yaml:"-"`
}

// Settings say how single calls are decided.
type Settings struct {
	Resolution  Text `json:"resolution,omitzero" one:"resolution" doc:"which of several matching rules counts"`
	Unmatched   Text `json:"unmatched,omitzero" one:"unmatched" doc:"calls that no rule matches and that are not read-only"`
	ReadOnly    Text `json:"read_only,omitzero" one:"read_only" doc:"read-only calls that no rule matches: allow, or as any other call"`
	UnknownTool Text `json:"unknown_tool,omitzero" one:"unknown_tool" doc:"calls of tools without a contract"`
	Mode        Text `json:"mode,omitzero" one:"mode" doc:"how the session is run"`
	Ceiling     Text `json:"ceiling,omitzero" one:"class" doc:"the highest risk class that may run at all"`
	// Content is what is looked for in outputs and arguments beside secrets.
	Content   *ContentSettings `json:"content,omitempty" doc:"what is looked for in outputs and arguments beside secrets"`
	Precision Text             `json:"precision,omitzero" one:"precision" doc:"the weakest evidence on which any composition rule speaks"`
}

// ContentSettings say what is looked for in outputs and arguments beside keys,
// tokens and passwords.
type ContentSettings struct {
	Personal bool   `json:"personal,omitempty" doc:"mail addresses, phone numbers, IBANs, payment cards and national ids are pii"`
	Canaries []Text `json:"canaries,omitempty" many:"yes" doc:"values whose mere presence is secret, six bytes or more"`
}

// Label declares a label of a policy's own.
type Label struct {
	Kind  Text `json:"kind,omitzero" one:"label_kind" must:"yes" doc:"which side of the lattice it is on"`
	Level Text `json:"level,omitzero" one:"level" doc:"the confidentiality level that it implies"`
}

// Source labels what matching calls return.
type Source struct {
	Match   Text   `json:"match,omitzero" must:"yes" doc:"tool pattern: Read(**/.env), mcp__github__get_issue"`
	Labels  []Text `json:"labels,omitempty" must:"yes" many:"yes" doc:"labels that the output carries"`
	Except  []Text `json:"except,omitempty" many:"yes" doc:"path globs of files that the pattern names and that carry nothing"`
	Readers []Text `json:"readers,omitempty" many:"yes" doc:"who may already see it"`
	Why     Text   `json:"why,omitzero" doc:"half a sentence for people"`

	Pos tool.Origin `json:"-" yaml:"-"`
}

// Sink makes matching calls sinks.
type Sink struct {
	Match    Text   `json:"match,omitzero" must:"yes" doc:"tool pattern"`
	Kind     []Text `json:"kind,omitempty" must:"yes" many:"yes" one:"sink" doc:"kinds of sink"`
	Audience []Text `json:"audience,omitempty" many:"yes" doc:"who sees it: principals or args.PATH; none: everyone"`
	Why      Text   `json:"why,omitzero" doc:"half a sentence for people"`

	Pos tool.Origin `json:"-" yaml:"-"`
}

// Tool is the contract of one tool.
type Tool struct {
	Name    Text   `json:"name,omitzero" doc:"the tool's name as the client gives it"`
	Refines Text   `json:"refines,omitzero" doc:"name of a contract of a lower layer that this one changes"`
	Alias   []Text `json:"alias,omitempty" many:"yes" doc:"other names of the same tool"`
	Version *int   `json:"version,omitempty" doc:"version of this contract, 1 if not given"`
	Class   Text   `json:"risk_class,omitzero" one:"class" doc:"risk class"`
	Facts   *Facts `json:"facts,omitempty" doc:"the facts that the class follows from"`
	// ReadOnly is nil where the file does not say.
	ReadOnly     *bool         `json:"read_only,omitempty" doc:"the call changes nothing"`
	Args         Entries[Arg]  `json:"args,omitempty" doc:"roles of the arguments, by path: to, emails[*].to"`
	Output       []OutputLabel `json:"output,omitempty" doc:"labels of the output and of its fields"`
	Sinks        []SinkDecl    `json:"sinks,omitempty" doc:"where data leaves"`
	Audience     []Text        `json:"audience,omitempty" many:"yes" doc:"who sees it: principals or args.PATH; none: everyone"`
	ClassWhen    []ClassWhen   `json:"class_when,omitempty" doc:"conditions under which a lower class counts"`
	Sanitizes    []Removal     `json:"sanitizes,omitempty" doc:"confidentiality labels that the output no longer carries"`
	Endorses     []Removal     `json:"endorses,omitempty" doc:"integrity labels that the output no longer carries"`
	Cells        []Cell        `json:"cells,omitempty" doc:"things that it reads or writes beside path arguments"`
	Compensation Text          `json:"compensation,omitzero" doc:"tool that roughly makes up for a call"`
	Window       Text          `json:"window,omitzero" one:"duration" doc:"how long a call can be withdrawn"`
	Preview      Text          `json:"preview,omitzero" doc:"tool that computes the resolved effect"`
	Spawns       Text          `json:"spawns,omitzero" doc:"argument that holds a sub-agent's prompt"`
	Act          []Text        `json:"act,omitempty" many:"yes" one:"act" doc:"kinds of action; none: as the tool's name says"`
	About        []Text        `json:"about,omitempty" many:"yes" doc:"kinds of object that the call is about: money, message; none: as the tool's name says"`
	Source       Text          `json:"source,omitzero" doc:"where the facts come from"`

	Pack string      `json:"pack,omitempty" yaml:"-"`
	Pos  tool.Origin `json:"pos,omitzero" yaml:"-"`
}

// Facts are the facts that a class follows from.
type Facts struct {
	Inverse   Text  `json:"inverse,omitzero" doc:"call that restores the former state exactly"`
	Window    *bool `json:"window,omitempty" doc:"it can be withdrawn for some time"`
	Observers Text  `json:"observers,omitzero" one:"observers" doc:"who sees the effect at once"`
	Widens    *bool `json:"widens_authority,omitempty" doc:"it changes who may do what"`
}

// Arg is one argument of a contract.
type Arg struct {
	Role    Text   `json:"role,omitzero" one:"role" doc:"what the argument is for"`
	Access  []Text `json:"access,omitempty" many:"yes" one:"access" doc:"what the call does to the path"`
	Base    Text   `json:"base,omitzero" doc:"argument that a relative path starts from"`
	Dialect Text   `json:"dialect,omitzero" one:"dialect" doc:"language of a command, bash if not given"`
	Tree    bool   `json:"tree,omitempty" doc:"the path is a folder, read or written whole"`
	Glob    bool   `json:"glob,omitempty" doc:"the value is a pattern over paths"`
	Append  bool   `json:"append,omitempty" doc:"a write keeps the former content"`
	Enum    []Text `json:"enum,omitempty" many:"yes" doc:"the only values that the schema allows"`
}

// OutputLabel labels the output or a field of it.
type OutputLabel struct {
	Field     Text   `json:"field,omitzero" doc:"path in the output; none: the whole output"`
	Labels    []Text `json:"labels,omitempty" must:"yes" many:"yes" doc:"labels"`
	Readers   []Text `json:"readers,omitempty" many:"yes" doc:"who may already see it: principals, output.PATH, args.PATH"`
	Open      bool   `json:"open,omitempty" doc:"strangers may add to the field: comments, reviews"`
	Reference bool   `json:"reference,omitempty" doc:"people name the record by this field: sender, title, file name"`
	If        Text   `json:"if,omitzero" doc:"condition (CEL)"`
}

// SinkDecl declares a sink of a contract.
type SinkDecl struct {
	Kind []Text `json:"kind,omitempty" must:"yes" many:"yes" one:"sink" doc:"kinds of sink"`
	Args []Text `json:"args,omitempty" many:"yes" doc:"arguments that leave by it; none: those whose role says so"`
	If   Text   `json:"if,omitzero" doc:"condition (CEL)"`
}

// ClassWhen lowers the class where its condition holds.
type ClassWhen struct {
	If    Text `json:"if,omitzero" must:"yes" doc:"condition (CEL)"`
	Class Text `json:"risk_class,omitzero" must:"yes" one:"class" doc:"the class that counts then"`
}

// Removal is a declared sanitizer or endorser.
type Removal struct {
	Labels []Text `json:"labels,omitempty" must:"yes" many:"yes" doc:"labels that are removed"`
	Reason Text   `json:"reason,omitzero" must:"yes" doc:"why that is right"`
	If     Text   `json:"if,omitzero" doc:"condition (CEL)"`
}

// Cell is a thing that a call reads or writes beside its path arguments.
type Cell struct {
	Name   Text   `json:"name,omitzero" must:"yes" doc:"kind and name, with {args.PATH}: memory:{args.key}"`
	Access []Text `json:"access,omitempty" must:"yes" many:"yes" one:"access" doc:"what the call does to it"`
	Append bool   `json:"append,omitempty" doc:"a write keeps the former content"`
	Tree   bool   `json:"tree,omitempty" doc:"the cell and everything below it"`
}

// Rule is one per-call rule.
type Rule struct {
	Decision Text   `json:"decision,omitzero" must:"yes" one:"decision" doc:"the answer for matching calls"`
	Tool     Text   `json:"tool,omitzero" doc:"exact name or glob"`
	Path     Text   `json:"path,omitzero" doc:"glob over the paths that the call touches, as in gitignore"`
	Access   []Text `json:"access,omitempty" many:"yes" one:"access" doc:"which uses of the path; none: all"`
	Command  Text   `json:"command,omitzero" doc:"pattern over simple commands: go test*"`
	Host     Text   `json:"host,omitzero" doc:"glob over the hosts that the call contacts"`
	Server   Text   `json:"server,omitzero" doc:"every tool of an MCP server"`
	Agent    Text   `json:"agent,omitzero" doc:"the calling agent or any ancestor"`
	When     Text   `json:"when,omitzero" doc:"condition (CEL)"`
	Accepts  []Text `json:"accepts,omitempty" many:"yes" doc:"what an allow waives by name: PL1001, authority-modifying, protected:ci"`
	Reason   Text   `json:"reason,omitzero" doc:"why that is right; needed with accepts"`
	Why      Text   `json:"why,omitzero" doc:"shown where the rule decides"`
	Instead  Text   `json:"instead,omitzero" doc:"what can be done instead"`
	Name     Text   `json:"name,omitzero" doc:"how messages call the rule"`

	Permission bool        `json:"permission,omitempty" yaml:"-"`
	Builtin    bool        `json:"builtin,omitempty" yaml:"-"`
	Restrict   bool        `json:"restrict,omitempty" yaml:"-"`
	Pos        tool.Origin `json:"pos,omitzero" yaml:"-"`
}

// Permissions are permission lists.
type Permissions struct {
	Allow []Text `json:"allow,omitempty" doc:"patterns of calls that run"`
	Ask   []Text `json:"ask,omitempty" doc:"patterns of calls that ask"`
	Deny  []Text `json:"deny,omitempty" doc:"patterns of calls that are refused"`
}

// ComposeRule is one composition rule, or exceptions to one of a lower layer: then
// it has that rule's id, unless, and nothing else.
type ComposeRule struct {
	ID         Text     `json:"id,omitzero" must:"yes" doc:"id of the finding"`
	Title      Text     `json:"title,omitzero" doc:"what is wrong, in one line; always needed, but for exceptions to a rule of a lower layer"`
	On         Text     `json:"on,omitzero" one:"on" doc:"what the rule looks at, flow if not given"`
	Labels     []Text   `json:"labels,omitempty" many:"yes" doc:"the flow's label is one of these, or implies one"`
	AllLabels  []Text   `json:"all_labels,omitempty" many:"yes" doc:"the data at the sink holds all of these"`
	Sink       []Text   `json:"sink,omitempty" many:"yes" one:"sink" doc:"kinds of sink, any of"`
	Origin     []Text   `json:"origin,omitempty" many:"yes" one:"origin" doc:"signals of the analysis of origins, any of (on: call)"`
	Classes    []Text   `json:"classes,omitempty" many:"yes" one:"class" doc:"risk classes of the call, any of"`
	Precision  Text     `json:"min_precision,omitzero" one:"precision" doc:"the weakest evidence on which it speaks"`
	When       Text     `json:"when,omitzero" doc:"condition (CEL)"`
	Unless     []Unless `json:"unless,omitempty" doc:"exceptions, each with a reason"`
	Decision   Text     `json:"decision,omitzero" one:"escalation" doc:"the answer, ask if not given"`
	Gate       Text     `json:"gate,omitzero" one:"gate_choice" doc:"which gate is added"`
	Escalate   Text     `json:"escalate,omitzero" one:"escalate" doc:"which calls it makes stricter"`
	Severity   Text     `json:"severity,omitzero" one:"severity" doc:"how much it matters, error if not given"`
	Why        Text     `json:"why,omitzero" doc:"shown with the finding; needed as the title is"`
	Instead    Text     `json:"instead,omitzero" doc:"what can be done instead"`
	References []Text   `json:"references,omitempty" many:"yes" doc:"ids in others' catalogues"`
	Since      Text     `json:"since,omitzero" doc:"version that it came with"`

	Builtin bool        `json:"builtin,omitempty" yaml:"-"`
	Pos     tool.Origin `json:"pos,omitzero" yaml:"-"`
}

// Unless is one exception of a composition rule.
type Unless struct {
	Tool   Text `json:"tool,omitzero" doc:"glob over the sink call's tool"`
	Source Text `json:"source,omitzero" doc:"glob over the source call's tool"`
	When   Text `json:"when,omitzero" doc:"condition (CEL)"`
	Reason Text `json:"reason,omitzero" must:"yes" doc:"why that is right"`

	// Own: a user's, though the rule is built in.
	Own bool `json:"own,omitempty" yaml:"-"`
}

// OnlyExcepts reports whether the entry is nothing but exceptions to a rule of a
// lower layer.
func (r *ComposeRule) OnlyExcepts() bool {
	given := len(r.Labels)+len(r.AllLabels)+len(r.Sink)+len(r.Origin)+len(r.Classes)+len(r.References) > 0
	for _, t := range []Text{r.Title, r.On, r.Precision, r.When, r.Decision, r.Gate, r.Escalate, r.Severity, r.Why, r.Instead, r.Since} {
		given = given || t.S != ""
	}
	return len(r.Unless) > 0 && !given
}

// Protected is a protected place.
type Protected struct {
	Name      Text   `json:"name,omitzero" must:"yes" doc:"what an allow accepts, as protected:NAME"`
	Paths     []Text `json:"paths,omitempty" must:"yes" many:"yes" doc:"globs as in rules; case never counts"`
	Authority bool   `json:"authority,omitempty" doc:"who changes it changes who may do what: the approval comes out of band"`
	Decision  Text   `json:"decision,omitzero" one:"escalation" doc:"the answer, ask if not given"`
	Whole     bool   `json:"whole,omitempty" doc:"paths are folders, and only what removes or changes them as a whole counts"`
	Content   Text   `json:"content,omitzero" one:"content" doc:"only changes of this part of the file count"`

	Builtin bool        `json:"builtin,omitempty" yaml:"-"`
	Pos     tool.Origin `json:"pos,omitzero" yaml:"-"`
}

// Gate are the requirements of a gate.
type Gate struct {
	EffectReview bool `json:"effect_review,omitempty" doc:"a person approves the resolved effect"`
	Approvals    int  `json:"approvals,omitempty" min:"0" max:"9" doc:"how many different persons"`
	Cooldown     Text `json:"cooldown,omitzero" one:"duration" doc:"how long the call waits after it was announced"`
	OutOfBand    bool `json:"out_of_band,omitempty" doc:"another channel and another identity than the agent's"`
}
