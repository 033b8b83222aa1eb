package trials_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay"
	"paysandbox/harness/replay/diagnose"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/play/playtest"
	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/sampling"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/mocktest"
)

var (
	out   = flag.String("out", "", "folder to keep the reports in that are misjudged")
	seed  = flag.Uint64("trials.seed", 1, "seed that trials are drawn by")
	count = flag.Int("trials", 0, "how many trials are drawn; 0: a few, and 100 where every case is wanted")
	only  = flag.String("trial", "", "part of the names of the trials to judge")
)

// trial is a report, and what is to be found in it.
type trial struct {
	name   string
	data   []byte
	expect expect
}

// drawn composes a story, a form and noise.
func drawn(t *testing.T, n uint64) trial {
	t.Helper()
	rng := rand.New(rand.NewPCG(n, 99))
	all := slices.Concat(stories, peopleStories)
	s := all[rng.IntN(len(all))]
	forms := slices.Concat(firstForms, moreForms, strangeForms)
	f := forms[rng.IntN(len(forms))]
	name := fmt.Sprintf("%04d-%s-%s", n, s.name, f.name)
	if !strings.Contains(name, *only) {
		return trial{}
	}
	r := record(t, n, s.tell)
	p := paperOf(r)
	noise := []string{"", "", "foreign", "crlf", "utf16", "gzip"}[rng.IntN(6)]
	if noise == "foreign" {
		p.list = withForeign(p.list, rng)
	}
	data := []byte(f.write(p))
	switch noise {
	case "crlf":
		data = bytes.ReplaceAll(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
	case "utf16":
		data = utf16le(data)
	case "gzip":
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write(data)
		_ = w.Close()
		data = b.Bytes()
	}
	return trial{name: name + "+" + noise, data: data, expect: r.Expect}
}

// withForeign puts calls to others between.
func withForeign(list []exchange, rng *rand.Rand) []exchange {
	var mixed []exchange
	for _, e := range list {
		if rng.IntN(3) == 0 {
			body := `{"event":"checkout","count":1}`
			mixed = append(mixed, exchange{
				At: e.At.Add(-400 * time.Millisecond), Took: 30 * time.Millisecond, Method: "POST", Host: "o4501.ingest.metrics.example", Path: "/api/4501/envelope",
				Sent: [][2]string{{"Content-Type", "application/json"}, {"User-Agent", "metrics/8.1"}}, Body: body, Status: 200, Answered: [][2]string{{"Content-Type", "application/json"}}, Answer: `{"ok":true}`,
			})
		}
		mixed = append(mixed, e)
	}
	return mixed
}

func utf16le(data []byte) []byte {
	out := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(string(data))) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return out
}

// paperOf writes down a recording as some host had it, in some zone.
func paperOf(r *recording) *paper {
	zones := []*time.Location{time.UTC, time.FixedZone("CET", 3600), time.FixedZone("PST", -8*3600), time.FixedZone("IST", 5*3600+1800)}
	hosts := []string{"api.pay-collect.example", "sandbox.collecta.example", "gateway.payco.example"}
	p := &paper{host: hosts[r.rng.IntN(len(hosts))], zone: zones[r.rng.IntN(len(zones))], list: r.Exchanges, rng: r.rng}
	for i := range p.list {
		p.list[i].Answer = strings.ReplaceAll(p.list[i].Answer, r.sandbox.URL, "https://"+p.host)
		if header(p.list[i].Answered, "Content-Length") != "" {
			p.list[i].Answered = set(p.list[i].Answered, [2]string{"Content-Length", fmt.Sprint(len(p.list[i].Answer))})
		}
	}
	return p
}

// TestTrials judges reports that are composed by chance of what goes wrong, of who writes
// it down, and of noise: what is right at first sight of reports that nobody has seen.
func TestTrials(t *testing.T) {
	t.Parallel()
	opened := playtest.Open(t, mocktest.Start(t, mocktest.Options{}).URL)
	var knobs []replay.Knob
	for _, e := range latitude.Ledger() {
		knobs = append(knobs, replay.Knob{Name: e.Name, Values: e.Others()})
	}
	right, of := map[string]int{}, map[string]int{}
	n := *count
	if n == 0 {
		n = map[bool]int{true: 100, false: 3}[sampling.All()]
	}
	for n := range uint64(n) {
		tr := drawn(t, *seed*10000+n)
		if tr.name == "" {
			continue
		}
		wrong := judge(t, opened, knobs, tr, right, of)
		for _, w := range wrong {
			t.Logf("%s: %s", tr.name, w)
		}
		if len(wrong) > 0 && *out != "" {
			require.NoError(t, os.WriteFile(filepath.Join(*out, tr.name), tr.data, 0o600))
		}
	}
	for _, what := range []string{"read", "side", "clause", "place", "difference", "moves", "innocent"} {
		t.Logf("%s: %d of %d", what, right[what], of[what])
		assert.GreaterOrEqual(t, float64(right[what]), least[what]*float64(of[what]), what)
	}
}

// least are the shares that are right at first sight.
var least = map[string]float64{"read": 0.98, "side": 0.95, "clause": 0.95, "place": 0.95, "difference": 0.95, "moves": 0.9, "innocent": 0.95}

// judge holds what is made of a trial to what is expected.
func judge(t *testing.T, s *play.Sandbox, knobs []replay.Knob, tr trial, right, of map[string]int) (wrong []string) {
	t.Helper()
	check := func(what string, ok bool, is string) {
		of[what]++
		if ok {
			right[what]++
			return
		}
		wrong = append(wrong, what+": "+is)
	}
	e := tr.expect
	r, err := read.Contents([]source.File{{Name: tr.name, Data: tr.data}}, read.Options{})
	if err != nil {
		check("read", false, err.Error())
		check("side", false, "not read")
		return wrong
	}
	check("read", true, "")
	c, err := replay.Make(t.Context(), &r, nil, replay.Options{Sandbox: s, Knobs: knobs, Parallel: 2})
	require.NoError(t, err)
	d := &c.Diagnosis
	lines := strings.Join(d.Lines, "\n")
	check("side", string(d.Side) == e.Side || e.Side == "nobody" && d.Side == diagnose.Choice, string(d.Side)+", expected "+e.Side+"\n"+lines)
	if e.Side == "nobody" {
		check("innocent", d.Side == diagnose.Nobody || d.Side == diagnose.Choice, "blamed")
	}
	if len(e.Clause) > 0 {
		var names []string
		if f := d.Fault; f != nil {
			names = append([]string{f.Clause}, f.Also...)
		}
		check("clause", slices.ContainsFunc(e.Clause, func(id string) bool { return slices.Contains(names, id) }), strings.Join(names, ", ")+", expected "+strings.Join(e.Clause, " or "))
	}
	if e.Place > 0 && d.Fault != nil {
		check("place", d.Fault.N+1 == e.Place, fmt.Sprint(d.Fault.N+1, ", expected ", e.Place))
	}
	first := 0
	if d.First != nil {
		first = d.First.N + 1
	}
	check("difference", first == e.Differs, fmt.Sprint(first, ", expected ", e.Differs))
	if !e.AnyMoves {
		moves := slices.DeleteFunc(c.Moves(), func(m string) bool { return m == "payment.pay" }) // which time alone brings
		check("moves", slices.Equal(moves, e.Moves), strings.Join(moves, " ")+", expected "+strings.Join(e.Moves, " "))
	}
	return wrong
}
