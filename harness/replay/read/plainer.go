package read

import (
	"bytes"
	"strconv"
	"strings"

	"paysandbox/harness/trail"
)

var (
	// citation is what mails put before each line of what they answer to.
	citation = trail.Pattern(`(?m)^(?:(?:[>|][ \t]?)+|<[ \t]+|<\r?$)`)
	// colours are what terminals are told.
	colours = trail.Pattern("\x1b\\[[0-9;]*[A-Za-z]")
	// quoted is a text in quotes in which an end of a line is written as its sign.
	quoted = trail.Pattern(`"(?:[^"\\\n]|\\.)*\\n(?:[^"\\\n]|\\.)*"`)
	// pythonQuoted are bytes as Python prints them.
	pythonQuoted = trail.Pattern(`\bb'(?:[^'\\\n]|\\.)*'`)
)

// pythonEscapes are the signs that stand for others there.
var pythonEscapes = strings.NewReplacer(`\r\n`, "\n", `\n`, "\n", `\'`, "'", `\\`, `\`, `\t`, "\t")

// plainer is a text without the citation marks of mails and the colours of terminals, in
// which texts in quotes that hold several lines stand as these lines; nil when that
// changes nothing.
func plainer(text []byte) []byte {
	plain := colours().ReplaceAll(text, nil)
	if all := citation().FindAll(plain, 4); len(all) > 3 {
		plain = citation().ReplaceAll(plain, nil)
	}
	plain = pythonQuoted().ReplaceAllFunc(plain, func(in []byte) []byte {
		return append([]byte("\n"), pythonEscapes.Replace(string(in[2:len(in)-1]))...)
	})
	plain = quoted().ReplaceAllFunc(plain, func(in []byte) []byte {
		said, err := strconv.Unquote(string(in))
		if err != nil {
			return in
		}
		return []byte("\n" + said + "\n")
	})
	if bytes.Equal(plain, text) {
		return nil
	}
	return plain
}
