package features_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cucumber/godog"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/mocktest"
	"paysandbox/mockserver/tape"
)

var (
	update = flag.Bool("update", false, "rewrite the golden files")
	full   = flag.String("given", "", "file for all that partners are given in each scenario, in full: the files of two commits can be compared")
)

// recordFile is what partners were given in each scenario when it was last looked at:
// file and scenario, then digestSize hex digits for each answer, page, event and message.
const recordFile = "testdata/given.txt"

const digestSize = 6

// record is what partners and the people who pay are given in each scenario. It says
// that something has changed, not that it is wrong.
type record struct {
	sandbox *mocktest.Sandbox
	// names are the scenarios by what they are made of, order lists them.
	names map[string]string
	order []string

	mu    sync.Mutex
	lines map[string][]string
	// pages are those that were opened, by integration: a tape does not keep them.
	pages map[string][]string
}

// newRecord names all scenarios: those of one file and name are counted.
func newRecord(tb testing.TB, sandbox *mocktest.Sandbox) *record {
	tb.Helper()
	r := &record{sandbox: sandbox, names: map[string]string{}, lines: map[string][]string{}, pages: map[string][]string{}}
	seen := map[string]int{}
	for _, p := range pickles(tb) {
		name := p.Uri + ": " + strings.Join(strings.Fields(p.Name), " ")
		if seen[name]++; seen[name] > 1 {
			name += fmt.Sprintf(" (%d)", seen[name])
		}
		made := madeOf(p)
		require.Empty(tb, r.names[made], "%s is the same scenario again", name)
		r.names[made] = name
		r.order = append(r.order, name)
	}
	return r
}

// madeOf are the texts of a scenario, whose ids are others each time that it is read.
func madeOf(sc *godog.Scenario) string {
	text, _ := json.Marshal([]any{sc.Uri, sc.Name})
	for _, tag := range sc.Tags {
		text = append(append(text, tag.Name...), ' ')
	}
	for _, step := range sc.Steps {
		argument, _ := json.Marshal([]any{step.Text, step.Argument})
		text = append(text, argument...)
	}
	return string(text)
}

// over notes what an integration was given, when its scenario has come to its end.
func (r *record) over(sc *godog.Scenario, integration string) {
	i := r.sandbox.Server.Registry().Get(integration)
	if i == nil {
		return // the scenario itself has removed it
	}
	ctx, stop := context.WithCancel(context.Background())
	stop() // what is there
	entries := i.Read(ctx, tape.Filter{}).Entries
	r.mu.Lock()
	defer r.mu.Unlock()
	lines := given(entries, r.pages[integration])
	name := r.names[madeOf(sc)]
	r.lines[name] = append(r.lines[name], lines...)
}

// watch notes the pages that are opened by a transport.
func (r *record) watch(next http.RoundTripper) http.RoundTripper { return watched{next, r} }

type watched struct {
	http.RoundTripper
	record *record
}

// RoundTrip makes the call, and gives the answer as it came.
func (w watched) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := w.RoundTripper.RoundTrip(req)
	integration, page := strings.CutPrefix(req.URL.Path, "/pages/")
	if err != nil || !page || req.Method != http.MethodGet {
		return res, err
	}
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	res.Body = io.NopCloser(bytes.NewReader(body))
	integration, _, _ = strings.Cut(integration, "/")
	w.record.mu.Lock()
	defer w.record.mu.Unlock()
	w.record.pages[integration] = append(w.record.pages[integration], "page "+req.URL.Path+"\n"+string(body))
	return res, err
}

// given are the answers, pages, events and messages of a tape, each as a text, and the
// pages that were opened.
func given(entries []tape.Entry, pages []string) []string {
	var list []string
	for i := range entries {
		e := &entries[i]
		var b bytes.Buffer
		switch e.Kind {
		case tape.KindExchange, tape.KindPage:
			x := e.Exchange
			fmt.Fprintf(&b, "%s %s?%s\n%d\n", x.Method, x.Path, x.Query, x.Response.Status)
			headed(&b, x.Response.Header, x.Response.Body)
		case tape.KindAttempt:
			fmt.Fprintf(&b, "event to %s at %d\n", e.Attempt.URL, e.At)
			headed(&b, e.Attempt.Header, e.Attempt.Body)
		case tape.KindMessage:
			fmt.Fprintf(&b, "message at %d %+v", e.At, *e.Message)
		default:
			continue
		}
		list = append(list, b.String())
	}
	list = append(list, pages...)
	ids := addressed(entries)
	for i, text := range list {
		text = port.ReplaceAllString(text, "$1…")
		for _, id := range ids {
			text = strings.ReplaceAll(text, id, "…")
		}
		list[i] = text
	}
	return list
}

// headed writes headers and a body. How the tape numbers an exchange is its own.
func headed(b *bytes.Buffer, header []tape.Header, body []byte) {
	for _, h := range header {
		if h.Name != "Sandbox-Exchange" {
			fmt.Fprintf(b, "%s: %s\n", h.Name, h.Value)
		}
	}
	b.WriteByte('\n')
	b.Write(body)
}

// port is what the system chooses.
var port = regexp.MustCompile(`(127\.0\.0\.1:)\d+`)

// addressed are the ids of what is made by calls in which a receiver's address stands:
// ids follow from the call, and its port is another each time.
func addressed(entries []tape.Entry) []string {
	var list []string
	calls := map[uint64]bool{}
	for i := range entries {
		e := &entries[i]
		calls[e.Seq] = e.Kind == tape.KindExchange && bytes.Contains(e.Exchange.Request.Body, []byte("127.0.0.1:"))
		if calls[e.Seq] || calls[e.Cause] {
			list = append(list, e.Entities...)
		}
	}
	return list
}

// settle compares with what the last look has given, or writes it down.
func (r *record) settle(t *testing.T) {
	t.Helper()
	if *full != "" {
		require.NoError(t, os.WriteFile(*full, []byte(r.text(inFull)), 0o600))
		return
	}
	if t.Failed() {
		return
	}
	now := r.text(digest)
	if *update {
		require.NoError(t, os.WriteFile(recordFile, []byte(now), 0o600))
		return
	}
	before, err := os.ReadFile(recordFile)
	require.NoError(t, err)
	if string(before) != now {
		t.Error(r.changes(string(before)))
	}
}

// text is the record, each line as it is shortened.
func (r *record) text(short func(line string) string) string {
	var b strings.Builder
	for _, name := range r.order {
		b.WriteString(name)
		b.WriteByte('\t')
		for _, line := range r.lines[name] {
			b.WriteString(short(line))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// inFull writes what is given behind one tab, its further lines behind two.
func inFull(line string) string { return "\n\t" + strings.ReplaceAll(line, "\n", "\n\t\t") }

func digest(line string) string {
	sum := sha256.Sum256([]byte(line))
	return hex.EncodeToString(sum[:])[:digestSize]
}

// changes tells of the first scenarios in which partners are given something else.
func (r *record) changes(before string) string {
	was := map[string]string{}
	for line := range strings.Lines(before) {
		name, digests, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		was[name] = digests
	}
	var told []string
	for _, name := range r.order {
		if change := r.change(name, was); change != "" {
			told = append(told, name+"\n"+change)
		}
	}
	const most = 5
	return fmt.Sprintf("Partners are given something else than before in %d scenarios, or there are others. The first:\n\n%s\n\n"+
		"If that is meant, write it down: go test ./features -update\n"+
		"To see what it was: the same with -given FILE, here and at the commit before, then diff.",
		len(told), strings.Join(told[:min(most, len(told))], "\n\n"))
}

// change tells the first thing that a scenario gives otherwise, empty for none.
func (r *record) change(name string, was map[string]string) string {
	digests, known := was[name]
	if !known {
		return "  is new"
	}
	old := slices.Collect(slices.Chunk([]byte(digests), digestSize))
	for i, line := range r.lines[name] {
		if i >= len(old) || string(old[i]) != digest(line) {
			return fmt.Sprintf("  the %d. of %d answers, pages, events and messages (%d before) is now\n%.1500s", i+1, len(r.lines[name]), len(old), line)
		}
	}
	if len(old) > len(r.lines[name]) {
		return fmt.Sprintf("  gives the first %d of %d answers, pages, events and messages", len(r.lines[name]), len(old))
	}
	return ""
}
