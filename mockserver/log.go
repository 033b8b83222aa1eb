package mockserver

import (
	"log/slog"

	"paysandbox/mockserver/secret"
)

// MaskAttr masks secrets and personal data in log attributes; it is the
// ReplaceAttr of every log handler of the sandbox.
func MaskAttr(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey) {
		return a
	}
	if secret.Logged(a.Key) {
		return slog.String(a.Key, secret.LogHidden)
	}
	switch a.Value.Kind() {
	case slog.KindString:
		return slog.String(a.Key, secret.LogText(a.Value.String()))
	case slog.KindAny:
		if err, ok := a.Value.Any().(error); ok {
			return slog.String(a.Key, secret.LogText(err.Error()))
		}
		return a
	default:
		return a
	}
}
