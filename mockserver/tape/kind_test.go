package tape_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/tape"
)

func TestKindsHaveStableNamesAndKnowInputs(t *testing.T) {
	t.Parallel()
	want := []struct {
		name  string
		input bool
	}{
		{"exchange", true},
		{"page", true},
		{"control", true},
		{"clock", true},
		{"timer", false},
		{"transition", false},
		{"event", false},
		{"attempt", true},
		{"message", false},
		{"fetch", true},
		{"finding", false},
		{"hangup", true},
	}
	require.Len(t, tape.Kinds(), len(want))
	for i, k := range tape.Kinds() {
		require.Equal(t, want[i].name, k.String())
		require.Equal(t, want[i].input, k.Input(), k)
		text, err := k.MarshalText()
		require.NoError(t, err)
		var back tape.Kind
		require.NoError(t, back.UnmarshalText(text))
		require.Equal(t, k, back)
	}
}

func TestUndeclaredKindsAreRefused(t *testing.T) {
	t.Parallel()
	for _, k := range []tape.Kind{0, 13, 255} {
		require.False(t, k.Valid())
		require.False(t, k.Input())
		require.Contains(t, k.String(), "kind(")
		_, err := k.MarshalText()
		require.Error(t, err)
	}
	for _, name := range []string{"", "Exchange", "exchanges"} {
		k := tape.KindEvent
		require.Error(t, k.UnmarshalText([]byte(name)), name)
		require.Equal(t, tape.KindEvent, k)
	}
}

func TestFaultLabel(t *testing.T) {
	t.Parallel()
	label := tape.LabelFault("f1", "status=503; commit-then-drop; latency=2s")
	require.Equal(t, tape.FaultLabel("f1: status=503; commit-then-drop; latency=2s"), label)
	require.Equal(t, "f1", label.ID())
	require.Equal(t, "status=503; commit-then-drop; latency=2s", label.Effects())
	for name, want := range map[string]struct {
		value string
		ok    bool
	}{"latency": {"2s", true}, "commit-then-drop": {"", true}, "slow-body": {}, "": {}} {
		value, ok := label.Effect(name)
		require.Equal(t, want.value, value, name)
		require.Equal(t, want.ok, ok, name)
	}
	require.Empty(t, tape.FaultLabel("").ID())
	require.Empty(t, tape.FaultLabel("f1").Effects())
}
