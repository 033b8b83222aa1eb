package request

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
)

// meant is a payment that a test suite has announced, and the calls that asked for it.
type meant struct {
	trail.Announcement
	calls []asked
	// refused says that a call for it was refused, and that no reference tells which
	// later one is meant.
	refused bool
}

// asked is a call that asked for a payment, and what its body says.
type asked struct {
	call       *trail.Call
	Amount     json.Number `json:"amount"`
	LocationID string      `json:"locationId"`
	DueDate    string      `json:"dueDate"`
	Reference  string      `json:"reference"`
}

// intents pairs what was announced with the calls that came after it, in their order.
// A call that came to nothing asked for nothing, and one that is made again because
// its answer was lost is the same.
func intents(t *trail.Trail) []*meant {
	return trail.Once(t, "intents", func() []*meant {
		var list []*meant
		for _, in := range t.Announcements() {
			list = append(list, &meant{Announcement: in})
		}
		lost := map[string]bool{}
		for _, c := range t.Calls() {
			x := c.Exchange
			served, refused := x.Response.Status/100 == 2, x.Response.Status == http.StatusBadRequest
			a := asked{call: c}
			if len(list) == 0 || !served && !refused || lost[c.Same] || json.Unmarshal(x.Request.Body, &a) != nil && served {
				continue
			}
			for _, m := range list {
				if !m.takes(&a) {
					continue
				}
				if refused {
					m.refused = m.Reference == ""
				} else {
					m.calls, lost[c.Same] = append(m.calls, a), c.Lost
				}
				break
			}
		}
		return list
	})
}

// takes says whether a call is one by which the announced payment is asked for.
func (m *meant) takes(a *asked) bool {
	return m.Operation == a.call.Exchange.Operation && m.Entry.Seq < a.call.Entry.Seq && len(m.calls) < max(m.Parts, 1) &&
		(m.Reference == "" || m.Reference == a.Reference)
}

// holdsTo judges the calls of what was announced. speaks says which announcements matter;
// wrong gives what was expected and received, empty when it is right.
func holdsTo(t *trail.Trail, speaks func(*meant) bool, wrong func(*meant) (expected, received string)) []verdict.Judgement {
	var y verdict.Tally
	spoken := false
	for _, m := range intents(t) {
		if !speaks(m) {
			continue
		}
		spoken = true
		if m.refused {
			y.Skip("a call for what was announced was refused: announce a reference, which tells the call that is meant")
			continue
		}
		if len(m.calls) < max(m.Parts, 1) {
			y.Skip("what was announced has not been asked for")
			continue
		}
		seqs := []uint64{m.Entry.Seq}
		for _, a := range m.calls {
			seqs = append(seqs, a.call.Entry.Seq)
		}
		seqs = seqs[:min(len(seqs), verdict.MaxEvidence)]
		if expected, received := wrong(m); expected != "" {
			y.Fail(expected, received, seqs...)
		} else {
			y.Holds(seqs...)
		}
	}
	if !spoken && len(t.Calls()) > 0 {
		return verdict.DoesNotApply("no test has announced what it means (notes of kind intent)")
	}
	return y.Exercised()
}

func intendedAmount(t *trail.Trail) []verdict.Judgement {
	return holdsTo(t, func(m *meant) bool { return m.Amount != nil && m.Parts < 2 }, func(m *meant) (expected, received string) {
		got := m.calls[0].Amount.String()
		if want := strconv.FormatInt(*m.Amount, 10); got != want {
			return "the amount " + want + ", as announced", "the amount " + got
		}
		return "", ""
	})
}

func intendedSplit(t *trail.Trail) []verdict.Judgement {
	return holdsTo(t, func(m *meant) bool { return m.Amount != nil && m.Parts > 1 }, func(m *meant) (expected, received string) {
		var sum, low, high int64
		var parts []string
		for i, a := range m.calls {
			n, _ := a.Amount.Int64() // no whole number is partner.amount.cents' matter
			if sum += n; i == 0 {
				low, high = n, n
			}
			low, high = min(low, n), max(high, n)
			parts = append(parts, a.Amount.String())
		}
		if sum == *m.Amount && high-low <= 1 {
			return "", ""
		}
		return fmt.Sprintf("%d parts that are together %d and differ by a cent at most", m.Parts, *m.Amount), fmt.Sprintf("%s, together %d", strings.Join(parts, " + "), sum)
	})
}

func intendedLocation(t *trail.Trail) []verdict.Judgement {
	return holdsTo(t, func(m *meant) bool { return m.LocationID != "" }, func(m *meant) (expected, received string) {
		for _, a := range m.calls {
			if !strings.EqualFold(a.LocationID, m.LocationID) {
				return "the location " + m.LocationID + ", as announced", orNone("the location ", a.LocationID)
			}
		}
		return "", ""
	})
}

func intendedDueDate(t *trail.Trail) []verdict.Judgement {
	return holdsTo(t, func(m *meant) bool { return m.DueDate != "" }, func(m *meant) (expected, received string) {
		for _, a := range m.calls {
			if day, _, _ := strings.Cut(a.DueDate, "T"); day != m.DueDate {
				return "the due date " + m.DueDate + ", as announced", orNone("the due date ", a.DueDate)
			}
		}
		return "", ""
	})
}

func orNone(what, value string) string {
	if value == "" {
		return "none"
	}
	return what + value
}
