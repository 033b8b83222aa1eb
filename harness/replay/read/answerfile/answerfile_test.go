package answerfile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/answerfile"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

const payment = "83752073-699b-467d-96ce-e5c64260ac55"

// asked is a file of requests without answers.
func asked(paths ...string) *source.Part {
	p := source.NewPart(&source.File{Name: "a.http"}, "http")
	for i, path := range paths {
		method, path, _ := strings.Cut(path, " ")
		p.Exchanges = append(p.Exchanges, recording.Exchange{Place: p.Line(10 * (i + 1)), Method: method, Path: path, Answer: recording.Answer{Known: recording.NotRecorded}})
	}
	return p
}

// TestJoin: an answer goes to the one call that it is of, as often as it was made, in the order of the answers' Date.
func TestJoin(t *testing.T) {
	t.Parallel()
	answer := func(name, date, body string) (source.File, *source.Part) {
		f := source.File{Name: name, Data: []byte("HTTP/1.1 200 OK\r\nContent-Length: 9\r\nDate: " + date + "\r\n\r\n" + body)}
		return f, source.NewPart(&f, recording.Unread)
	}
	status := `{"id":"` + payment + `","status":"%","amount":{"value":5}}`
	one, onePart := answer("b.http", "Thu, 02 Apr 2026 17:07:00 GMT", strings.Replace(status, "%", "Failed", 1))
	two, twoPart := answer("c.http", "Mon, 30 Mar 2026 16:12:05 GMT", strings.Replace(status, "%", "Paid", 1))
	other, otherPart := answer("d.http", "Mon, 30 Mar 2026 16:12:05 GMT", `{"id":"another","status":"Paid"}`)
	calls := asked("POST /Payment/Create", "GET /Payment/"+payment+"/Status", "GET /Transaction/PaymentRequest/"+payment)
	answerfile.Join([]source.File{one, two, other}, []*source.Part{calls, onePart, twoPart, otherPart})
	require.Len(t, calls.Exchanges, 4)
	require.Equal(t, recording.NotRecorded, calls.Exchanges[0].Answer.Known)
	require.Equal(t, recording.NotRecorded, calls.Exchanges[2].Answer.Known, "details have other members")
	first, again := calls.Exchanges[1], calls.Exchanges[3]
	require.Contains(t, string(first.Answer.Body), "Paid")
	require.Equal(t, time.Date(2026, 3, 30, 16, 12, 5, 0, time.UTC), first.Begin)
	require.Contains(t, string(again.Answer.Body), "Failed")
	require.Equal(t, first.Path, again.Path)
	require.Equal(t, answerfile.Format, onePart.Source().Format)
	require.Equal(t, recording.Unread, otherPart.Source().Format, "it is of none")
}

// TestJoinOfSeveral: what may be the answer to two calls is put to none.
func TestJoinOfSeveral(t *testing.T) {
	t.Parallel()
	f := source.File{Name: "b.http", Data: []byte("HTTP/1.1 200 OK\nContent-Type: application/json\n\n{\"companies\":[]}")}
	p := source.NewPart(&f, recording.Unread)
	calls := asked("GET /Company/List", "GET /Company/List")
	answerfile.Join([]source.File{f}, []*source.Part{calls, p})
	require.Len(t, calls.Exchanges, 2)
	require.Equal(t, recording.NotRecorded, calls.Exchanges[0].Answer.Known)
	calls = asked("GET /Company/List", "GET /Consent/List", "GET /Transaction/Report")
	answerfile.Join([]source.File{f}, []*source.Part{calls, p})
	require.Equal(t, 200, calls.Exchanges[0].Answer.Status)
}

func FuzzJoin(f *testing.F) {
	f.Add("HTTP/1.1 200 OK\r\nDate: Mon, 30 Mar 2026 16:12:05 GMT\r\n\r\n{\"status\":\"Paid\",\"id\":\"" + payment + "\"}")
	f.Add("HTTP/2 200\na: b\n c\n\n{")
	f.Fuzz(func(t *testing.T, text string) {
		file := source.File{Name: "b.http", Data: []byte(text)}
		calls := asked("GET /Payment/"+payment+"/Status", "POST /Payment/Create", "GET /Company/List", "GET /PaymentPlan/"+payment)
		answerfile.Join([]source.File{file}, []*source.Part{calls, source.NewPart(&file, recording.Unread)})
		for _, x := range calls.Exchanges {
			require.NotEqual(t, recording.Known(""), x.Answer.Known)
		}
	})
}
