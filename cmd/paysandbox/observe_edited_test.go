package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report"
	"paysandbox/harness/verdict"
)

// edited are the lines of a saved tape of a careful application, of which copies are
// made that say something else of its books.
type edited [][]byte

// line is what the edits look at.
type line struct {
	Transition *struct{ Machine, Entity, From, To string }
	Attempt    *struct {
		Profile any
		Status  int
		Body    json.RawMessage
	}
	Exchange *struct {
		Operation, Path string
		Request         struct{ Body string }
	}
}

// books is the body of a note of kind state.
type books struct {
	Kind string `json:"kind"`
	Text string `json:"text"`
	Data struct {
		Payments []effect `json:"payments"`
		Others   string   `json:"others,omitempty"`
		More     bool     `json:"more,omitempty"`
	} `json:"data"`
}

type effect struct {
	ID        string `json:"paymentRequestId"`
	Fulfilled int    `json:"fulfilled"`
	Reversed  int    `json:"reversed"`
}

func readEdited(t *testing.T, path string) edited {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	return bytes.SplitAfter(bytes.TrimSuffix(raw, []byte("\n")), []byte("\n"))
}

// state reads a note of kind state.
func state(raw []byte) (books, bool) {
	var l line
	var b books
	read := bytes.Contains(raw, []byte(`\"kind\":\"state\"`)) && json.Unmarshal(raw, &l) == nil && l.Exchange != nil &&
		json.Unmarshal([]byte(l.Exchange.Request.Body), &b) == nil && b.Kind == "state"
	return b, read
}

// later is a copy in which the application says what it said last once more, ten seconds
// later: by then its books are what they are, whenever the session was over.
func (e edited) later(t *testing.T) edited {
	t.Helper()
	for _, raw := range slices.Backward(e) {
		if _, read := state(raw); !read {
			continue
		}
		return slices.Insert(slices.Clone(e), len(e)-1, rewrite(t, raw, func(entry map[string]any) {
			var last struct {
				Seq int
				At  time.Time
			}
			require.NoError(t, json.Unmarshal(e[len(e)-2], &last))
			entry["seq"], entry["at"] = last.Seq+1, last.At.Add(10*time.Second).Format(time.RFC3339Nano)
		}))
	}
	require.Fail(t, "nobody asked for the books")
	return nil
}

// rewrite is a line in which something was changed.
func rewrite(t *testing.T, raw []byte, change func(entry map[string]any)) []byte {
	t.Helper()
	var entry map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	require.NoError(t, d.Decode(&entry))
	change(entry)
	changed, err := json.Marshal(entry)
	require.NoError(t, err)
	return append(changed, '\n')
}

// says is a copy in which the books say something else of a payment from the last on
// that they say of it.
func (e edited) says(t *testing.T, id string, fulfilled, reversed int) edited {
	t.Helper()
	list := slices.Clone(e)
	for i, raw := range slices.Backward(list) {
		b, read := state(raw)
		at := slices.IndexFunc(b.Data.Payments, func(p effect) bool { return p.ID == id })
		if !read || at < 0 {
			continue
		}
		b.Data.Payments[at] = effect{id, fulfilled, reversed}
		body, err := json.Marshal(b)
		require.NoError(t, err)
		list[i] = rewrite(t, raw, func(entry map[string]any) {
			entry["exchange"].(map[string]any)["request"].(map[string]any)["body"] = string(body)
		})
		return list
	}
	require.Fail(t, "the books do not know "+id)
	return nil
}

// silent is a copy in which nobody asks for the books.
func (e edited) silent() edited {
	list := slices.Clone(e)
	for i, raw := range list {
		if _, read := state(raw); read {
			list[i] = bytes.Replace(raw, []byte(`\"kind\":\"state\"`), []byte(`\"kind\":\"other\"`), 1)
		}
	}
	return list
}

// save writes a copy into a file, whose last line is made anew: whoever edits a tape can
// do that.
func (e edited) save(t *testing.T) string {
	t.Helper()
	before := bytes.Join(e[:len(e)-1], nil)
	end := fmt.Appendf(nil, `{"end":{"entries":%d,"sha256":"%x"}}`+"\n", len(e)-2, sha256.Sum256(before))
	path := filepath.Join(t.TempDir(), "session.tape")
	require.NoError(t, os.WriteFile(path, append(before, end...), 0o600))
	return path
}

// judge observes a copy.
func (e edited) judge(t *testing.T) (int, []string, string) {
	t.Helper()
	code, r, said := observed(t, "--tape", e.save(t))
	return code, failures(r), said
}

// returnsFirst says whether the return of a payment has come before the event that tells
// it Paid, because trouble held that back.
func (e edited) returnsFirst() bool {
	failed := map[string]bool{}
	for _, raw := range e[1:] {
		var l line
		if json.Unmarshal(raw, &l) != nil || l.Attempt == nil || l.Attempt.Status != 200 {
			continue
		}
		id := paymentIn(l.Attempt.Body)
		if failed[id] && bytes.Contains(raw, []byte(`"reorder"`)) && bytes.Contains(l.Attempt.Body, []byte(`Paid`)) {
			return true
		}
		failed[id] = failed[id] || bytes.Contains(l.Attempt.Body, []byte(`Failed`))
	}
	return false
}

// theBooksDecide edits what the books say in the end of a careful application's session,
// and expects each edit to fall; and without books a session is not shown, until somebody
// has looked.
func theBooksDecide(t *testing.T, saved string) {
	t.Helper()
	e := readEdited(t, saved).later(t)
	require.True(t, e.returnsFirst(), "a late return was met out of order")
	code, _, said := e.judge(t)
	require.Equal(t, verdict.CodeMet, code, said)
	paid, back, canceled := []string{"Pending", "Processing", "Paid"}, []string{"Pending", "Processing", "Paid", "Failed"}, []string{"Pending", "Canceled"}
	for name, one := range map[string]struct {
		went                []string
		fulfilled, reversed int
		clause              string
	}{
		"Paid and fulfilled three times":          {paid, 3, 0, "partner.payment.books"},
		"Paid and never fulfilled":                {paid, 0, 0, "partner.payment.books"},
		"Paid and taken back":                     {paid, 1, 1, "partner.payment.books"},
		"returned and taken back twice":           {back, 1, 2, "partner.payment.books"},
		"returned and kept":                       {back, 1, 0, "partner.payment.late-return"},
		"canceled and fulfilled":                  {canceled, 1, 0, "partner.payment.books"},
		"refused by the bank, and handed over":    {[]string{"Pending", "Processing", "Failed"}, 1, 0, "partner.payment.books"},
		"refused by the bank, and taken back too": {[]string{"Pending", "Processing", "Failed"}, 1, 1, "partner.payment.paid-first"},
	} {
		code, failed, said := e.says(t, e.endsAs(t, one.went...), one.fulfilled, one.reversed).judge(t)
		require.Equal(t, verdict.CodeFailed, code, "%s: %s", name, said)
		require.Contains(t, failed, one.clause, name)
	}

	path := e.silent().save(t)
	var r *report.Report
	code, r, said = observed(t, "--tape", path)
	require.Equal(t, verdict.CodeLittle, code, said)
	require.Contains(t, r.Readiness.Sentence, "Not shown")
	var signed strings.Builder
	for _, c := range r.Clauses {
		if c.Verdict == verdict.Review && c.Level == "MUST" {
			fmt.Fprintf(&signed, "- {clause: %s, who: Bob, at: books.py at 3f2a1c9, digest: %064d, result: passed, lapses: \"2099-01-31\"}\n", c.ID, 1)
		}
	}
	attest := filepath.Join(t.TempDir(), "signed.yaml")
	require.NoError(t, os.WriteFile(attest, []byte(signed.String()), 0o600))
	code, r, said = observed(t, "--tape", path, "--attest", attest)
	require.Equal(t, verdict.CodeMet, code, said)
	require.True(t, r.Readiness.Ready)
	require.Contains(t, r.Readiness.Sentence, "attested")
}
