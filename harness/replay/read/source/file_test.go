package source_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/source"
)

// TestEventWithin: what a line of a log holds is a webhook where it is one event, under whatever name, as a text also in an inner object
// of a line which says that something came in.
func TestEventWithin(t *testing.T) {
	t.Parallel()
	event := `{"Event":"X","Data":{"PaymentId":"p"}}`
	said := strconv.Quote(event)
	for line, want := range map[string]struct {
		found  bool
		status int
	}{
		`{"timestamp":"2026-11-10T01:37:20Z","got":` + said + `}`:                                                          {found: true},
		`{"timestamp":"2026-11-10T01:37:20Z","event":` + event + `,"status":401}`:                                          {found: true, status: 401},
		`{"jsonPayload":{"message":"webhook","answered":200,"raw":` + said + `},"timestamp":"2026-11-10T01:37:20Z"}`:       {found: true, status: 200},
		`{"jsonPayload":{"fields":{"what":"callback","bytes":` + said + `}},"timestamp":"2026-11-10T01:37:20Z"}`:           {found: true},
		`{"jsonPayload":{"message":"job done","raw":` + said + `},"timestamp":"2026-11-10T01:37:20Z"}`:                     {},
		`{"jsonPayload":{"message":"webhook","event":` + event + `},"timestamp":"2026-11-10T01:37:20Z"}`:                   {},
		`{"jsonPayload":{"message":"webhook","raw":` + said + `,"again":` + said + `},"timestamp":"2026-11-10T01:37:20Z"}`: {},
		`{"jsonPayload":{"message":"hook sent on","method":"POST","raw":` + said + `}}`:                                    {},
	} {
		w := source.EventWithin([]byte(line))
		if !want.found {
			require.Empty(t, w.Body, line)
			continue
		}
		require.JSONEq(t, event, string(w.Body), line)
		require.Equal(t, want.status, w.Status, line)
		require.Equal(t, time.Date(2026, 11, 10, 1, 37, 20, 0, time.UTC), w.At, line)
	}
}
