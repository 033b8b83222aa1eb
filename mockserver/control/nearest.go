package control

import (
	"strings"

	"paysandbox/mockserver/wire"
)

// nearest is the name that is spelled most like the one given, whatever the
// case; of equals the first.
func nearest(given string, names []string) string {
	given = strings.ToLower(clip(given))
	best, least := "", -1
	for _, name := range names {
		if d := wire.Edits(given, strings.ToLower(name)); least < 0 || d < least {
			best, least = name, d
		}
	}
	return best
}

// clip cuts what a stranger has written.
func clip(s string) string {
	if len(s) > 200 {
		return strings.ToValidUTF8(s[:200], "") + "…"
	}
	return s
}
