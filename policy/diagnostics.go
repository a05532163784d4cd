package policy

// The diagnostics of this package: what an untrusted layer said in vain.
const (
	// DiagAllow: an allow, with what it accepts.
	DiagAllow = "PL9020"
	// DiagContract: a contract, or a part of one that would loosen it: a lower
	// class, a sanitizer, an endorser, a narrower audience.
	DiagContract = "PL9021"
	// DiagSetting: a looser setting.
	DiagSetting = "PL9022"
	// DiagGate: a gate that asks for less than the one in force.
	DiagGate = "PL9023"
	// DiagAudience: an audience that is not everyone.
	DiagAudience = "PL9024"
	// DiagPreset: a built-in policy that is not the one in force.
	DiagPreset = "PL9025"
	// DiagRule: a composition rule with the id of another, both count; or
	// exceptions to one.
	DiagRule = "PL9026"
)

// untrustedHint is the hint of each of them.
const untrustedHint = "the project's policy is not trusted; read it, then run planlint trust"
