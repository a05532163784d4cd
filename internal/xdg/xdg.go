// Package xdg says where planlint keeps its files, by the XDG Base Directory
// rules: what the user wrote, and what planlint remembers.
//
// In: an environment, as name to value. Out: absolute paths; "" where neither
// the variable nor HOME gives one, and the caller has to do without or to deny.
// Relative values are ignored, as the rules want it.
package xdg

import "path/filepath"

// Config is the folder of the user's planlint.yaml and trust.yaml.
func Config(env map[string]string) string { return dir(env, "XDG_CONFIG_HOME", ".config") }

// State is the folder of what planlint remembers.
func State(env map[string]string) string {
	return dir(env, "XDG_STATE_HOME", filepath.Join(".local", "state"))
}

// Sessions is the folder of session records.
func Sessions(env map[string]string) string { return below(State(env), "sessions") }

// Policies is the folder of compiled policies.
func Policies(env map[string]string) string { return below(State(env), "policies") }

func dir(env map[string]string, variable, fallback string) string {
	if d := env[variable]; filepath.IsAbs(d) {
		return filepath.Join(d, "planlint")
	}
	if home := env["HOME"]; filepath.IsAbs(home) {
		return filepath.Join(home, fallback, "planlint")
	}
	return ""
}

func below(dir, name string) string {
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, name)
}
