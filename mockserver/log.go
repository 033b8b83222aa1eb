package mockserver

import (
	"log/slog"
	"regexp"
	"strings"
)

// secretNames are parts of attribute names whose values never reach a log.
var secretNames = []string{"secret", "token", "authorization", "ssn", "password", "card", "account", "documentnumber", "taxid"}

// personal finds what could identify a person, or open a door, in free text:
// access tokens, e-mail addresses, and long runs of digits.
var personal = regexp.MustCompile(`eyJ[\w-]+\.[\w-]+\.[\w-]*|[\w.+-]+@[\w-]+\.[\w.-]+|\+?\d[\d -]{7,}\d`)

// MaskAttr masks secrets and personal data in log attributes; it is the
// ReplaceAttr of every log handler of the sandbox.
func MaskAttr(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey) {
		return a
	}
	name := strings.ToLower(a.Key)
	for _, s := range secretNames {
		if strings.Contains(name, s) {
			return slog.String(a.Key, "••••")
		}
	}
	switch a.Value.Kind() {
	case slog.KindString:
		return slog.String(a.Key, MaskText(a.Value.String()))
	case slog.KindAny:
		if err, ok := a.Value.Any().(error); ok {
			return slog.String(a.Key, MaskText(err.Error()))
		}
		return a
	default:
		return a
	}
}

// MaskText masks what could identify a person, or open a door, in free text.
func MaskText(s string) string { return personal.ReplaceAllString(s, "••••") }
