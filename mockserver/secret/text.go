package secret

import (
	"regexp"
	"sync"
)

// LogHidden stands in a log where something was struck.
const LogHidden = "••••"

// personal finds what could identify a person, or open a door, in free text:
// access tokens, e-mail addresses, and long runs of digits. It is compiled when
// something is logged.
var personal = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`eyJ[\w-]+\.[\w-]+\.[\w-]*|[\w.+-]+@[\w-]+\.[\w.-]+|\+?\d[\d -]{7,}\d`)
})

// LogText masks what could identify a person, or open a door, in a text that goes
// to a log.
func LogText(s string) string { return personal().ReplaceAllString(s, LogHidden) }
