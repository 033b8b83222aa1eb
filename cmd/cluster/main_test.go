package main

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheAddressIsTaken: whoever has left `make run` running is told before anything is
// started.
func TestTheAddressIsTaken(t *testing.T) {
	t.Parallel()
	if l, err := net.Listen("tcp", balanced); err == nil {
		defer func() { _ = l.Close() }()
	}
	dir := t.TempDir()
	err := run(t.Context(), []string{"nothing-to-start", dir})
	require.ErrorContains(t, err, "the load balancer cannot listen on 127.0.0.1:8484")
	require.ErrorContains(t, err, "hint: stop what listens there")
}
