package replay_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/journey/drive"
	"paysandbox/harness/replay"
	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/writeout"
	"paysandbox/harness/sampling"
	"paysandbox/mockserver"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
	"paysandbox/scenarios"
)

const base = "http://127.0.0.1:8484"

// journeys are the tapes of the partner journeys, by their names.
func journeys(t *testing.T, names ...string) map[string]string {
	t.Helper()
	hosts := &drive.Hosts{}
	server, err := mockserver.New(mockserver.Options{
		Integration: integration.Options{Name: "default", Clock: integration.Manual, ClientID: "nobody", ClientSecret: "secret-of-nobody"},
		Version:     "test", AllowLoopback: true, Resolve: hosts.Resolve,
	})
	require.NoError(t, err)
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	hosts.Set("127.0.0.1:8484", l.Addr().String())
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, mockserver.Listeners{Partner: l}) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-served)
	})
	folder, files := t.TempDir(), map[string]string{}
	_, err = drive.Run(t.Context(), drive.Plan{
		Scenarios: scenarios.FS(), Names: names, Hosts: hosts, BaseURL: base, Now: time.Now, Seed: 1,
		Finished: func(d *drive.Driven) error {
			files[d.Name] = filepath.Join(folder, d.Name+".tape")
			file, err := os.Create(files[d.Name])
			require.NoError(t, err)
			require.NoError(t, tape.Write(file, d.Meta, slices.Values(d.Entries)))
			return file.Close()
		},
	})
	require.NoError(t, err)
	return files
}

// different are the differences that mean something.
func different(c *replay.Case) []string {
	var list []string
	for i := range c.Differences {
		if d := &c.Differences[i]; d.Class != compare.TimeOrID && d.Class != compare.Nobody {
			list = append(list, d.Text())
		}
	}
	return list
}

func written(c *replay.Case, s *play.Sandbox) *writeout.Case {
	return &writeout.Case{Title: c.Title(), Lines: c.Diagnosis.Lines, Script: c.Script, Run: c.Run, Routes: s.Routes, Base: base, Assumptions: c.Assumptions}
}

// TestOurOwnRecordings: a recording made against ourselves shows nothing different, as
// the tape that was saved and as the HAR that is made of it, of which the moves of
// people have to be inferred. In the journeys that are left out the service breaks on
// purpose, or nobody blameless asks for too much.
func TestOurOwnRecordings(t *testing.T) {
	t.Parallel()
	names := []string{
		"first-payment", "late-return", "refused-by-bank", "cancellation", "debit-limit", "dispute", "lost-answer", "company-rejected",
		"saved-card", "several-locations", "single-payment", "terminal", "token-expiry", "monthly-plan",
	}
	s := sandbox(t)
	for name, path := range journeys(t, sampling.Every(t, 3, names)...) {
		t.Run(name, func(t *testing.T) {
			c := made(t, s, []string{path}, read.Options{})
			require.Empty(t, different(c))
			require.Nil(t, c.Diagnosis.Fault, "%v", c.Diagnosis.Lines)
			har, err := writeout.Write("har", written(c, s))
			require.NoError(t, err)
			again := filepath.Join(t.TempDir(), name+".har")
			require.NoError(t, os.WriteFile(again, har, 0o600))
			require.Empty(t, different(made(t, s, []string{again}, read.Options{})))
		})
	}
}

// TestAStoredCaseIsTheSameAgain writes a case, knows it again, and finds it unchanged.
func TestAStoredCaseIsTheSameAgain(t *testing.T) {
	t.Parallel()
	s := sandbox(t)
	path := journeys(t, "refunds")["refunds"]
	c := made(t, s, []string{path}, read.Options{})
	require.Equal(t, "payment.refund.amount-left", c.Diagnosis.Fault.Clause)
	small, result, err := c.Minimise(t.Context(), "", replay.Options{Sandbox: s, Parallel: 2})
	require.NoError(t, err)
	require.LessOrEqual(t, small.Script.Calls(), 6)
	require.Less(t, result.After, result.Before)
	alone, _, err := c.Minimise(t.Context(), "", replay.Options{Sandbox: s, Parallel: 1})
	require.NoError(t, err)
	require.Equal(t, small.Script, alone.Script, "whatever the parallelism")

	folder := t.TempDir()
	require.NoError(t, small.Save(filepath.Join(folder, "case 17")))
	known, err := c.Known(folder)
	require.NoError(t, err)
	require.Equal(t, []string{"case 17"}, known)
	stored, r, script, err := replay.Load(filepath.Join(folder, "case 17"))
	require.NoError(t, err)
	again, err := replay.Again(t.Context(), r, script, replay.Options{Sandbox: s})
	require.NoError(t, err)
	require.Empty(t, stored.Changed(again))
	again.Diagnosis.Side = "nobody"
	require.NotEmpty(t, stored.Changed(again))
	for _, form := range writeout.Forms() {
		text, err := writeout.Write(form, written(small, s))
		require.NoError(t, err, form)
		require.NotEmpty(t, text, form)
	}
	_, _, err = c.Minimise(t.Context(), "clause=no.such", replay.Options{Sandbox: s})
	require.ErrorIs(t, err, replay.ErrKeep)
}
