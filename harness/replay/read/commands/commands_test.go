package commands_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/commands"
	"paysandbox/harness/replay/read/readtest"
	"paysandbox/harness/replay/read/source"
)

func TestReaders(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		read       readtest.Reader
		text, want string
	}{
		"Chrome, bash": {commands.Shell, `curl 'https://api.example.com/Payment/Create' \
  -H 'accept: application/json' \
  -H 'authorization: Bearer abc' \
  -b 'sid=1' \
  --data-raw $'{"amount":5000,"shortDescription":"Anna\'s \u0021"}' ;
curl 'https://api.example.com/Company/List' -H 'accept: */*' --compressed`, `
POST https://api.example.com/Payment/Create? [accept: application/json] [authorization: Bearer abc] [Cookie: sid=1] [Content-Type: application/x-www-form-urlencoded] {"amount":5000,"shortDescription":"Anna's !"} -> not-recorded 0 
GET https://api.example.com/Company/List? [accept: */*] -> not-recorded 0 
`},
		"a script": {commands.Shell, "#!/bin/bash\r\nset -e\r\nBASE=https://user:p%40ss@api.example.com; AMOUNT=5000\r\n" +
			"TOKEN=$(curl -s \"$BASE/Authentication/Token\" -H 'Content-Type: application/json' -d @cred.json | jq -r .accessToken)\r\n" +
			"for i in 1 2; do\r\ncurl -XPOST \"${BASE}/Payment/Create\" -H \"Authorization: Bearer $TOKEN\" --json \"{\\\"amount\\\":$AMOUNT}\" -o out.json\r\ndone\r\n" +
			"curl -u a:b -G api.example.com/Transaction/Report -d from=1 --data-urlencode 'to=a b' -I\r\n" +
			"curl \"$BASE/x\" --data-binary @- <<EOF\n{\"a\":\"$AMOUNT\"}\nEOF\n", `
POST https://api.example.com/Authentication/Token? [Content-Type: application/json] [Authorization: Basic dXNlcjpwQHNz] (missing) -> not-recorded 0 
POST https://api.example.com/Payment/Create? [Authorization: Bearer ${TOKEN}] [Content-Type: application/json] [Accept: application/json] {"amount":5000} -> not-recorded 0 
POST https://api.example.com/Payment/Create? [Authorization: Bearer ${TOKEN}] [Content-Type: application/json] [Accept: application/json] {"amount":5000} -> not-recorded 0 
HEAD http://api.example.com/Transaction/Report?from=1&to=a%20b [Authorization: Basic YTpi] -> not-recorded 0 
POST https://api.example.com/x? [Authorization: Basic dXNlcjpwQHNz] [Content-Type: application/x-www-form-urlencoded] {"a":"5000"}
 -> not-recorded 0 
line 4: the request's body stands in a file, which was not given
`},
		"a broken line": {commands.Shell, "curl http://x/a\ncurl http://x/b 'not closed\ncurl http://x/c", `
GET http://x/a? -> not-recorded 0 
line 2: the shell cannot read this line: reached EOF without closing quote ` + "`'`" + `
GET http://x/c? -> not-recorded 0 
`},
		"Chrome, cmd": {commands.Cmd, "curl ^\"https://api.example.com/Payment/Create?a=1^&b=2^\" ^\r\n  -H ^\"accept: application/json^\" ^\r\n  --data-raw ^\"^{^\\^\"amount^\\^\":5000,^\\^\"shortDescription^\\^\":^\\^\"100^% ^^ ok^\\^\"^}^\" &\r\ncurl ^\"https://api.example.com/Company/List^\"\r\n", `
POST https://api.example.com/Payment/Create?a=1&b=2 [accept: application/json] [Content-Type: application/x-www-form-urlencoded] {"amount":5000,"shortDescription":"100% ^ ok"} -> not-recorded 0 
GET https://api.example.com/Company/List? -> not-recorded 0 
`},
		"older Chrome, cmd": {commands.Cmd, "set BASE=https://api.example.com\r\ncurl \"%BASE%/Payment/Create\" ^\r\n -H \"Authorization: Bearer %TOKEN%\" --data-raw \"{\\\"amount\\\":5000,\\\"x\\\":\\\"a\"\"b\\\"}\" --compressed", `
POST https://api.example.com/Payment/Create? [Authorization: Bearer ${TOKEN}] [Content-Type: application/x-www-form-urlencoded] {"amount":5000,"x":"a"b"} -> not-recorded 0 
`},
		"Chrome, fetch": {commands.Fetch, "await fetch(\"https://api.example.com/Payment/Create\", {\n  \"headers\": {\n    \"content-type\": \"application/json\",\n    \"authorization\": \"Bearer a\"\n  },\n  \"body\": \"{\\\"amount\\\":5000}\",\n  \"method\": \"POST\"\n});\nfetch('https://api.example.com/Company/List')\nfetch(\"https://api.example.com/x\", options)", `
POST https://api.example.com/Payment/Create? [authorization: Bearer a] [content-type: application/json] {"amount":5000} -> not-recorded 0 
GET https://api.example.com/Company/List? -> not-recorded 0 
line 10: what fetch is given besides the address is no JSON: it was not read
`},
		"Chrome, PowerShell": {commands.PowerShell, "$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\r\n$session.UserAgent = \"Mozilla/5.0\"\r\nInvoke-WebRequest -UseBasicParsing -Uri \"https://api.example.com/Payment/Create\" `\r\n-Method \"POST\" `\r\n-WebSession $session `\r\n-Headers @{\r\n\"authority\"=\"api.example.com\"\r\n  \"accept\"=\"*/*\"\r\n} `\r\n-ContentType \"application/json\" `\r\n-Body \"{`\"amount`\":5000,`\"x`\":`\"`$1 ``; =`\"}\";\r\nInvoke-RestMethod -Uri 'https://api.example.com/it''s'", `
POST https://api.example.com/Payment/Create? [authority: api.example.com] [accept: */*] [Content-Type: application/json] {"amount":5000,"x":"$1 ` + "`" + `; ="} -> not-recorded 0 
GET https://api.example.com/it's? -> not-recorded 0 
`},
	} {
		c.read.Reads(t, name, c.text, c.want)
	}
}

// TestNestingIsBounded: a grammar that calls itself would end the process.
func TestNestingIsBounded(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"$(", "(", "`", "\"$(", "${a:-", "if ", "while ", "f(){ ", "a&&", "$((1+", "! ", "((-", "a|", "elif "} {
		_, err := commands.Shell(&source.File{Name: "x", Data: []byte(strings.Repeat(s, 1<<16/len(s)))}, nil)
		require.Error(t, err, s)
	}
}

func TestValuesDoNotGrowWithoutEnd(t *testing.T) {
	t.Parallel()
	script := "A=" + strings.Repeat("x", 4000) + "\n"
	for range 20 {
		script += "A=$A$A\n"
	}
	p, err := commands.Shell(&source.File{Data: []byte(script + "curl http://x/$A {1..99999999} {a,b}{a,b}")}, nil)
	require.NoError(t, err)
	require.Less(t, len(p.Exchanges[0].Path), 10_000)
}

func FuzzCommands(f *testing.F) {
	for _, seed := range []string{
		"curl 'http://x/a' -d $'a\\'b' -H a:b --next -G http://y <<EOF\n$A\nEOF", "curl ^\"http://x^\" ^\n -d \"%A%\"",
		`fetch("http://x/a", {"method":"POST","headers":{"a":"b"},"body":"c"});`, "Invoke-WebRequest -Uri \"http://x`$\" `\n -Headers @{\n\"a\"=\"b\"\n} -Body 'c''d'; # e",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, read := range []readtest.Reader{commands.Shell, commands.Cmd, commands.Fetch, commands.PowerShell} {
			read.Survives(t, s)
		}
	})
}

// TestScriptsOfFunctions reads a script with an array, a function with its arguments and input, and a loop.
func TestScriptsOfFunctions(t *testing.T) {
	t.Parallel()
	p, err := commands.Shell(&source.File{Name: "refund.sh", Data: []byte(`JSON=(-H "Content-Type: application/json" -A nightly/1)
send() { curl -sS "${JSON[@]}" "$@"; }
for amount in 1500 2500; do
  send -X POST https://api.example/Payment/Refund/x --data @- <<BODY
{"amount": $amount}
BODY
done
`)}, nil)
	require.NoError(t, err)
	require.Len(t, p.Exchanges, 2)
	for i, body := range []string{`{"amount": 1500}`, `{"amount": 2500}`} {
		assert.Equal(t, body, string(p.Exchanges[i].Body))
		assert.Equal(t, "application/json", source.Header(p.Exchanges[i].Header, "Content-Type"))
		assert.Equal(t, "nightly/1", source.Header(p.Exchanges[i].Header, "User-Agent"))
	}
}
