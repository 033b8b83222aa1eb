package fault_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/fault"
)

func TestParse(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		want fault.Effect
		text string
	}{
		"status=503; retry-after=30":        {fault.Effect{Status: 503, RetryAfter: 30}, ""},
		"status=400":                        {fault.Effect{Status: 400}, ""},
		"latency=2s":                        {fault.Effect{Latency: 2 * time.Second}, ""},
		"latency=1m":                        {fault.Effect{Latency: time.Minute}, "latency=1m0s"},
		"slow-body=250ms,latency=1s":        {fault.Effect{SlowBody: 250 * time.Millisecond, Latency: time.Second}, "latency=1s; slow-body=250ms"},
		"cut-connection":                    {fault.Effect{Cut: fault.CutStart}, ""},
		"cut-connection=start":              {fault.Effect{Cut: fault.CutStart}, "cut-connection"},
		"cut-connection=headers":            {fault.Effect{Cut: fault.CutHeaders}, ""},
		"status=502 , cut-connection=body;": {fault.Effect{Status: 502, Cut: fault.CutBody}, "status=502; cut-connection=body"},
		"commit-then-drop":                  {fault.Effect{CommitThenDrop: true}, ""},
		"token-revoked":                     {fault.Effect{Revoke: fault.RevokeCall}, ""},
		"token-revoked=token":               {fault.Effect{Revoke: fault.RevokeToken}, ""},
	}
	for header, tc := range tests {
		t.Run(header, func(t *testing.T) {
			t.Parallel()
			got, err := fault.Parse(header)
			require.NoError(t, err)
			require.Equal(t, tc.want, got)
			if tc.text == "" {
				tc.text = header
			}
			require.Equal(t, tc.text, got.String())
		})
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	all := strings.Join(fault.Names(), ", ")
	tests := map[string]string{
		"":                                 "at least one effect of " + all,
		" ; ,":                             "at least one effect of " + all,
		"stats=503":                        "one of " + all,
		"Status=503":                       "one of " + all,
		"status":                           "a status from 400 to 599",
		"status=399":                       "a status from 400 to 599",
		"status=600":                       "a status from 400 to 599",
		"status=+503":                      "a status from 400 to 599",
		"status=0503":                      "a status from 400 to 599",
		"status = 503":                     "one of " + all,
		"status=503; status=503":           "status once",
		"retry-after=30":                   "retry-after beside a status",
		"status=503; retry-after=0":        "whole seconds from 1 to 86400",
		"latency":                          "at most 1m",
		"latency=0s":                       "at most 1m",
		"latency=-1s":                      "at most 1m",
		"latency=61s":                      "at most 1m",
		"latency=40s; slow-body=30s":       "of at most 1m together",
		"cut-connection=":                  "start, headers or body",
		"cut-connection=tail":              "start, headers or body",
		"commit-then-drop=1":               "commit-then-drop without a value",
		"token-revoked=all":                "call or token",
		"status=503; cut-connection":       "cut-connection without status",
		"status=503; commit-then-drop":     "commit-then-drop without status",
		"status=401; token-revoked":        "token-revoked without status",
		"slow-body=1s; cut-connection":     "cut-connection without slow-body",
		"slow-body=1s; commit-then-drop":   "commit-then-drop without slow-body",
		"cut-connection; commit-then-drop": "commit-then-drop without cut-connection",
		"cut-connection; token-revoked":    "token-revoked without cut-connection",
		"commit-then-drop; token-revoked":  "token-revoked without commit-then-drop",
		"\xff\x00":                         "one of " + all,
		strings.Repeat("latency=1s;", 50):  "at most 512 bytes",
	}
	for header, want := range tests {
		t.Run(header, func(t *testing.T) {
			t.Parallel()
			got, err := fault.Parse(header)
			var list *fault.Error
			require.ErrorAs(t, err, &list)
			require.ErrorContains(t, err, want)
			require.Zero(t, got)
			for _, p := range list.Problems {
				require.NotEmpty(t, p.Received)
			}
		})
	}
}

func TestParseTellsAllProblemsAndTheNearestName(t *testing.T) {
	t.Parallel()
	_, err := fault.Parse("latncy=2s; status=99; cut=1")
	var list *fault.Error
	require.ErrorAs(t, err, &list)
	require.Len(t, list.Problems, 3)
	require.Equal(t, "nearest: latency", list.Problems[0].Fix)
	require.Equal(t, `"latncy=2s"`, list.Problems[0].Received)
	require.Equal(t, "status", list.Problems[1].Effect)
}

func TestRetrySeconds(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		status, after int
		left          time.Duration
		want          int
	}{
		{429, 0, 0, 1},
		{503, 0, 0, 1},
		{500, 0, 0, 0},
		{503, 9, 0, 9},
		{418, 9, 0, 9},
		{503, 0, time.Hour, 3600},
		{429, 0, 90*time.Second + 1, 91},
		{503, 0, time.Millisecond, 1},
		{503, 0, fault.MaxFor, fault.MaxRetryAfter},
		{503, 9, time.Hour, 9},
		{500, 0, time.Hour, 0},
	} {
		require.Equal(t, tc.want, fault.Effect{Status: tc.status, RetryAfter: tc.after}.RetrySeconds(tc.left))
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"status=503; retry-after=30", "latency=2s,slow-body=1s", "cut-connection=body", "token-revoked=token", "commit-then-drop", "=;,\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, header string) {
		wait, ok := fault.ParseWait(header)
		require.Equal(t, ok, wait > 0 && wait <= fault.MaxWait)
		e, err := fault.Parse(header)
		if err != nil {
			require.Zero(t, e)
			require.NotEmpty(t, err.Error())
			return
		}
		require.Empty(t, e.Validate())
		require.LessOrEqual(t, e.Latency+e.SlowBody, fault.MaxWait)
		again, err := fault.Parse(e.String())
		require.NoError(t, err)
		require.Equal(t, e, again)
	})
}
