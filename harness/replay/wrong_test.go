package replay_test

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/sampling"
)

// wrongs are what a service may get wrong in a body; a body comes back as it was where there is nothing to get wrong.
var wrongs = map[string]func(body []byte, path string) []byte{
	"a cent more":         instead(`("(?:amount|Amount|value)":\d*)\d\b`, "${1}7"),
	"a status of no kind": instead(`("(?:status|Status)":"[A-Za-z]+)"`, `${1}ish"`),
	"another one's id": func(body []byte, path string) []byte {
		for id := range strings.SplitSeq(path, "/") {
			if len(id) == 36 {
				body = bytes.Replace(body, []byte(`"`+id), []byte(`"0f0f0f0f`+id[8:]), 1)
			}
		}
		return body
	},
	"an event without its name":   instead(`"Event":"[^"]*"`, `"Event":null`),
	"an event without its status": instead(`("Data":.*)"Status":"[^"]*"`, `$1"Status":null`),
	"an event about nothing":      instead(`"(PaymentId|CompanyId)":"[^"]*"`, `"$1":null`),
}

// instead puts something in the place of the first that a pattern finds.
func instead(pattern, with string) func(body []byte, _ string) []byte {
	p := regexp.MustCompile(pattern)
	return func(body []byte, _ string) []byte {
		at := p.FindSubmatchIndex(body)
		if at == nil {
			return body
		}
		return slices.Concat(body[:at[0]], p.Expand(nil, []byte(with), body, at), body[at[1]:])
	}
}

// everyWrong is which of all that may be wrong is tried: the eighth, and so on.
const everyWrong = 8

// TestWhatTheServiceGetsWrongIsItsFault: of an innocent recording any answer or event may be wrong, and the service is said to be.
// Where the answer was lost that made a payment, nothing tells which payment it is that a report shows with another amount.
func TestWhatTheServiceGetsWrongIsItsFault(t *testing.T) {
	t.Parallel()
	s := sandbox(t)
	names := slices.DeleteFunc(scenarioNames(t), func(name string) bool {
		return name == "refunds" || name == "lost-answer" || slices.Contains(breaking, name) || slices.Contains(forging, name)
	})
	files := journeys(t, 1, sampling.Every(t, 4, names)...)
	tried := 0
	next := func(now, before []byte) bool {
		if !bytes.Equal(now, before) {
			tried++
		}
		return !bytes.Equal(now, before) && tried%everyWrong == 0
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		c := made(t, s, []string{files[name]}, read.Options{})
		r, err := read.Files([]string{inForm(t, s, c, "har", "a.har"), webhooks(t, c.Recording)}, read.Options{})
		require.NoError(t, err)
		for _, what := range slices.Sorted(maps.Keys(wrongs)) {
			for n := range r.Exchanges {
				wrong := r
				wrong.Exchanges = slices.Clone(r.Exchanges)
				x := &wrong.Exchanges[n]
				if x.Answer.Body = wrongs[what](x.Answer.Body, x.Path); x.Answer.Status == 200 && next(x.Answer.Body, r.Exchanges[n].Answer.Body) {
					blamesTheService(t, s, &wrong, n, 0, name+": call "+text(n+1)+" shows "+what)
				}
			}
			for n := range r.Received {
				wrong := r
				wrong.Received = slices.Clone(r.Received)
				w := &wrong.Received[n]
				if w.Body = wrongs[what](w.Body, ""); next(w.Body, r.Received[n].Body) {
					blamesTheService(t, s, &wrong, -1, n+1, name+": webhook "+text(n+1)+" is "+what)
				}
			}
		}
	}
}

// blamesTheService holds a recording to show a fault of the service at a call, from 0, or a webhook, from 1.
func blamesTheService(t *testing.T, s *play.Sandbox, r *recording.Recording, n, heard int, what string) {
	t.Helper()
	c, err := replay.Make(t.Context(), r, nil, replay.Options{Sandbox: s}) // choices of the service would be tried at length
	require.NoError(t, err)
	f := c.Diagnosis.Fault
	if assert.NotNil(t, f, what) && assert.Equal(t, diagnose.Service, f.Side, "%s: %v", what, c.Diagnosis.Lines) {
		assert.Equal(t, fmt.Sprint(n, heard), fmt.Sprint(f.N, f.Heard), "%s: %v", what, c.Diagnosis.Lines)
	}
}
