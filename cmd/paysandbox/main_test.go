package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/verdict"
	"paysandbox/mockserver"
)

// TestMain lets the scripts call this program as a command of its own.
func TestMain(m *testing.M) {
	// Most tests here wait for processes of their own: more go at a time than there are processors.
	_ = flag.Set("test.parallel", strconv.Itoa(3*runtime.GOMAXPROCS(0)))
	testscript.Main(m, map[string]func(){"paysandbox": main})
}

// TestScripts runs what a user would type.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
			if err != nil {
				return err
			}
			e.Defer(func() { _ = l.Close() })
			e.Setenv("TAKEN", l.Addr().String()) // an address that somebody listens on
			return nil
		},
	})
}

// started runs `serve` inside the test and gives its announcement.
func started(t *testing.T, args ...string) announcement {
	t.Helper()
	a, _ := startedLogged(t, args...)
	return a
}

// startedLogged gives what it writes to its log, too.
func startedLogged(t *testing.T, args ...string) (announcement, *heard) {
	t.Helper()
	log := &heard{}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	r, w := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, append([]string{"serve", "--addr", "127.0.0.1:0", "--announce", "json"}, args...), none, w, log)
		_ = w.Close()
	}()
	t.Cleanup(func() {
		cancel()
		require.Equal(t, verdict.CodeMet, <-ended)
	})
	line, err := bufio.NewReader(r).ReadBytes('\n')
	require.NoError(t, err)
	var a announcement
	require.NoError(t, json.Unmarshal(line, &a))
	return a, log
}

// TestAnnouncement holds the members that scripts rely on.
func TestAnnouncement(t *testing.T) {
	t.Parallel()
	a := started(t, "--clock", "manual", "--seed", "7", "--latitude", "zip=plus-four-only", "--environment", "rehearsal")
	require.True(t, strings.HasPrefix(a.BaseURL, "http://127.0.0.1:"))
	require.Equal(t, a.BaseURL+"/_sandbox", a.ControlURL)
	require.Equal(t, a.BaseURL+"/docs", a.DocsURL)
	require.Equal(t, "sandbox-client", a.ClientID)
	require.Equal(t, "sandbox-secret", a.ClientSecret)
	require.Nil(t, a.ControlToken, "the control API is open on a loopback address")
	require.Equal(t, uint64(7), a.Seed)
	require.Equal(t, map[string]string{"zip": "plus-four-only"}, a.Latitude)
	require.Equal(t, clockAnnouncement{Mode: "manual", Now: "2026-03-02T17:00:00Z"}, a.Clock)
	require.Equal(t, os.Getpid(), a.PID)
}

// TestOtherAddressesNeedSecrets draws secrets where others can call.
func TestOtherAddressesNeedSecrets(t *testing.T) {
	t.Parallel()
	for addr, open := range map[string]bool{
		"127.0.0.1:8484": true, "localhost:1": true, "[::1]:1": true, "0.0.0.0:8484": false, ":8484": false, "192.0.2.1:1": false, "[::]:1": false,
	} {
		o := servedWith(t, "--addr", addr)
		if open {
			require.Equal(t, uint64(1), o.Integration.Seed, addr)
			require.Empty(t, o.Integration.Secret, addr)
			require.Equal(t, defaultSecret, o.Integration.ClientSecret, addr)
			require.Empty(t, o.ControlToken, addr)
			continue
		}
		require.Len(t, o.Integration.ClientSecret, 26, addr)
		require.Len(t, o.ControlToken, 26, addr)
		require.NotEqual(t, o.ControlToken, o.Integration.ClientSecret)
		again := servedWith(t, "--addr", addr)
		require.NotEqual(t, o.Integration.Seed, again.Integration.Seed, addr)
		require.Len(t, o.Integration.Secret, 32, addr)
		require.NotEqual(t, o.Integration.Secret, again.Integration.Secret, addr)
		require.Equal(t, uint64(7), servedWith(t, "--addr", addr, "--seed", "7").Integration.Seed, addr)
	}
}

// servedWith are the server's options that flags of serve come to.
func servedWith(t *testing.T, args ...string) mockserver.Options {
	t.Helper()
	var f sandboxFlags
	cmd := &cobra.Command{}
	f.declare(cmd)
	require.NoError(t, cmd.ParseFlags(args))
	o, err := f.options(nil)
	require.NoError(t, err)
	return o
}

func TestMemoryIsRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"67108864": 67108864, "512MiB": 512 << 20, "2GiB": 2 << 30, "1024KiB": 1 << 20} {
		n, err := byteCount(text)
		require.NoError(t, err, text)
		require.Equal(t, want, n, text)
	}
	for _, text := range []string{"", "MiB", "1.5GiB", "1GB", "-1", "9223372036854775807GiB", "95MiB"} {
		_, err := memory(text)
		require.ErrorContains(t, err, "--memory", text)
	}
}

// TestAWrongAddressNamesItsFlag: two flags take addresses.
func TestAWrongAddressNamesItsFlag(t *testing.T) {
	t.Parallel()
	for _, flag := range []string{"--addr", "--control-addr"} {
		var said strings.Builder
		code := run(t.Context(), []string{"serve", "--addr", "127.0.0.1:0", flag, "nowhere"}, func(string) (string, bool) { return "", false }, io.Discard, &said)
		require.Equal(t, verdict.CodeConfig, code)
		require.True(t, strings.HasPrefix(said.String(), "paysandbox: "+flag+": "), said.String())
		require.Contains(t, said.String(), "give "+flag+" HOST:PORT")
	}
}

// TestTheClockStartsWhereItIsTold: a running clock begins there, and goes on from there.
func TestTheClockStartsWhereItIsTold(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"real", "manual"} {
		a := started(t, "--clock", mode, "--start", "2031-05-06T07:08:09Z")
		require.Equal(t, mode, a.Clock.Mode)
		require.True(t, strings.HasPrefix(a.Clock.Now, "2031-05-06T07:"), a.Clock.Now)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, a.BaseURL+"/_sandbox/integrations/default/clock", nil)
		require.NoError(t, err)
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		var clock clockAnnouncement
		require.NoError(t, json.NewDecoder(res.Body).Decode(&clock))
		require.NoError(t, res.Body.Close())
		require.True(t, strings.HasPrefix(clock.Now, "2031-05-06T07:"), clock.Now)
	}
}
