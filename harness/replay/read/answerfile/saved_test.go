package answerfile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/answerfile"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

const reportBody = `{"transactions":[{"externalTransferId":"ff8b8241-e2ab-4dd5-8459-1c2ffc9baae8","amount":8800}],"hasMore":true,"nextCursor":"c2Vjb25k"}`

// saved reads a report whose answer is shown without its body, beside a file of commands and one that is named.
func saved(name, body, script string, length int, calls ...recording.Exchange) *source.Part {
	files := []source.File{{Name: "out.txt"}, {Name: "d/" + name, Data: []byte(body)}, {Name: "close.sh", Data: []byte(script)}}
	called, kept := source.NewPart(&files[0], "curl-verbose"), source.NewPart(&files[1], recording.Unread)
	if calls == nil {
		calls = []recording.Exchange{{Method: "GET", Path: "/Transaction/Report", Answer: recording.Answer{Known: recording.WithoutBody, Status: 200}}}
	}
	for i := range calls {
		calls[i].Place = called.Line(i + 1)
		if length > 0 {
			calls[i].Answer.Header = []tape.Header{{Name: "Content-Length", Value: fmt.Sprint(length)}}
		}
		called.Call(calls[i])
		if calls[i].Answer.Known == recording.WithoutBody {
			called.SkipKind(recording.AnswerBody, calls[i].Place, "no body")
		}
	}
	answerfile.Join(files, []*source.Part{called, kept, source.NewPart(&files[2], "curl")})
	return called
}

// TestSaved: a body that a command keeps in a file is the answer of its call.
func TestSaved(t *testing.T) {
	t.Parallel()
	const at = `https://a.example/Transaction/Report?from=x`
	for script, name := range map[string]string{
		`curl -o "report-$MONTH.json" "` + at + `"`:                                     "report-2026-09.json",
		"curl -v -s \\\n  --output out/report-${1:-2026-09}.json \\\n  '" + at + `'`:    "report-2026-09.json",
		`curl -so r.json ` + at:                                                         "r.json",
		`curl -s ` + at + ` > "report.json"`:                                            "report.json",
		`curl -s ` + at + ` 2> err.txt | tee report.json`:                               "report.json",
		`curl -sO https://a.example/Transaction/Report`:                                 "Report",
		`wget -q -O report.json "` + at + `"`:                                           "report.json",
		`Invoke-WebRequest -Uri "` + at + `" -OutFile C:\tmp\report.json`:               "report.json",
		`http GET ` + at + ` > report.json`:                                             "report.json",
		`curl "$BASE/transaction/report?companyId=$C" -o "$(date +%F)-settlement.json"`: "2026-10-02-settlement.json",
	} {
		p := saved(name, reportBody, script, 0)
		require.Empty(t, p.Skipped, "%s: nothing is missing any more", script)
		x := p.Exchanges[0]
		require.Equal(t, recording.Whole, x.Answer.Known, script)
		require.JSONEq(t, reportBody, string(x.Answer.Body), script)
		require.True(t, x.AsksOnce, script)
		require.Equal(t, []recording.Place{{Source: "d/" + name, Line: 1}}, x.Also, script)
	}
	x := saved("whatever.json", strings.Replace(reportBody, "8800}", "8800,"+`"reference":"`+strings.Repeat("x", 100)+`"}`, 1), "", len(reportBody)+115).Exchanges[0]
	require.Equal(t, recording.Whole, x.Answer.Known, "its length is that of the answer")
	require.False(t, x.AsksOnce, "no script is shown")
	require.False(t, saved("r.json", reportBody, "curl -o r.json "+at+"\ncurl \"$BASE/Transaction/Report?cursor=$NEXT\"", 0).Exchanges[0].AsksOnce)
	p := saved("r.json", reportBody, "curl -o r.json "+at, 0, recording.Exchange{Method: "GET", Path: "/Transaction/Report", Answer: recording.Answer{Known: recording.NotRecorded}})
	require.Equal(t, 200, p.Exchanges[0].Answer.Status)
	require.Contains(t, p.Skipped[0].Why, "the status of an answer, of which only the body is shown")
}

// TestNotSaved: a file of which that is not shown is no answer.
func TestNotSaved(t *testing.T) {
	t.Parallel()
	const at = `https://a.example/Transaction/Report?from=x`
	report := recording.Exchange{Method: "GET", Path: "/Transaction/Report", Answer: recording.Answer{Known: recording.WithoutBody, Status: 200}}
	for name, p := range map[string]*source.Part{
		"another name":             saved("other.json", reportBody, "curl -o report.json "+at, 0),
		"another length":           saved("report.json", reportBody, "curl -o report.json "+at, 99),
		"a short body":             saved("other.json", reportBody, "", len(reportBody)),
		"a name of variables":      saved("a.json", reportBody, `curl -o "$NAME.json" `+at, 0),
		"of another operation":     saved("report.json", reportBody, "curl -o report.json https://a.example/Company/List", 0),
		"its errors":               saved("report.json", reportBody, "curl "+at+" 2> report.json", 0),
		"what was sent":            saved("report.json", reportBody, "curl -d @report.json "+at, 0),
		"no program that calls":    saved("report.json", reportBody, "grep -o report.json "+at, 0),
		"two calls":                saved("report.json", reportBody, "curl -o report.json "+at, 0, report, report),
		"no members of its answer": saved("report.json", `{"companies":[]}`, "curl -o report.json "+at, 0),
		"a part of it":             saved("report.json", reportBody[:60], "curl -o report.json "+at, 0),
		"it was refused":           saved("report.json", reportBody, "curl -o report.json "+at, 0, recording.Exchange{Method: "GET", Path: "/Transaction/Report", Answer: recording.Answer{Known: recording.WithoutBody, Status: 401}}),
		"it is of another payment": saved("s.json", `{"id":"ff8b8241-e2ab-4dd5-8459-1c2ffc9baae8","status":"Paid"}`, "curl -o s.json https://a.example/Payment/$ID/Status", 0, recording.Exchange{Method: "GET", Path: "/Payment/0e9b8241-e2ab-4dd5-8459-1c2ffc9baae8/Status", Answer: recording.Answer{Known: recording.WithoutBody, Status: 200}}),
	} {
		require.Empty(t, p.Exchanges[0].Answer.Body, name)
		require.Empty(t, p.Exchanges[0].Also, name)
	}
}

// FuzzSaved: no file of commands ends it.
func FuzzSaved(f *testing.F) {
	f.Add("curl -o \"r-$M.json\" https://a.example/Transaction/Report", "r-1.json")
	f.Add("wget -O ${x:-(} https://a.example/Transaction/Report > '[' | tee $(", "[")
	f.Add("curl -O https://a.example/Transaction/Report\\", "Report")
	f.Fuzz(func(t *testing.T, script, name string) {
		p := saved(name, reportBody, script, 0)
		require.Len(t, p.Exchanges, 1)
	})
}
