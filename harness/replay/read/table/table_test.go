package table_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/read/table"
	"paysandbox/harness/replay/recording"
)

// TestATableOfMarkdown: columns of method and path below a sentence are calls, on their lines; a table of other things is none.
func TestATableOfMarkdown(t *testing.T) {
	t.Parallel()
	text := "only this, sorry:\n\n| Time | Method | `Path` | Status |\n|---|:--|---|---|\n| 2026-03-02 17:00:00 | POST | `/Authentication/Token` | 200 |\n| 2026-03-02 17:00:04 | POST | /Payment/Create | 400 |\n\nthanks"
	require.True(t, table.IsMarkdown([]byte(text)))
	p, err := table.Read(&source.File{Name: "mail.md", Data: []byte(text)}, nil)
	require.NoError(t, err)
	require.Len(t, p.Exchanges, 2)
	require.Equal(t, 6, p.Exchanges[1].Place.Line)
	require.Equal(t, 400, p.Exchanges[1].Answer.Status)
	require.False(t, table.IsMarkdown([]byte("| a | b |\n|---|---|\n| POST | /Payment/Create |\n")))
	require.False(t, table.IsMarkdown([]byte("||Method||Endpoint||HTTP status||\n|POST|/Payment/Create|400|\n")), "a tracker's table has no rule")

	twice := text + "\n\nand later:\n\n| Time | Method | Path | Status |\n|---|---|---|---|\n| 2026-03-02 17:10:00 | GET | /Payment/p-1/Status | 200 |\n| - |\n"
	p, err = table.Read(&source.File{Name: "mail.md", Data: []byte(twice)}, nil)
	require.NoError(t, err)
	require.Len(t, p.Exchanges, 3)
	require.Equal(t, 14, p.Exchanges[2].Place.Line)
}

// TestWhatAProgramAskedAgainAndAgain: a table of what it was told of a thing each time; a table of things alone is none.
func TestWhatAProgramAskedAgainAndAgain(t *testing.T) {
	t.Parallel()
	const said = "checked_at_utc,company_ref,http,status\n2026-06-16T18:30:02Z,east-pier,200,Unverified\n2026-06-16T19:30:02Z,east-pier,503,\n2026-06-16T20:30:02Z,,200,Verified\n"
	require.True(t, table.Is([]byte(said)))
	p, err := table.Read(&source.File{Name: "a.csv", Data: []byte(said)}, nil)
	require.NoError(t, err)
	require.Len(t, p.Exchanges, 2)
	require.Equal(t, "GET /Company/east-pier/Status", p.Exchanges[0].Method+" "+p.Exchanges[0].Path)
	require.JSONEq(t, `{"status":"Unverified"}`, string(p.Exchanges[0].Answer.Body))
	require.Equal(t, 503, p.Exchanges[1].Answer.Status)
	require.Equal(t, 3, p.Exchanges[1].Place.Line)
	require.False(t, table.Is([]byte("payment_id,amount,status,updated_at\np-1,5000,Paid,2026-06-16T18:30:02Z\n")))
}

// TestRowsOfTwoPrograms: the newest row first, two pods at once: those of each stand together, on their lines, the oldest first.
func TestRowsOfTwoPrograms(t *testing.T) {
	t.Parallel()
	const said = `"@timestamp","kubernetes.pod.name","message","http.request.body.content"
"Nov 1, 2026 @ 09:00:03.000","web-1","POST /Payment/Create -> 200",""
"Nov 1, 2026 @ 09:00:02.000","web-2","POST /Payment/Create","{""amount"":2}"
"Nov 1, 2026 @ 09:00:01.000","web-1","POST /Payment/Create","{""amount"":1}"
`
	log, places := table.Rows([]byte(said), func(value []byte) bool { return bytes.Contains(value, []byte("/Payment")) })
	require.Equal(t, `Nov 1, 2026 @ 09:00:01.000
web-1
POST /Payment/Create
http.request.body.content: {"amount":1}
Nov 1, 2026 @ 09:00:03.000
web-1
POST /Payment/Create -> 200

Nov 1, 2026 @ 09:00:02.000
web-2
POST /Payment/Create
http.request.body.content: {"amount":2}
`, string(log))
	require.Equal(t, []int{4, 4, 4, 4, 2, 2, 2, 2, 3, 3, 3, 3}, places)
	log, _ = table.Rows([]byte(said), func([]byte) bool { return false })
	require.Nil(t, log, "no row is worth it")
}

func FuzzTable(f *testing.F) {
	f.Add("Time;Method;URL;Request Headers;Status;Response\n2026-03-02T17:00:00Z;POST;/Payment/Create;\"A: b\nC: d\";400;\"{\"\"status\"\":400}\"\n")
	f.Add("checked_at_utc,company_ref,http,status\n2026-06-16T18:30:02Z,a,200,Unverified\n")
	f.Add("message,@timestamp\n\"{\"\"a\"\":1}\",2026-03-02\n")
	f.Add("INSERT INTO log (a, b) VALUES ('2026-03-02', '{\"Event\":\"X\"}'), (NULL, 'it''s')")
	f.Fuzz(func(t *testing.T, s string) {
		shows := func([]byte) bool { return true }
		for _, read := range []func([]byte) ([]byte, []int){table.Inserted, func(said []byte) ([]byte, []int) { return table.Column(said, shows) }} {
			if log, places := read([]byte(s)); places != nil {
				require.NotEmpty(t, log)
			}
		}
		_, _ = table.Rows([]byte(s), shows)
		p, err := table.Read(&source.File{Name: "f", Data: []byte(s)}, nil)
		if err != nil {
			return
		}
		for _, x := range p.Exchanges {
			require.NotEqual(t, recording.Known(""), x.Answer.Known)
		}
	})
}

// TestATableOfRefunds: what has an amount, a status of HTTP and the id of a payment that was known before is a refund; a table of payments
// is none.
func TestATableOfRefunds(t *testing.T) {
	t.Parallel()
	const id, another = "4ca67353-d824-444b-81c1-56cf264ca243", "88949dad-cb85-4689-88a3-8bce4b3c26b4"
	const head = "id,payment_request_id,amount,description,http_status,created_at\n"
	said := []byte(head + "1," + id + ",4500,one,200,2026-03-16 16:30:58\n2," + id + ",3500,,400,2026-03-19 13:02:11\n3,,10,x,500,2026-03-19 13:02:12\n")
	require.True(t, table.Is(said))
	p, err := table.Read(&source.File{Name: "a.csv", Data: said}, nil)
	require.NoError(t, err)
	require.Len(t, p.Exchanges, 2)
	require.Equal(t, "POST /Payment/Refund/"+id, p.Exchanges[1].Method+" "+p.Exchanges[1].Path)
	require.JSONEq(t, `{"amount":4500,"description":"one"}`, string(p.Exchanges[0].Body))
	require.JSONEq(t, `{"amount":3500}`, string(p.Exchanges[1].Body))
	require.Equal(t, 400, p.Exchanges[1].Answer.Status)
	require.Equal(t, 3, p.Exchanges[1].Place.Line)
	require.False(t, table.Is([]byte(head+"1,"+id+",4500,one,200,2026-03-16 16:30:58\n2,"+another+",3500,two,200,2026-03-19 13:02:11\n")), "payments that were made")
}
