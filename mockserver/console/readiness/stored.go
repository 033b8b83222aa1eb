package readiness

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"sync"
	"time"
)

// Stored is the verdict of a report that a run has stored as JSON.
type Stored struct {
	// ID identifies the report's bytes, see [IDOf]; Name is its file's.
	ID, Name string
	// Kind says what the report is about, Of what was judged, and Build which build.
	Kind, Of, Build string
	// At is when the run began.
	At time.Time

	Verdict
}

// Read reads a stored report. Its error says what is wrong with the file.
type Read func(name string, data []byte) (*Stored, error)

// IDOf identifies a report by its bytes: the same file is the same report, however often
// and under whatever name it comes.
func IDOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// head is how far in a report says that it is one: its format is the first member.
const head = 100

// Is says whether a file is a stored report, of whatever version.
func Is(data []byte) bool {
	data = bytes.TrimPrefix(data[:min(len(data), head)], []byte("\xef\xbb\xbf"))
	return bytes.HasPrefix(data, []byte("{")) && bytes.Contains(data, []byte(`"format"`)) && bytes.Contains(data, []byte(`"paysandbox-report/`))
}

// Most is how many reports are kept, and how many of a folder are read.
const Most = 60

// Shelf keeps the reports that were opened, in memory only. It is safe for concurrent use.
type Shelf struct {
	mu   sync.Mutex
	kept []shelved
}

type shelved struct {
	report *Stored
	back   func()
}

// Put keeps a report; the one that was put first makes room. back is called when it is kept
// no more: it gives back what the report takes of the memory.
func (s *Shelf) Put(r *Stored, back func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.ContainsFunc(s.kept, func(k shelved) bool { return k.report.ID == r.ID }) {
		back()
		return
	}
	if len(s.kept) >= Most {
		s.kept[0].back()
		s.kept = slices.Delete(s.kept, 0, 1)
	}
	s.kept = append(s.kept, shelved{r, back})
}

// List gives the reports.
func (s *Shelf) List() (list []*Stored) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.kept {
		list = append(list, k.report)
	}
	return list
}

// Run is a stored report in a trend.
type Run struct {
	*Stored
	Point
	// First says that there is none before it.
	First bool
}

// Series are the reports of one kind about one thing, oldest first.
type Series struct {
	Kind, Of string
	Runs     []Run
	// Left is how many older ones are not shown.
	Left int
}

// maxRuns bounds the reports of a series that are shown.
const maxRuns = 30

// Trends puts reports into the order of their runs, those about one thing together; the
// series whose last run is the newest comes first.
func Trends(reports []*Stored) (list []Series) {
	reports = slices.Clone(reports)
	slices.SortStableFunc(reports, func(a, b *Stored) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	reports = slices.CompactFunc(reports, func(a, b *Stored) bool { return a.ID == b.ID })
	for _, r := range reports {
		at := slices.IndexFunc(list, func(s Series) bool { return s.Kind == r.Kind && s.Of == r.Of })
		if at < 0 {
			at = len(list)
			list = append(list, Series{Kind: r.Kind, Of: r.Of})
		}
		s := &list[at]
		var before *Verdict
		if n := len(s.Runs); n > 0 {
			before = &s.Runs[n-1].Verdict
		}
		s.Runs = append(s.Runs, Run{r, PointOf(&r.Verdict, before), before == nil})
	}
	for n := range list {
		s := &list[n]
		s.Left = max(0, len(s.Runs)-maxRuns)
		s.Runs = s.Runs[s.Left:]
	}
	slices.SortStableFunc(list, func(a, b Series) int { return b.Runs[len(b.Runs)-1].At.Compare(a.Runs[len(a.Runs)-1].At) })
	return list
}
