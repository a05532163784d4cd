//go:build !unix

package cli

func surviveSignals() {}
