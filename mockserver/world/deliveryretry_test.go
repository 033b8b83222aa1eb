package world_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/world"
)

func TestRetrySchedule(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		choice latitude.Choice
		waits  []string
	}{
		"scheduled": {latitude.RetriesScheduled, []string{"5s", "5m", "30m", "2h", "5h", "10h", "10h"}},
		"none":      {latitude.RetriesNone, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHooks(t, world.Config{Settings: latitude.Settings{}.Choose(c.choice)})
			addEndpoint(t, h.w, "", companyEvent)
			h.company()
			v := h.one()
			require.Equal(t, 1, v.Attempt)
			for i, text := range c.waits {
				wait, err := time.ParseDuration(text)
				require.NoError(t, err)
				h.later(3 * time.Second) // the receiver takes its time
				out := h.answer(v, delivery.AttemptResult{Status: 500})
				require.Equal(t, h.w.Now().Add(wait).UnixNano(), out.Next)
				pending := h.w.Webhooks().Pending()
				require.Equal(t, []any{"scheduled", i + 1}, []any{pending[0].Stage, pending[0].Attempts})
				h.later(wait - 1)
				require.Empty(t, h.sent(), text)
				h.later(1)
				again := h.one()
				require.Equal(t, []any{v.ID, v.EventID, v.Body, i + 2}, []any{again.ID, again.EventID, again.Body, again.Attempt})
			}
			out := h.answer(v, delivery.AttemptResult{Error: "connection refused", RetryAfter: "5"})
			require.True(t, out.Done)
			require.Contains(t, out.Reason, "given up after")
			require.Contains(t, out.Reason, "connection refused")
			require.Empty(t, h.w.Webhooks().Pending())
			h.later(100 * time.Hour)
			require.Empty(t, h.sent())
		})
	}
}

func TestWhatIsASuccess(t *testing.T) {
	t.Parallel()
	for status, success := range map[int]bool{
		200: true, 202: true, 204: true, 299: true, 0: false, 101: false, 199: false,
		300: false, 301: false, 302: false, 307: false, 400: false, 404: false, 429: false, 500: false, 503: false,
	} {
		h := newHooks(t, world.Config{})
		addEndpoint(t, h.w, "")
		h.company()
		out := h.answer(h.one(), delivery.AttemptResult{Status: status})
		require.Equal(t, success, out.Done, status)
		require.Len(t, h.w.Webhooks().Pending(), map[bool]int{true: 0, false: 1}[success])
	}
}

// TestRetryAfterDoesNotShortenTheSchedule: a receiver that is in trouble and asks for
// more at once would get all attempts within a second.
func TestRetryAfterDoesNotShortenTheSchedule(t *testing.T) {
	t.Parallel()
	h := newHooks(t, world.Config{})
	addEndpoint(t, h.w, "")
	h.company()
	began, attempts := h.w.Now(), 0
	for done := false; !done; {
		v := h.one()
		attempts = v.Attempt
		out := h.answer(v, delivery.AttemptResult{Status: 503, RetryAfter: "0"})
		if done = out.Done; !done {
			h.later(time.Duration(out.Next - h.w.Now().UnixNano()))
		}
	}
	require.Equal(t, 8, attempts)
	require.Greater(t, h.w.Now().Sub(began), 27*time.Hour)
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]time.Duration{
		"120": 120 * time.Second, " 7 ": 7 * time.Second, "0": 5 * time.Second, "1": 5 * time.Second, "5": 5 * time.Second, "6": 6 * time.Second,
		"86400": 24 * time.Hour, "86401": 24 * time.Hour, "99999999999999999999": 24 * time.Hour, "9223372036854775807": 24 * time.Hour,
		"Mon, 05 Jan 2026 15:31:30 GMT":  90 * time.Second,
		"Monday, 05-Jan-26 15:31:30 GMT": 90 * time.Second,
		"Mon Jan  5 15:31:30 2026":       90 * time.Second,
		"Mon, 05 Jan 2026 15:29:00 GMT":  5 * time.Second,
		"Mon, 05 Jan 2099 15:29:00 GMT":  24 * time.Hour,
		"":                               5 * time.Second, "soon": 5 * time.Second, "-1": 5 * time.Second, "1.5": 5 * time.Second,
	} {
		h := newHooks(t, world.Config{})
		addEndpoint(t, h.w, "")
		h.company()
		out := h.answer(h.one(), delivery.AttemptResult{Status: 503, RetryAfter: value})
		require.Equal(t, planStart.Add(want).UnixNano(), out.Next, value)
		if want > 0 {
			h.later(want - 1)
			require.Empty(t, h.sent())
			h.later(1)
		}
		require.Equal(t, 2, h.one().Attempt, value)
	}
}

// TestRetryAfterIsReadByTheReceiversClock: the virtual time may be days ahead of a receiver
// that tells a time of the wall's, or years behind.
func TestRetryAfterIsReadByTheReceiversClock(t *testing.T) {
	t.Parallel()
	for date, want := range map[string]time.Duration{
		"Sun, 29 Nov 2026 10:00:00 GMT": 90 * time.Second,
		"Sun, 29 Nov 2026 10:02:00 GMT": 5 * time.Second, // it lies behind
		"Sun, 29 Nov 1999 10:00:00 GMT": 24 * time.Hour,
		"noon":                          24 * time.Hour, // no time: in virtual time it is far off
	} {
		h := newHooks(t, world.Config{})
		addEndpoint(t, h.w, "")
		h.company()
		out := h.answer(h.one(), delivery.AttemptResult{Status: 503, RetryAfter: "Sun, 29 Nov 2026 10:01:30 GMT", Date: date})
		require.Equal(t, planStart.Add(want).UnixNano(), out.Next, date)
	}
}
