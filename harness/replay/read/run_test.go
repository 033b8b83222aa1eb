package read_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// refunding is a script that refunds what it is told to, up to three times until it was answered.
const refunding = `#!/usr/bin/env bash
# ./refund.sh <paymentRequestId> <cents> "<why>"
BASE="${BASE:-https://api.example}"
ID="$1"; CENTS="$2"
for n in 1 2 3; do
  curl -v --max-time 10 -X POST "$BASE/Payment/Refund/$ID" -H 'Content-Type: application/json' -d "{\"amount\":$CENTS,\"description\":\"${3}\"}" && break
done
`

const refunded = "946dd889-aa84-46d2-953d-50bd7b32fabb"

// ranOnce is what it prints: no answer came to the first call, and one to the second.
func ranOnce(command string) string {
	call := "* Connected to api.example (203.0.113.18) port 443\n* SSL connection using TLSv1.3\n> POST /Payment/Refund/" + refunded + " HTTP/1.1\n> Host: api.example\n> Content-Type: application/json\n> Content-Length: 42\n> \n"
	return command + "\n[2026-10-06T10:17:41Z] attempt 1\n" + call + "* Operation timed out after 10002 milliseconds with 0 bytes received\n* Closing connection\ncurl: (28) Operation timed out after 10002 milliseconds with 0 bytes received\n" +
		"[2026-10-06T10:17:54Z] attempt 2\n" + call + "< HTTP/1.1 200 OK\n< Date: Tue, 06 Oct 2026 10:17:55 GMT\n< Content-Length: 0\n< \n* Connection #0 to host api.example left intact\ndone\n"
}

// TestAScriptAsItWasRun: what it was given stands behind the prompt in its log, and the log shows which rounds of its loop were made.
func TestAScriptAsItWasRun(t *testing.T) {
	t.Parallel()
	for _, command := range []string{
		"$ ./refund.sh " + refunded + ` 6000 "late checkout" 2>&1 | tee refund.log`,
		"ines@till:~/bin$ bash -x refund.sh '" + refunded + "' 6000 late\\ checkout",
		"+ ./bin/refund.sh " + refunded + " 6000 'late checkout'",
	} {
		r := readAll(t, read.Options{}, file("refund.log", ranOnce(command)), file("refund.sh", refunding))
		require.Len(t, r.Exchanges, 2, command)
		lost, served := &r.Exchanges[0], &r.Exchanges[1]
		require.Equal(t, recording.NeverArrived, lost.Answer.Known)
		require.Equal(t, "2026-10-06T10:17:41Z 10.002s", lost.Begin.Format(time.RFC3339)+" "+lost.End.Sub(lost.Begin).String())
		require.Equal(t, 200, served.Answer.Status)
		for _, x := range []*recording.Exchange{lost, served} {
			require.JSONEq(t, `{"amount":6000,"description":"late checkout"}`, string(x.Body))
			require.Equal(t, "/Payment/Refund/"+refunded, x.Path)
		}
		require.Contains(t, whys(&r), "a round of a loop of which refund.log shows others, and not this one: it is not taken for made")
	}
}

// TestAScriptOfWhichNoRunIsKnown: one that was run in two ways, moves what it was given, or was given what is not shown.
func TestAScriptOfWhichNoRunIsKnown(t *testing.T) {
	t.Parallel()
	run := "$ ./refund.sh " + refunded + " 6000 late"
	for name, files := range map[string][]source.File{
		"run in two ways":     {file("refund.log", ranOnce(run)), file("mail.txt", "Before that I ran\n\n$ ./refund.sh "+refunded+" 7000 late\n\nand it went well."), file("refund.sh", refunding)},
		"moved":               {file("refund.log", ranOnce(run)), file("refund.sh", strings.Replace(refunding, "ID=", "shift\nID=", 1))},
		"another script's":    {file("refund.log", ranOnce(strings.Replace(run, "refund.sh", "refund-all.sh", 1))), file("refund.sh", refunding)},
		"given by a program":  {file("refund.log", ranOnce(`$ ./refund.sh "$(pbpaste)" "$CENTS" late`)), file("refund.sh", refunding)},
		"told in a comment":   {file("refund.log", ranOnce("# ./refund.sh "+refunded+" 6000 late")), file("refund.sh", refunding)},
		"told how, by itself": {file("refund.log", ranOnce("attempts follow")), file("refund.sh", refunding+"# example: $ ./refund.sh "+refunded+" 6000 late\n")},
	} {
		r := readAll(t, read.Options{}, files...)
		require.Contains(t, whys(&r), "what ${2} held is not in the file", name)
		for i := range r.Exchanges {
			require.NotContains(t, string(r.Exchanges[i].Body), "6000", name)
		}
	}
}

// TestALoopOverOtherThings: a round that the log does not show is no other's repetition, and may have been made elsewhere.
func TestALoopOverOtherThings(t *testing.T) {
	t.Parallel()
	script := strings.NewReplacer("for n in 1 2 3", "for CENTS in 6000 7000 8000", " && break", "").Replace(refunding)
	r := readAll(t, read.Options{}, file("refund.log", ranOnce("$ ./refund.sh "+refunded+" 6000 late")), file("refund.sh", script))
	require.Len(t, r.Exchanges, 3)
	require.NotContains(t, whys(&r), "a round of a loop")
}

// FuzzRuns: whatever a log shows of how a script was run, and whatever the script is, it is read and ends.
func FuzzRuns(f *testing.F) {
	f.Add("$ ./a.sh b 'c", "curl https://api.example/Payment/$1/Status")
	f.Add("+ a.sh $(x) {1..9} *", "for i in $@; do curl https://api.example/Payment/$i$2/Cancel -X PUT; done")
	f.Fuzz(func(_ *testing.T, log, script string) {
		_, _ = read.Contents([]source.File{file("a.log", log), file("a.sh", script)}, read.Options{})
	})
}

func whys(r *recording.Recording) string {
	var all []string
	for _, s := range r.Skipped {
		all = append(all, s.Why)
	}
	return strings.Join(all, "\n")
}
