package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// sleepersWoken fills integrations, lets them sleep, and wakes them all at once.
func sleepersWoken(t *testing.T, a *attacked) string {
	t.Helper()
	tokens, told := make([]string, 36), &statuses{}
	for n := range tokens {
		_, tokens[n] = a.another(t)
	}
	random := rand.New(rand.NewPCG(1, 2))
	notes := make([]string, 15)
	for n := range notes {
		var note strings.Builder
		for range 56_000 {
			_, _ = fmt.Fprintf(&note, "%016x", random.Uint64())
		}
		notes[n] = note.String()
	}
	each(len(tokens)*15, 8, func(n int) {
		status, _ := a.post(t, "/Payment/Create", tokens[n%len(tokens)], strings.NewReader(fmt.Sprintf(`{"amount":%d,"contactNumber":"+12025550177","metadata":{"note":%q}}`, n+1, notes[n%15])))
		told.add(status)
	})
	full := residentBytes(t, a.PID, "VmRSS")
	require.Eventually(t, func() bool {
		_, answer := a.control(t, http.MethodGet, "/ready", "")
		var ready struct{ Kept struct{ Sleeping int } }
		return json.Unmarshal(answer, &ready) == nil && ready.Kept.Sleeping >= len(tokens)
	}, 3*time.Minute, 100*time.Millisecond, "they sleep")
	asleep, woken := residentBytes(t, a.PID, "VmRSS"), &statuses{}
	each(len(tokens), len(tokens), func(n int) {
		status, _ := a.post(t, "/Company/Create", tokens[n], strings.NewReader(`{}`))
		woken.add(status)
	})
	require.Positive(t, woken.count[http.StatusBadRequest], "some are woken, and judge the call")
	require.Equal(t, len(tokens), woken.count[http.StatusBadRequest]+woken.count[http.StatusServiceUnavailable], "the others are told to wait: %s", woken)
	return fmt.Sprintf("%s; %d MiB when it was full, %d while they slept; woken: %s", told, full>>20, asleep>>20, woken)
}
