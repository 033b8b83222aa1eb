package missing_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/missing"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
)

// TestFind: of three payments that calls make and show as Paid, one event is left out.
func TestFind(t *testing.T) {
	t.Parallel()
	whole := func() *recorded {
		s := &recorded{}
		for i, id := range []string{"p1", "p2", "p3"} {
			at := time.Duration(i) * time.Hour
			s.calls(at, "createPayment", "/Payment/Create", `{"paymentRequestId":"`+id+`"}`)
			s.hears(at+time.Minute, id, "Processing")
			s.hears(at+2*time.Minute, id, "Paid")
			s.calls(at+5*time.Minute, "getPaymentStatus", "/Payment/"+id+"/Status", `{"status":"Paid"}`)
		}
		return s
	}
	for name, want := range map[string]struct {
		but  func(s *recorded)
		call int
	}{
		"everything is told":                        {func(*recorded) {}, -1},
		"one is missing between others":             {func(s *recorded) { s.drop(3) }, 3},
		"two are missing: the file shows not all":   {func(s *recorded) { s.drop(3); s.drop(1) }, -1},
		"the last is missing: nothing comes behind": {func(s *recorded) { s.drop(5) }, -1},
		"the receiver refused one":                  {func(s *recorded) { s.drop(3); s.r.Received[2].Status = 500 }, -1},
		"one is struck out": {func(s *recorded) {
			s.drop(3)
			s.r.Received[2].Body = []byte(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":"***"}}`)
		}, -1},
		"webhooks are shown by two files": {func(s *recorded) { s.drop(3); s.r.Received[4].Place.Source = "b.log" }, -1},
		"a time is not known":             {func(s *recorded) { s.drop(3); s.r.Received[4].At = time.Time{} }, -1},
		"no other state was shown before": {func(s *recorded) { s.drop(3); s.r.Exchanges[2].Answer.Status = 500 }, -1},
		"an access log shows one more arrival": {func(s *recorded) {
			s.drop(3)
			s.r.Sources = []recording.Source{{Arrivals: []recording.Arrival{{At: begin.Add(time.Minute)}, {At: begin.Add(62 * time.Minute)}}}}
		}, -1},
		"an access log shows the same arrivals": {func(s *recorded) {
			s.drop(3)
			s.r.Sources = []recording.Source{{Arrivals: []recording.Arrival{{At: begin.Add(time.Minute)}, {At: begin.Add(61*time.Minute + time.Second)}, {At: begin.Add(9 * time.Hour)}}}}
		}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := whole()
			want.but(s)
			found := missing.Find(&s.r, &s.run)
			if want.call < 0 {
				require.Empty(t, found)
				return
			}
			require.Equal(t, []missing.Event{{Name: "PAYMENT_STATUS_CHANGED", About: "p2", Says: "Paid", Call: want.call, Before: 3, Behind: 4}}, found)
		})
	}
}

// TestACompanyByItsReference: an event of another company, of which the files do not tell whose it is, may be about it only while it may
// not have been verified.
func TestACompanyByItsReference(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]time.Duration{"before it was seen to wait": time.Hour, "behind that": 9 * time.Hour} {
		s := &recorded{}
		s.hears(time.Minute, "p1", "Paid")
		s.calls(8*time.Hour, "getCompanyStatus", "/Company/east-pier/Status", `{"status":"Unverified"}`)
		s.hears(at, "c1", "Verified")
		s.r.Received[1].Body = []byte(`{"Event":"COMPANY_VERIFICATION_STATUS_CHANGED","Data":{"CompanyId":"c1","Status":"Verified"}}`)
		s.calls(10*time.Hour, "getCompanyStatus", "/Company/east-pier/Status", `{"status":"Verified"}`)
		s.hears(20*time.Hour, "p2", "Paid")
		want := 0
		if at < 8*time.Hour {
			want = 1
		}
		require.Len(t, missing.Find(&s.r, &s.run), want, name)
	}
}

var begin = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// recorded is a recording and its run.
type recorded struct {
	r   recording.Recording
	run play.Run
}

func (s *recorded) calls(at time.Duration, operation, path, answer string) {
	s.run.Answers = append(s.run.Answers, play.Answered{N: len(s.r.Exchanges), Operation: operation})
	s.r.Exchanges = append(s.r.Exchanges, recording.Exchange{Begin: begin.Add(at), Path: path, Answer: recording.Answer{Known: recording.Whole, Status: 200, Body: []byte(answer)}})
}

func (s *recorded) hears(at time.Duration, id, says string) {
	body := fmt.Sprintf(`{"Event":"PAYMENT_STATUS_CHANGED","Data":{"PaymentId":%q,"Status":%q}}`, id, says)
	s.r.Received = append(s.r.Received, recording.Received{Place: recording.Place{Source: "a.log"}, At: begin.Add(at), Body: []byte(body), Status: 200})
}

// drop leaves a webhook out, from 0.
func (s *recorded) drop(n int) { s.r.Received = append(s.r.Received[:n:n], s.r.Received[n+1:]...) }
