package refused_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/refused"
)

// one is a call of a small recording: its operation, what it sent, and how it was answered.
type one struct {
	operation, path string
	sent            any
	status          int
	answered        any
	after           time.Duration
}

func recordingOf(t *testing.T, list []one) (*recording.Recording, func(n int) string) {
	t.Helper()
	r := &recording.Recording{Sources: []recording.Source{{Name: "a"}}}
	at := time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC)
	for i, c := range list {
		at = at.Add(max(c.after, time.Second))
		x := recording.Exchange{Method: "POST", Path: c.path, Begin: at, Place: recording.Place{Source: "a", Line: i + 1}}
		x.Answer = recording.Answer{Known: recording.Whole, Status: c.status}
		if c.status == 0 {
			x.Answer.Known = recording.NeverArrived
		}
		if c.sent == nil {
			x.Method = "GET"
		} else {
			x.Body, _ = json.Marshal(c.sent)
		}
		x.Answer.Body, _ = json.Marshal(c.answered)
		r.Exchanges = append(r.Exchanges, x)
	}
	return r, func(n int) string { return list[n].operation }
}

type m = map[string]any

// company is a call that is to make the company gym-1.
func company(status int, answer any) one {
	return one{operation: "createCompany", path: "/Company/Create", sent: m{"companyReferenceId": "gym-1", "name": "Gym"}, status: status, answered: answer}
}

// companies is a list of those.
func companies(refs ...string) one {
	rows := []m{}
	for _, ref := range refs {
		rows = append(rows, m{"referenceId": ref, "name": map[bool]string{true: "Gym", false: "Other"}[ref == "gym-1"]})
	}
	return one{operation: "listCompanies", path: "/Company/List", status: 200, answered: m{"companies": rows}}
}

var wrongSSN = m{"errors": m{"owner.ssn": []string{"exactly four digits"}}}

// TestThere: what was refused and is seen afterwards is told, with the doubt that the recording leaves; what a call has made, or was
// there before, is not.
func TestThere(t *testing.T) {
	t.Parallel()
	no := company(400, wrongSSN)
	late := companies("gym-1")
	late.after = time.Hour
	renamed := companies()
	renamed.answered = m{"companies": []m{{"referenceId": "gym-1", "name": "Swim"}}}
	for name, c := range map[string]struct {
		list  []one
		found int
		doubt string
	}{
		"refused and there":             {[]one{companies("old"), no, companies("old", "gym-1")}, 1, ""},
		"asked for by its reference":    {[]one{{operation: "getCompanyStatus", path: "/Company/gym-1/Status", status: 404}, no, {operation: "getCompanyStatus", path: "/Company/gym-1/Status", status: 200}}, 1, ""},
		"refused and not there":         {[]one{companies("old"), no, companies("old")}, 0, ""},
		"created afterwards":            {[]one{companies(), no, company(200, m{"companyId": "x"}), companies("gym-1")}, 0, ""},
		"there before":                  {[]one{companies("gym-1"), no, companies("gym-1")}, 0, ""},
		"refused because it was there":  {[]one{companies(), company(400, m{"errors": m{"companyReferenceId": []string{"exists"}}}), companies("gym-1")}, 0, ""},
		"no look before":                {[]one{no, companies("gym-1")}, 1, "no call before call 1 shows that it was not there"},
		"an answer that never came":     {[]one{companies(), no, company(0, nil), companies("gym-1")}, 1, "what call 3 was answered is not shown"},
		"a failure":                     {[]one{companies(), company(500, nil), no, companies("gym-1")}, 1, "what call 2 was answered is not shown"},
		"an hour later":                 {[]one{companies(), no, late}, 1, "1h0m0s lie between calls 1 and 3"},
		"another of its reference":      {[]one{companies(), no, renamed}, 1, "its name is another than call 2 has sent"},
		"others come meanwhile":         {[]one{companies(), no, companies("gym-1", "yoga")}, 1, "yoga has come into being meanwhile, too, by no call that is shown"},
		"a list of which more is there": {[]one{{operation: "listCompanies", path: "/Company/List", status: 200, answered: m{"companies": []m{}, "hasMore": true}}, no, companies("gym-1")}, 1, "no call before call 2 shows that it was not there"},
	} {
		r, operation := recordingOf(t, c.list)
		list := refused.There(r, operation)
		require.Len(t, list, c.found, name)
		if c.found > 0 {
			require.Equal(t, c.doubt, list[0].Doubt, name)
			require.Equal(t, "the company gym-1", list[0].What, name)
		}
	}
}

// TestThereIsRead: a file of which a part could not be read may hold the call that made it; a call whose body lacks is read.
func TestThereIsRead(t *testing.T) {
	t.Parallel()
	r, operation := recordingOf(t, []one{companies(), company(400, wrongSSN), companies("gym-1")})
	r.Skipped = []recording.Skipped{{Place: recording.Place{Source: "a"}, Kind: recording.OfCall, Why: "the recording does not hold the request's body"}, {Place: recording.Place{Source: "a"}, Why: "to others", Host: "b"}}
	require.Empty(t, refused.There(r, operation)[0].Doubt)
	r.Skipped = append(r.Skipped, recording.Skipped{Place: recording.Place{Source: "a"}, Why: "the line is no request"})
	require.Equal(t, "a part of a could not be read", refused.There(r, operation)[0].Doubt)
}

// TestRefunded: what a report shows given back beyond the refunds that succeeded is told where it is what was refused.
func TestRefunded(t *testing.T) {
	t.Parallel()
	const id = "e94a4d49-b12f-43a9-a836-af17d8a4ea30"
	report := func(back int) one {
		return one{operation: "reportTransactions", path: "/Transaction/Report", status: 200, answered: m{"transactions": []m{{"paymentRequestId": id, "refundedAmount": back}}}}
	}
	refund := func(cents, status int) one {
		return one{operation: "refundPayment", path: "/Payment/Refund/" + id, sent: m{"amount": cents}, status: status}
	}
	for name, c := range map[string]struct {
		list  []one
		found int
		doubt string
	}{
		"given back all the same":   {[]one{report(0), refund(500, 400), report(500)}, 1, ""},
		"beside one that succeeded": {[]one{report(100), refund(200, 200), refund(500, 400), report(800)}, 1, ""},
		"not given back":            {[]one{report(100), refund(200, 200), refund(500, 400), report(300)}, 0, ""},
		"no report before":          {[]one{refund(500, 400), report(500)}, 0, ""},
		"another sum":               {[]one{report(0), refund(500, 400), report(400)}, 0, ""},
		"an answer that never came": {[]one{report(0), refund(500, 0), refund(500, 400), report(500)}, 1, "what call 2 was answered is not shown"},
	} {
		r, operation := recordingOf(t, c.list)
		list := refused.There(r, operation)
		require.Len(t, list, c.found, name)
		if c.found > 0 {
			require.Equal(t, c.doubt, list[0].Doubt, name)
			require.Equal(t, "a refund of 500 of the payment "+id, list[0].What, name)
		}
	}
}

// TestPayments: a payment is known by its reference, its amount and when it was created.
func TestPayments(t *testing.T) {
	t.Parallel()
	report := func(rows ...m) one {
		return one{operation: "reportTransactions", path: "/Transaction/Report", status: 200, answered: m{"transactions": append([]m{}, rows...)}}
	}
	refusedOne := one{operation: "createPayment", path: "/Payment/Create", sent: m{"reference": "inv-7", "amount": 900}, status: 400, answered: m{"errors": m{"feePayer": []string{"unknown"}}}}
	for created, doubt := range map[string]string{
		"2026-03-02T17:00:02Z": "", "2026-03-01T17:00:02Z": "it was created at 2026-03-01T17:00:02Z, and call 2 was made at 2026-03-02T17:00:02Z",
	} {
		r, operation := recordingOf(t, []one{report(), refusedOne, report(m{"reference": "inv-7", "amount": 900, "creationDate": created})})
		list := refused.There(r, operation)
		require.Len(t, list, 1)
		require.Equal(t, doubt, list[0].Doubt)
	}
}
