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
			if len(id) == 36 && strings.HasSuffix(path, "/Status") { // of a list it may be the payer whose things are stood in for
				body = bytes.Replace(body, []byte(`"`+id), []byte(`"0f0f0f0f`+id[8:]), 1)
			}
		}
		return body
	},
	"an event without its name":   instead(`"Event":"[^"]*"`, `"Event":null`),
	"an event without its status": instead(`("Data":.*)"Status":"[^"]*"`, `$1"Status":null`),
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

// TestWhatTheServiceGetsWrongIsItsFault: of an innocent recording any answer or event may be wrong, and the service is said to be.
// Where the answer was lost that made a payment, nothing tells which payment it is that a report shows with another amount.
func TestWhatTheServiceGetsWrongIsItsFault(t *testing.T) {
	sampling.NotRaced(t, "TestCorpus and TestCallsThatMet replay with it")
	t.Parallel()
	s := sandbox(t)
	names := slices.DeleteFunc(scenarioNames(t), func(name string) bool {
		return name == "refunds" || name == "lost-answer" || slices.Contains(breaking, name) || slices.Contains(forging, name)
	})
	files := journeys(t, 1, sampling.Every(t, 9, names)...)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		c := made(t, s, []string{files[name]}, read.Options{})
		r, err := read.Files([]string{inForm(t, s, c, "har", "a.har"), webhooks(t, c.Recording)}, read.Options{})
		require.NoError(t, err)
		list := gotWrong(&r, name)
		for i := 0; i < len(list); i += 1 + len(list)/mostWrong { // a long one has hundreds
			blamesTheService(t, s, &list[i])
		}
	}
}

// mostWrong is about how much of each journey is got wrong.
const mostWrong = 12

// oneWrong is a recording of which a call, from 0, or a webhook, from 1, is wrong, and what is in words.
type oneWrong struct {
	recording.Recording
	n, heard int
	what     string
}

// gotWrong is all that may be wrong in a recording.
func gotWrong(r *recording.Recording, name string) []oneWrong {
	var list []oneWrong
	for _, what := range slices.Sorted(maps.Keys(wrongs)) {
		for n := range r.Exchanges {
			wrong := oneWrong{*r, n, 0, name + ": call " + text(n+1) + " shows " + what}
			wrong.Exchanges = slices.Clone(r.Exchanges)
			a := &wrong.Exchanges[n].Answer
			if a.Body = wrongs[what](a.Body, r.Exchanges[n].Path); a.Status == 200 && !bytes.Equal(a.Body, r.Exchanges[n].Answer.Body) {
				list = append(list, wrong)
			}
		}
		for n := range r.Received {
			wrong := oneWrong{*r, -1, n + 1, name + ": webhook " + text(n+1) + " is " + what}
			wrong.Received = slices.Clone(r.Received)
			w := &wrong.Received[n]
			if w.Body = wrongs[what](w.Body, ""); !bytes.Equal(w.Body, r.Received[n].Body) {
				list = append(list, wrong)
			}
		}
	}
	return list
}

// blamesTheService holds a recording to show that the service was wrong, and where.
func blamesTheService(t *testing.T, s *play.Sandbox, wrong *oneWrong) {
	t.Helper()
	c, err := replay.Make(t.Context(), &wrong.Recording, nil, replay.Options{Sandbox: s}) // choices of the service would be tried at length
	require.NoError(t, err)
	f := c.Diagnosis.Fault
	if assert.NotNil(t, f, wrong.what) && assert.Equal(t, diagnose.Service, f.Side, "%s: %v", wrong.what, c.Diagnosis.Lines) {
		assert.Equal(t, fmt.Sprint(wrong.n, wrong.heard), fmt.Sprint(f.N, f.Heard), "%s: %v", wrong.what, c.Diagnosis.Lines)
	}
}
