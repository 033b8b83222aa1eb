package read

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"slices"

	"paysandbox/harness/replay/read/commands"
	"paysandbox/harness/replay/read/dart"
	"paysandbox/harness/replay/read/flow"
	"paysandbox/harness/replay/read/httptext"
	"paysandbox/harness/replay/read/mention"
	"paysandbox/harness/replay/read/record"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/read/table"
	"paysandbox/harness/replay/read/text"
	"paysandbox/harness/replay/read/tree"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// format is a form that files have.
type format struct {
	name string
	// is says whether a file's text looks like it. The first format that says so is taken.
	is func(text []byte) bool
	// read reads a file's calls; variables reads what it says to fill in others. One is nil.
	read      func(f *source.File, v source.Variables) (*source.Part, error)
	variables func(f *source.File) (source.Variables, error)
	// loose says that people paste the form into other text, or that it is one of many of
	// the kind: the file is searched and read as a tree, too, and what finds most is taken.
	loose bool
}

// formats are the formats, the surest signs first.
func formats() []format {
	return []format{
		{name: "tape", is: firstLine(`{"tape":`), read: record.Tape},
		{name: "har", is: object(`"log"`, `"entries"`), read: record.HAR},
		{name: "newman", is: object(`"run"`, `"executions"`), read: record.Newman},
		{name: "postman", is: object(`"info"`, `"item"`), read: record.Postman},
		{name: "insomnia", is: object(`"__export_format"`, `"resources"`), read: record.Insomnia},
		{name: "postman-environment", is: object(`"values"`, `"key"`), variables: record.PostmanVariables},
		{name: "http-environment", is: isEnvironments, variables: record.Environments},
		{name: "n8n", is: flow.Is, read: flow.N8N},
		{name: "jsonl", is: isLines, read: record.JSONLines, loose: true},
		{name: "dio", is: looksLike(`(?m)\*\*\* Request \*\*\*[ \t]*\r?$|╔╣ Request ║`), read: dart.Dio},
		{name: "table", is: table.Is, read: table.Read},
		{name: "table", is: table.IsMarkdown, read: table.Read, loose: true}, // in a ticket, what was sent stands beside it
		{name: "curl-verbose", is: looksLike(`(?m)^(?:[0-9:.]+ )?(?:> [A-Z]+ \S+ HTTP/[0-9.]+|=> Send header)`), read: httptext.Verbose, loose: true},
		{name: "fetch", is: looksLike(`(?m)^\s*(?:(?:const|let|var) \w+ = )?(?:await )?fetch\(\s*["']`), read: commands.Fetch, loose: true},
		{name: "powershell", is: looksLike(`(?mi)\bInvoke-(?:WebRequest|RestMethod)\b`), read: commands.PowerShell, loose: true},
		{name: "curl-cmd", is: looksLike(`(?mi)^[^\n]*curl(?:\.exe)?[ \t][^\n]*(?:\^"|\^\r?$|%[a-z_]{3,}%)`), read: commands.Cmd, loose: true},
		{name: "curl", is: looksLike(`(?m)(?:^|[;&|(\x60 \t])(?:curl(?:\.exe)?[ \t]+[^ \t]|wget[ \t]+-)`), read: commands.Shell, loose: true},
		{name: "http", is: looksLike(`(?m)^<> \S+\.[0-9]{3}\.[a-z]+[ \t]*\r?$|\A(?:(?:#|//)[^\n]*\n|\s)*@[\w.-]+[ \t]*=`), read: httptext.HTTPFile}, // which JetBrains' client has kept, or which begins with variables
		{name: "http-messages", is: looksLike(`(?m)^HTTP/[0-9.]+[ \t]+[0-9]{3}|\A(?:[^\n]*\n)?(?:[A-Z]+ \S+ HTTP/[0-9.]+\r?\n|[A-Za-z][A-Za-z0-9-]*:[ \t][^\n]*\n(?:[A-Za-z][A-Za-z0-9-]*:[^\n]*\n)*\r?\n)`), read: httptext.Messages, loose: true},
		{name: "http", is: looksLike(`(?m)^(?:(?:GET|HEAD|POST|PUT|DELETE|PATCH)[ \t]+\S+|https?://\S+)`), read: httptext.HTTPFile, loose: true},
		{name: "pasted", is: namesOperation, read: text.Pasted, loose: true},
		{name: "tree", is: tree.Is, read: tree.Read, loose: true},
		{name: recording.AccessLog, is: mention.IsArrivals, read: mention.Arrivals},
	}
}

// namesOperation says whether a text names an operation, perhaps beneath the marks around it.
// Webhooks are shown where a log of their receiver names an event.
func namesOperation(said []byte) bool {
	if text.NamesOperation(said) || event().Match(said) || source.HoldsPacked(said) {
		return true
	}
	plain, _ := plainer(said[:min(len(said), source.MaxFile)])
	return text.NamesOperation(plain) || event().Match(plain) || objectsBehind(said) != nil
}

// event is how the body of a webhook begins to be one, perhaps within quotes.
var event = trail.Pattern(`"Event\\*"\s*:\s*\\*"[A-Z_]{3,}\\*"`)

// sample is how much of a file its form is guessed from.
const sample = 64 << 10

func begin(text []byte) []byte { return bytes.TrimSpace(text[:min(len(text), sample)]) }

// firstLine is a sign that stands at the very beginning.
func firstLine(sign string) func([]byte) bool {
	return func(text []byte) bool {
		return bytes.HasPrefix(bytes.ReplaceAll(begin(text[:min(len(text), 256)]), []byte(" "), nil), []byte(sign))
	}
}

// object is a JSON object in whose text all of these stand.
func object(signs ...string) func([]byte) bool {
	return func(text []byte) bool {
		if !bytes.HasPrefix(begin(text), []byte("{")) {
			return false
		}
		for _, sign := range signs {
			if !bytes.Contains(text, []byte(sign)) {
				return false
			}
		}
		return true
	}
}

// looksLike is a pattern in the file's beginning.
func looksLike(pattern string) func([]byte) bool {
	return func(text []byte) bool { return regexp.MustCompile(pattern).Match(begin(text)) }
}

// logLine is a member that names a method, or an address, as loggers do.
var logLine = trail.Pattern(`(?i)"(?:[a-z_.]*\.)?(?:request_?)?(?:method|verb)"\s*:\s*"(?:GET|POST|PUT|DELETE|PATCH)"`)

// isLines says whether the first line, or the first object of a list, has a member of
// the documented ones.
func isLines(text []byte) bool {
	first := bytes.TrimLeft(begin(text), "[ \t\r\n")
	if !bytes.HasPrefix(first, []byte("{")) {
		return false
	}
	if logLine().Match(first) {
		return true
	}
	for _, sign := range []string{`"url"`, `"webhook"`, `"headers"`, `"Event"`, `{"besides":{`} {
		if bytes.Contains(first, []byte(sign)) {
			return true
		}
	}
	return false
}

// isEnvironments says whether a file is an object of objects of plain values.
func isEnvironments(text []byte) bool {
	var all map[string]map[string]any
	if len(text) > sample || json.Unmarshal(text, &all) != nil || len(all) == 0 {
		return false
	}
	for _, values := range all {
		for _, value := range values {
			switch value.(type) {
			case map[string]any, []any:
				return false
			}
		}
	}
	return true
}

// ours are what paysandbox itself writes for people and that names calls, and files of others that record nothing, by their beginnings.
var ours = []struct {
	what, instead string
	// has stands in all that the pattern takes: patterns are dear.
	has string
	is  func() *regexp.Regexp
}{
	{"a report of paysandbox's verdict", "give the tape or the files that it was made of", "paysandbox", trail.Pattern(`\A\s*\{\s*"format":\s*"paysandbox-report/|<testsuites name="paysandbox"|(?i:\A\s*<!doctype html)[\s\S]*<title>[^<]* by paysandbox</title>`)},
	{"the page of a case that replay has written", "give the files that the case was made of, or its folder", "paysandbox replay", trail.Pattern(`(?i:\A\s*<!doctype html)[\s\S]*<meta name="generator" content="paysandbox replay">`)},
	{aCase, ofACase, `"signature":`, trail.Pattern(`\A\s*\{\s*"version":\s*[0-9]+,\s*"title":[^\n]*\s*"signature":[^\n]*\s*"sources":`)},
	{aCase, ofACase, "**First went wrong**", trail.Pattern(`\A# [^\n]*\n\s*\*\*What happened\*\*: [^\n]*\n\s*\*\*First went wrong\*\*`)},
	{"the pages of a tape", "give the tape itself: `paysandbox tape show` wrote them of it", "paysandbox</title>", trail.Pattern(`(?i:\A\s*<!doctype html)[\s\S]*<title>[^<]* · paysandbox</title>`)},
	{"a text that explains paysandbox", explains, "# paysandbox", trail.Pattern(`\A# paysandbox\b`)},
	{"a text that explains paysandbox", explains, "`make golden`", trail.Pattern("<!-- [a-z: ]*written by `make golden` -->")},
	{"a file of Bruno, which holds a request and no answer", "give what its Generate Code writes as cURL, or its runner's report in JSON", " {", trail.Pattern(`\A\s*(?:meta|vars) \{\r?\n`)},
	{"a description of an API", "give what was called, such as a HAR", "", trail.Pattern(`\A(?:\s*\{\s*"(?:openapi|swagger)":\s*"|(?:openapi|swagger):\s*["'0-9])`)},
}

const (
	explains = "give what the partner has sent"
	aCase    = "a case that replay has written"
	ofACase  = "give the files that the case was made of, or its folder"
)

// ofOurs is the error for a file that is none of a partner's recordings, nil for any other.
func ofOurs(f *source.File, content []byte) error {
	for _, o := range ours {
		if begin := content[:min(len(content), sample)]; bytes.Contains(begin, []byte(o.has)) && o.is().Match(begin) {
			return &source.Error{File: f.Name, Format: "a recording", Err: errors.New("it is " + o.what), Fix: o.instead}
		}
	}
	return nil
}

// Formats lists the names of the formats.
func Formats() []string {
	var names []string
	for i := range formats() {
		names = append(names, formats()[i].name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
