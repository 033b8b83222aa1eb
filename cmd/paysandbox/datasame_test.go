package main

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/verdict"
)

// TestOtherFlagsThanWhatIsKept: who starts a kept sandbox with other flags is told what it was
// begun with and what the flag says, but no secret.
func TestOtherFlagsThanWhatIsKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	serve := func(args ...string) (code int, told string) {
		var wrong bytes.Buffer
		ctx, end := context.WithCancel(t.Context())
		args = append([]string{"serve", "--addr", "127.0.0.1:0", "--data", dir}, args...)
		code = run(ctx, args, func(string) (string, bool) { return "", false }, endOnWrite(end), &wrong)
		return code, wrong.String()
	}
	code, told := serve("--seed", "5", "--client-secret", "kept-secret")
	require.Equal(t, verdict.CodeMet, code, told)
	for _, c := range []struct{ flag, value, want string }{
		{"--seed", "7", "was begun with 5, and this says 7\n"},
		{"--environment", "rehearsal", "was begun with sandbox, and this says rehearsal\n"},
		{"--latitude", "zip=plus-four-only", "was begun with none, and this says zip=plus-four-only\n"},
		{"--start", "2020-01-01T00:00:00Z", ", and this says 2020-01-01T00:00:00Z\n"},
		{"--client-secret", "other-secret", "was begun with another one\n"},
	} {
		code, told := serve(c.flag, c.value)
		require.Equal(t, verdict.CodeConfig, code, told)
		require.Contains(t, told, "paysandbox: "+c.flag+": what is kept in "+dir+" was begun with")
		require.Contains(t, told, c.want)
		require.NotContains(t, told, "kept-secret")
	}
}

// endOnWrite ends what has announced that it serves.
type endOnWrite context.CancelFunc

func (end endOnWrite) Write(p []byte) (int, error) {
	end()
	return len(p), nil
}
