package format_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/report/format"
	"paysandbox/harness/report/sample"
	"paysandbox/harness/verdict"
)

func TestPrettyEndsWithTheVerdict(t *testing.T) {
	t.Parallel()
	text := string(sample.Written(t, "pretty", sample.Service()))
	require.True(t, strings.HasSuffix(text, "\nGate not met: 1 clause failed (exit code 1)\n1 MUST clause failed.\n"))
	require.Contains(t, text, "\n4 scenarios: 2 passed, 1 failed, 1 skipped\n6 clauses: 2 fail, 1 harness-error, 1 warning, 1 pass, 1 not-reached\n")
	require.NotContains(t, string(sample.Written(t, "pretty", sample.HostileService())), "\x1b", "no commands to the terminal")
}

// TestMarkdownComesBack reads the tables again.
func TestMarkdownComesBack(t *testing.T) {
	t.Parallel()
	text := string(sample.Written(t, "markdown", sample.Service()))
	require.True(t, strings.HasPrefix(text, "## ❌ Gate not met: 1 clause failed\n"), "the verdict comes first")
	counts := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^\| \S+ ([a-z-]+) \| (\d+) \|$`).FindAllStringSubmatch(text, -1) {
		counts[m[1]] = m[2]
	}
	require.Equal(t, map[string]string{"fail": "2", "harness-error": "1", "warning": "1", "pass": "1", "not-reached": "1"}, counts)
	require.Contains(t, text, "| payments | 3 | 3 | 1 fail, 1 warning, 1 pass |\n")
	require.Contains(t, text, "--clauses company.create.zip\n")
}

func TestMarkdownIsNotTakenOver(t *testing.T) {
	t.Parallel()
	fence := ""
	for line := range strings.Lines(string(sample.Written(t, "markdown", sample.HostileService()))) {
		line = strings.TrimRight(line, "\n")
		switch ticks := regexp.MustCompile("^`{3,}").FindString(line); {
		case fence != "":
			if line == fence {
				fence = ""
			}
		case ticks != "":
			fence = ticks
		default:
			require.NotContains(t, line, "<script")
			require.NotContains(t, line, " | a | b | ")
		}
	}
	require.Empty(t, fence, "every block is closed")
}

func TestMarkdownFitsAJobSummary(t *testing.T) {
	t.Parallel()
	r := &report.Report{}
	long := strings.Repeat("é", 50_000)
	for i := range 500 {
		r.Clauses = append(r.Clauses, report.ClauseResult{
			ID: fmt.Sprint("a.", i), Area: "a", Verdict: verdict.Fail,
			Evidence: []report.Evidence{{Expected: long, Received: long, Request: long, Response: long}},
		})
	}
	text := sample.Written(t, "markdown", r)
	require.Less(t, len(text), 1<<20)
	require.True(t, bytes.Contains(text, []byte("\nAnd 460 clauses more.\n")))
}

// elements parses a page, without its style and script, and gives its start tags.
func elements(t *testing.T, text []byte) (tags []xml.StartElement, words string) {
	t.Helper()
	text = regexp.MustCompile(`(?s)<(style|script)>.*?</(style|script)>`).ReplaceAll(text, nil)
	d := xml.NewDecoder(bytes.NewReader(text))
	d.Strict, d.AutoClose, d.Entity = false, append(xml.HTMLAutoClose, "meta", "input"), xml.HTMLEntity
	var b strings.Builder
	for {
		token, err := d.Token()
		if err != nil {
			require.EqualError(t, err, "EOF")
			return tags, b.String()
		}
		switch x := token.(type) {
		case xml.StartElement:
			tags = append(tags, x.Copy())
		case xml.CharData:
			b.Write(x)
		}
	}
}

func attribute(x xml.StartElement, name string) string {
	for _, a := range x.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func TestHTMLComesBack(t *testing.T) {
	t.Parallel()
	tags, words := elements(t, sample.Written(t, "html", sample.Service()))
	verdicts, ids, links := map[string]string{}, map[string]bool{}, []string{}
	for _, x := range tags {
		if id := attribute(x, "id"); id != "" {
			require.False(t, ids[id], id)
			ids[id] = true
		}
		if v := attribute(x, "data-verdict"); v != "" {
			verdicts[attribute(x, "id")] = v
		}
		if href := attribute(x, "href"); href != "" {
			links = append(links, href)
		}
		require.Empty(t, attribute(x, "src"), "no outside asset")
		require.NotEqual(t, "link", x.Name.Local)
	}
	require.Equal(t, map[string]string{
		"company.create.zip": "fail", "payment.cancel.final-status": "pass", "payment.list.order": "warning",
		"payment.refund.limit": "fail", "plan.schedule.month-end": "not-reached", "wire.names": "harness-error",
	}, verdicts)
	for _, l := range links {
		require.True(t, ids[strings.TrimPrefix(l, "#")], l)
	}
	for _, part := range []string{"Gate not met: 1 clause failed", "with a finding on /zipCode", "status 200", "POST /company?dry=1", "--clauses company.create.zip", "20 of 20 (100 %)"} {
		require.Contains(t, words, part)
	}
	require.Less(t, strings.Index(words, "Gate not met"), strings.Index(words, "Coverage by area"))
}

func TestHTMLIsNotTakenOver(t *testing.T) {
	t.Parallel()
	text := string(sample.Written(t, "html", sample.HostileService()))
	require.Equal(t, 1, strings.Count(text, "<script>"))
	require.NotContains(t, text, "https://", "nothing from outside")
	tags, _ := elements(t, sample.Written(t, "html", sample.Service()))
	hostileTags, _ := elements(t, []byte(text))
	count := func(list []xml.StartElement) (n int) {
		for _, x := range list {
			if x.Name.Local == "details" {
				n++
			}
		}
		return n
	}
	require.Equal(t, count(tags), count(hostileTags))
}

// screen is a writer for several goroutines.
type screen struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// finish ends n scenarios, every tenth badly, from several goroutines.
func finish(p *format.Progress, n int) {
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() {
			status := report.Passed
			if i%10 == 0 {
				status = report.Failed
			}
			p.ScenarioFinished(report.ScenarioRef{Line: i}, report.ScenarioEnd{Status: status})
		})
	}
	wait.Wait()
}

func TestProgressOnATerminal(t *testing.T) {
	t.Parallel()
	for planned, want := range map[int]string{200: "200 of 200 scenarios, 20 failed", 300: "200 of 300 scenarios, 20 failed"} {
		var s screen
		p := format.NewProgress(&s, true)
		p.RunStarted(report.Run{Planned: planned})
		finish(p, 200)
		p.RunFinished(report.RunEnd{})
		require.Contains(t, s.String(), want)
		require.Equal(t, planned == 200, strings.Contains(s.String(), "done!"), "a run that broke off is not done")
		after := s.String()
		p.RunFinished(report.RunEnd{})
		require.Equal(t, after, s.String(), "nothing is drawn after the end")
	}
}

// commands are what a terminal does not show: colours, and moves of the cursor.
var commands = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`)

// shows is all that was ever drawn.
func (s *screen) shows() string { return commands.ReplaceAllString(s.String(), "") }

// sign is a screen that tells when something is drawn on it.
type sign struct {
	screen
	want  string
	drawn chan struct{}
	once  sync.Once
}

func (s *sign) Write(p []byte) (int, error) {
	n, err := s.screen.Write(p)
	if strings.Contains(s.shows(), s.want) {
		s.once.Do(func() { close(s.drawn) })
	}
	return n, err
}

// TestProgressFitsATerminal: a bar under way is one line of 80 columns. One that wraps
// is drawn below itself each time.
func TestProgressFitsATerminal(t *testing.T) {
	t.Parallel()
	s := sign{want: "1500 of 1519 scenarios, 150 failed", drawn: make(chan struct{})}
	p := format.NewProgress(&s, true)
	p.RunStarted(report.Run{Planned: 1519})
	finish(p, 1500)
	select {
	case <-s.drawn:
	case <-time.After(30 * time.Second):
		t.Error("nothing was drawn")
	}
	p.RunFinished(report.RunEnd{})
	bars := 0
	for drawn := range strings.Lines(s.shows()) {
		if strings.Contains(drawn, s.want) {
			bars++
		}
		require.Less(t, utf8.RuneCountInString(strings.TrimRight(drawn, "\n")), 80, drawn)
	}
	require.NotZero(t, bars)
}

func TestProgressElsewhere(t *testing.T) {
	t.Parallel()
	var s screen
	p := format.NewProgress(&s, false)
	p.RunStarted(report.Run{Planned: 250})
	finish(p, 250)
	p.RunFinished(report.RunEnd{})
	lines := strings.Split(s.String(), "\n")
	require.Len(t, lines, 3)
	require.True(t, strings.HasPrefix(lines[1], "200 of 250 scenarios, "), lines[1])
	require.NotContains(t, s.String(), "\x1b")
}
