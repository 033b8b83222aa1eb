package read

import (
	"bytes"
	"html"
	"regexp"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/tree"
	"paysandbox/harness/trail"
)

var (
	// citation is what mails put before each line of what they answer to.
	citation = trail.Pattern(`(?m)^(?:(?:[>|][ \t]?)+|<[ \t]+|<\r?$)`)
	// colours are what terminals are told.
	colours = trail.Pattern("\x1b\\[[0-9;]*[A-Za-z]")
	// quoted is a text in quotes in which an end of a line is written as its sign.
	quoted = trail.Pattern(`"(?:[^"\\\n]|\\.)*\\n(?:[^"\\\n]|\\.)*"`)
	// command is a text in quotes that is a command with quotes of its own, and wrapped the end of one of its lines.
	command = trail.Pattern(`"[ \t]*(?:\$ )?(?:curl(?:\.exe)?|wget) (?:[^"\\\n]|\\.)*\\"(?:[^"\\\n]|\\.)*"`)
	wrapped = trail.Pattern(`[ \t]*[\\^]?\r?\n[ \t]*`)
	// pythonQuoted are bytes as Python prints them.
	pythonQuoted = trail.Pattern(`(?:\bsend: )?\bb'(?:[^'\\\n]|\\.)*'`)
	// hexadecimal is how servers write marks into their logs.
	hexadecimal = trail.Pattern(`\\x[0-9A-Fa-f]{2}`)
	// macro is what trackers of issues put around code, and cells are a row of their tables.
	macro = trail.Pattern(`\{(?:code|noformat|quote|panel|color)(?::[^}\n]*)?\}`)
	cells = trail.Pattern(`(?m)^\|.*\|[ \t]*\r?$`)
	cell  = trail.Pattern(`\| *([1-5][0-9]{2}) *\|`)
	// prefixed is a line of a body that is laid out over lines, each behind what a logger puts before it.
	prefixed = trail.Pattern(`(?m)^[^\n"{}]{0,30}?[0-9]{2}:[0-9]{2}:[0-9]{2}[^\n"{}]{0,120}?(?:: |\] | - |\| )([ \t]*(?:"[A-Za-z0-9_]+" ?:.*|[}\]],?|[{\[]))[ \t]*\r?$`)
	// environment is a header as CGI, PHP and Rack name it, with its value.
	environment = trail.Pattern(`\[?["']?\bHTTP_([A-Z][A-Z0-9_]*)["']?\]?\s*(?:=>|=|:)\s*["']?([^"'\n]*)["']?,?`)
	// pairs are the lines of a message's head, as Java shows them: what has no name is the first line.
	pairs = trail.Pattern(`(?m)^.*\bpairs: \{[^{}\n]*\}(?:\{[^{}\n]*\})*\s*$`)
	pair  = trail.Pattern(`\{(?:null: )?([^{}\n]*?)(?:: null)?\}`)
	// pages are HTML, invisible what of it nobody sees, breaks where its lines end, and tags the rest.
	pages     = trail.Pattern(`(?i)\A\s*(?:<!doctype html|<(?:html|head|body|div|meta|p|table)\b)`)
	invisible = trail.Pattern(`(?is)<(?:style|script|head)\b.*?</(?:style|script|head)>|<!--.*?-->`)
	breaks    = trail.Pattern(`(?i)<(?:br|/?p|/?div|/?pre|/?tr|/?li|/?h[1-6]|hr|/?table|/?blockquote)\b[^<>]*>`)
	tags      = trail.Pattern(`</?[A-Za-z][^<>]*>`)
)

// pythonEscapes are the signs that stand for others there.
var pythonEscapes = strings.NewReplacer(`\r\n`, "\n", `\n`, "\n", `\'`, "'", `\\`, `\`, `\t`, "\t")

// seen is the text of a page, as people see it.
func seen(page []byte) []byte {
	page = breaks().ReplaceAll(invisible().ReplaceAll(page, nil), []byte("\n"))
	return []byte(strings.ReplaceAll(html.UnescapeString(string(tags().ReplaceAll(page, nil))), "\u00a0", " "))
}

// headerOf is such a header under its own name.
func headerOf(in []byte) []byte {
	found := environment().FindSubmatch(in)
	return append(append(bytes.ReplaceAll(found[1], []byte("_"), []byte("-")), ": "...), found[2]...)
}

// plainer is a text without the citation marks of mails and the colours of terminals and
// the marks of trackers and pages, in which texts in quotes that hold several lines stand as these lines; nil when that
// changes nothing. With calls, some stood as objects, of which nothing is guessed.
func plainer(text []byte) (plain []byte, calls bool) {
	plain = bytes.Clone(text)
	if bytes.IndexByte(plain, '\x1b') >= 0 {
		plain = colours().ReplaceAll(text, nil)
	}
	if whole := undumped(plain); whole != nil {
		plain = whole
	}
	if said := tree.Swift(plain); said != nil {
		return said, true
	}
	if pages().Match(plain) {
		plain = seen(plain)
	}
	if bytes.Contains(plain, []byte(`\x22`)) {
		plain = hexadecimal().ReplaceAllFunc(plain, func(in []byte) []byte {
			n, _ := strconv.ParseUint(string(in[2:]), 16, 8)
			return []byte{byte(n)}
		})
	}
	plain = unnumbered(uncounted(unboxed(plain)))
	plain = replaced(macro().ReplaceAll(plain, nil), "|", cells, func(row []byte) []byte {
		row = cell().ReplaceAll(row, []byte("| status $1 |"))
		return bytes.TrimLeft(bytes.ReplaceAll(row, []byte("|"), []byte(" | ")), "| ")
	})
	if all := citation().FindAll(plain, 4); len(all) > 3 {
		plain = citation().ReplaceAll(plain, nil)
	}
	plain = replaced(plain, "b'", pythonQuoted, func(in []byte) []byte {
		_, said, _ := bytes.Cut(in, []byte("'"))
		return append([]byte("\n"), pythonEscapes.Replace(string(said[:len(said)-1]))...)
	})
	plain = replaced(plain, `\n`, quoted, func(in []byte) []byte {
		said, err := strconv.Unquote(string(in))
		if err != nil {
			return in
		}
		return []byte("\n" + said + "\n")
	})
	plain = replaced(plain, "pairs: {", pairs, func(line []byte) []byte {
		return append(bytes.ReplaceAll(pair().ReplaceAll(line[bytes.IndexByte(line, '{'):], []byte("$1\n")), []byte("\n\n"), []byte("\n")), '\n')
	})
	plain = prefixed().ReplaceAll(plain, []byte("$1"))
	plain = replaced(plain, "HTTP_", environment, headerOf)
	if said, whole := tree.Printed(plain); said != nil {
		plain, calls = said, whole
	}
	plain = replaced(plain, `\"`, command, func(in []byte) []byte {
		said, err := strconv.Unquote(string(in))
		if err != nil {
			return in
		}
		return []byte("\n" + wrapped().ReplaceAllString(strings.TrimSpace(said), " ") + "\n")
	})
	if bytes.Equal(plain, text) {
		return nil, false
	}
	return plain, calls
}

// replaced is a text in which each match of a pattern stands as something else. The pattern, which is dear, is asked only of a text
// that has what every match has.
func replaced(text []byte, has string, pattern func() *regexp.Regexp, with func([]byte) []byte) []byte {
	if !bytes.Contains(text, []byte(has)) {
		return text
	}
	return pattern().ReplaceAllFunc(text, with)
}
