package main

import (
	"bytes"
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/console/readiness"
)

// storedReport reads a stored report for the console.
func storedReport(name string, data []byte) (*readiness.Stored, error) {
	r, err := report.Read(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	s := &readiness.Stored{
		ID: readiness.IDOf(data), Name: name, Kind: r.Title(), Of: cmp.Or(r.Observed, r.Target), At: r.Started.UTC(),
		Verdict: readiness.Verdict{Word: string(r.Verdict), Tone: toneOf(r.Verdict), Reason: cmp.Or(r.Headline(), r.Reason), Notes: r.Notes},
	}
	var blocking []string
	if r.Readiness != nil {
		s.Build, blocking = r.Readiness.Subject, r.Readiness.Blocking
		ready(&s.Verdict, r.Readiness, r.Clauses)
	}
	for i := range r.Clauses {
		c := clauseOf(&r.Clauses[i], blocking)
		c.Blocks = c.Blocks || r.Readiness == nil && r.Clauses[i].Verdict == verdict.Fail
		s.Clauses = append(s.Clauses, c)
	}
	return s, nil
}

// reportFolder are the stored reports of a folder, each read once.
type reportFolder struct {
	dir  string
	mu   sync.Mutex
	read map[string]fileRead
}

// fileRead is a file as it was read; without a report it is none.
type fileRead struct {
	size, changed int64
	report        *readiness.Stored
}

// list reads what is new in the folder: of its JSON files the newest.
func (f *reportFolder) list() (list []*readiness.Stored) {
	f.mu.Lock()
	defer f.mu.Unlock()
	known := map[string]fileRead{}
	for _, info := range newestReports(f.dir) {
		r, name := f.read[info.Name()], info.Name()
		if size, changed := info.Size(), info.ModTime().UnixNano(); r.size != size || r.changed != changed {
			r = fileRead{size: size, changed: changed}
			if data, err := readAtMost(filepath.Join(f.dir, name), report.MaxReport); err == nil && readiness.Is(data) {
				r.report, _ = storedReport(name, data)
			}
		}
		if known[name] = r; r.report != nil {
			list = append(list, r.report)
		}
	}
	f.read = known
	return list
}

// mostOfFolder bounds the bytes of a folder's reports that are read.
const mostOfFolder = 64 << 20

// newestReports are the newest files of a folder that can be reports, as many as are kept.
func newestReports(dir string) (list []fs.FileInfo) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && strings.HasSuffix(e.Name(), ".json") && info.Size() <= report.MaxReport {
			list = append(list, info)
		}
	}
	slices.SortStableFunc(list, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	list = list[:min(len(list), readiness.Most)]
	left := int64(mostOfFolder)
	at := slices.IndexFunc(list, func(i fs.FileInfo) bool { left -= i.Size(); return left < 0 })
	if at >= 0 {
		list = list[:at]
	}
	return list
}

// reportsOf are the stored reports that --reports names.
func reportsOf(dir string) (func() []*readiness.Stored, error) {
	if dir == "" {
		return nil, nil
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, badUsage("make the folder first, and write reports into it by --format json="+filepath.Join(dir, "NAME.json"), "--reports: %s is not a folder", dir)
	}
	return (&reportFolder{dir: dir}).list, nil
}
