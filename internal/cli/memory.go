package cli

import "runtime/debug"

// From largeInput bytes on, an input is reviewed with a collector that runs at
// largePercent of growth instead of Go's 100: a review of a million calls then needs
// a sixth more than what lives, and not twice as much, for some more time. Smaller
// inputs are not affected, nor is who sets GOGC or GOMEMLIMIT.
const (
	largeInput   = 32 << 20
	largePercent = 15
)

// saveMemory makes the process trade time for memory before a large input is read
// into a plan.
func (s *streams) saveMemory(size int) {
	if size >= largeInput && s.env["GOGC"] == "" && s.env["GOMEMLIMIT"] == "" {
		debug.SetGCPercent(largePercent)
	}
}
