package text_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/read/text"
)

// answered are the calls that a terminal shows with their answers, each with its line.
func answered(said string) string {
	p, err := text.Pasted(&source.File{Name: "terminal.txt", Data: []byte(said)}, nil)
	if err != nil {
		return ""
	}
	var b strings.Builder
	for _, x := range p.Exchanges {
		fmt.Fprintf(&b, "%d: %s %s %s-> %d %s\n", x.Place.Line, x.Method, x.Path, strings.TrimSuffix(string(x.Body)+" ", " "), x.Answer.Status, x.Answer.Body)
	}
	return b.String()
}

const (
	watching = "$ cat watch.sh\nwhile true; do T=$(curl -s https://a.example/Authentication/Token); date; curl -si https://a.example/Company/$1/Status -H \"Authorization: Bearer $T\"; sleep 9; done\n"
	verified = "HTTP/2 200\ncontent-type: application/json\n\n{\"status\":\"Verified\"}\n\n"
	waiting  = "HTTP/2 200\ncontent-type: application/json\n\n{\"status\":\"Unverified\"}\n\n"
)

// TestScripts: a terminal shows a script, and runs it: what the run prints answers the script's calls in turn.
func TestScripts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"a loop": {watching + "$ ./watch.sh club-1\n2026-06-30T15:13:44Z\n" + waiting + "2026-06-30T16:13:44Z\n" + verified + "^C\n$ ls\n", `
5: GET /Company/club-1/Status -> 200 {"status":"Unverified"}
11: GET /Company/club-1/Status -> 200 {"status":"Verified"}
`},
		"one call over several lines": {"me@box:~$ cat create.sh\n#!/bin/sh\nHOST=https://a.example\ncurl -i $HOST/User/Register -H 'Content-Type: application/json' -d '{\n \"redirectUrl\": \"https://b.example/$x\"\n}'\nme@box:~$ bash create.sh | tee out.txt\nHTTP/1.1 200 OK\n\n{\"registrationId\":\"r\"}\nme@box:~$ \n", `
8: POST /User/Register {
 "redirectUrl": "https://b.example/$x"
}-> 200 {"registrationId":"r"}
`},
		"two calls, and no heads": {"$ cat two.sh\ncurl https://a.example/Company/List\necho\ncurl https://a.example/User/$1/Status\n$ sh two.sh 7\n{\"companies\":[]}\n{\n \"status\": \"Pending\"\n}\n", `
6: GET /Company/List -> 200 {"companies":[]}
7: GET /User/7/Status -> 200 {
 "status": "Pending"
}
`},
		"no answer in between": {watching + "$ ./watch.sh a\n" + waiting + "curl: (28) Operation timed out\n" + verified, `
4: GET /Company/a/Status -> 200 {"status":"Unverified"}
9: GET /Company/a/Status -> 0 
10: GET /Company/a/Status -> 200 {"status":"Verified"}
`},
	} {
		require.Equal(t, strings.TrimPrefix(c.want, "\n"), answered(c.text), name)
	}
}

// TestNotScripts: where it cannot be told which call an answer is of, the text is read as it stands.
func TestNotScripts(t *testing.T) {
	t.Parallel()
	for name, said := range map[string]string{
		"not run":             watching + "$ ls\n" + waiting + verified,
		"changed":             watching + "$ vim watch.sh\n$ ./watch.sh a\n" + waiting + verified,
		"another":             watching + "$ ./look.sh a\n" + waiting + verified,
		"another's prompt":    watching + "root# ./watch.sh a\n" + waiting + verified,
		"kept in a file":      watching + "$ ./watch.sh a > log\n" + waiting + verified,
		"one of two":          "$ cat two.sh\ncurl -i https://a.example/Company/a/Status\ncurl -i https://a.example/Company/b/Status\n$ ./two.sh\n" + waiting,
		"on a condition":      "$ cat if.sh\nif [ $1 = a ]; then curl -i https://a.example/Company/a/Status; fi\n$ ./if.sh a\n" + waiting,
		"after another":       "$ cat or.sh\nfalse || curl -i https://a.example/Company/a/Status\n$ ./or.sh a\n" + waiting,
		"printed elsewhere":   "$ cat to.sh\ncurl -i https://a.example/Company/a/Status > a.txt\n$ ./to.sh a\n" + waiting,
		"each time another":   "$ cat all.sh\nfor c in a b; do curl -i https://a.example/Company/$c/Status; done\n$ ./all.sh a\n" + waiting + waiting,
		"no script":           "$ cat a.sh\nwhile curl (\n$ ./a.sh\n" + waiting,
		"before and in loops": "$ cat a.sh\ncurl -i https://a.example/Company/List\nwhile true; do curl -i https://a.example/Company/a/Status; done\n$ ./a.sh\n" + waiting + waiting,
	} {
		require.Equal(t, answered(strings.ReplaceAll(said, " ./", "  ")), answered(said), name)
	}
}

// TestScriptsAreBounded: a large text costs little more than its size.
func TestScriptsAreBounded(t *testing.T) {
	t.Parallel()
	said := watching + strings.Repeat("$ ./watch.sh a\n"+waiting, 4_000)
	require.NotEmpty(t, answered(said))
}

// FuzzScripts reads any script and what it has printed.
func FuzzScripts(f *testing.F) {
	f.Add("while true; do curl -si https://a.example/Company/$1/Status; done", waiting)
	f.Add("H=https://a.example\ncurl $H/Company/List\ncurl \"${H}/User/${1}/Status\"", "{}\n{}\n")
	f.Add("until curl https://a.example/Company/List | jq; do :; done &", "[\n{}]\n")
	f.Fuzz(func(t *testing.T, script, printed string) {
		said := "$ cat a.sh\n" + script + "\n$ ./a.sh b\n" + printed
		p, err := text.Pasted(&source.File{Name: "a.txt", Data: []byte(said)}, nil)
		for i := 0; err == nil && i < len(p.Exchanges); i++ {
			require.LessOrEqual(t, p.Exchanges[i].Place.Line, 1+strings.Count(said, "\n"))
		}
	})
}
