package replay_test

import (
	"hash/fnv"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/sampling"
)

// lacks are what a file may lack of one call or webhook that another has; each says whether there was something to take.
var lacks = map[string]func(r *recording.Recording, n int) bool{
	"a call": func(r *recording.Recording, n int) bool {
		if len(r.Exchanges) < 2 {
			return false
		}
		i := n % len(r.Exchanges)
		r.Exchanges = slices.Delete(r.Exchanges, i, i+1)
		return true
	},
	"its beginning": func(r *recording.Recording, n int) bool {
		if len(r.Exchanges) < 3 {
			return false
		}
		r.Exchanges = r.Exchanges[1+n%(len(r.Exchanges)-2):]
		return true
	},
	"a webhook": func(r *recording.Recording, n int) bool {
		if len(r.Received) == 0 || len(r.Received)+len(r.Exchanges) < 2 {
			return false
		}
		i := n % len(r.Received)
		r.Received = slices.Delete(r.Received, i, i+1)
		return true
	},
	"an answer": func(r *recording.Recording, n int) bool {
		if len(r.Exchanges) == 0 {
			return false
		}
		r.Exchanges[n%len(r.Exchanges)].Answer = recording.Answer{Known: recording.NotRecorded}
		return true
	},
	"the body of an answer": func(r *recording.Recording, n int) bool {
		if len(r.Exchanges) == 0 || len(r.Exchanges[n%len(r.Exchanges)].Answer.Body) == 0 {
			return false
		}
		a := &r.Exchanges[n%len(r.Exchanges)].Answer
		a.Known, a.Body = recording.WithoutBody, nil
		return true
	},
	"what was sent": func(r *recording.Recording, n int) bool {
		if len(r.Exchanges) == 0 || len(r.Exchanges[n%len(r.Exchanges)].Body) == 0 {
			return false
		}
		x := &r.Exchanges[n%len(r.Exchanges)]
		x.Body, x.BodyMissing = nil, true
		return true
	},
}

// TestWhatIsMissingBlamesNoService: of a report in which the service does nothing wrong a part may be missing, and the service is not
// blamed for that.
func TestWhatIsMissingBlamesNoService(t *testing.T) {
	t.Parallel()
	s := sandbox(t)
	judged := 0
	for _, path := range sampling.Every(t, 24, expectations(t)) {
		e := readReport(t, path)
		if e.Side == string(diagnose.Service) || e.ReceivedComplete {
			continue
		}
		for what, take := range lacks {
			h := fnv.New32a()
			_, _ = h.Write([]byte(path + what))
			if h.Sum32()%6 != 0 { // one of the six each: all of them take minutes
				continue
			}
			r, err := read.Files(e.files, e.options)
			require.NoError(t, err)
			if r.Sources[0].Format == "tape" || !take(&r, int(h.Sum32()>>1)) {
				continue
			}
			judged++
			c, err := replay.Make(t.Context(), &r, nil, replay.Options{Sandbox: s, Knobs: knobs(), Parallel: 2})
			require.NoError(t, err)
			left := what == "a webhook" && c.Diagnosis.Fault != nil && alone(c.Diagnosis.Fault)
			if d := &c.Diagnosis; d.Side == diagnose.Service && !left && !toldBy(e.made(t, s).Case, d.Fault) {
				t.Errorf("%s lacks %s: %v", e.name, what, d.Lines)
			}
		}
	}
	require.NotZero(t, judged)
}

// alone says whether a fault is that one event is missing where all others are shown: so it looks, too, where somebody has left it out.
func alone(f *diagnose.Fault) bool {
	return strings.HasPrefix(f.Clause, "event.") && strings.Contains(f.What, "no event that tells so has come")
}

// toldBy says whether the case of the whole files tells of a fault of the service, too, but behind another.
func toldBy(whole *replay.Case, f *diagnose.Fault) bool {
	return slices.ContainsFunc(whole.Diagnosis.Faults, func(one diagnose.Fault) bool {
		return one.Side == diagnose.Service && one.Place == f.Place
	})
}
