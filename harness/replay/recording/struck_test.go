package recording_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/recording"
)

// TestStruck: what loggers and people write where a value stood is no value; what only looks odd is one.
func TestStruck(t *testing.T) {
	t.Parallel()
	for _, v := range []string{
		"***", "*****", "•••", "xxx", "XXXXXXXX", "…", "...", "██████", "[REDACTED]", "<hidden>", "(removed)", "{filtered}", "[FILTERED]", "REDACTED", "**REDACTED**", "***redacted***",
		"[redacted: 312 chars]", "<redacted by proxy>", "[secret]", "<access_token>", "[cut]", "eyJ…[cut]", "eyJhbGciOiJIUzI1NiIsInR5cCI6…[cut]", "eyJhbGci...", "eyJhbGci…", "eyJ...[truncated]",
		"eyJhbGciOi[snip]", "4111********1111", "+1202***0142", "o***@maple.example", "https://pay.example/…", `"***"`, " [REDACTED] ", "sk_live_abc (truncated)", "xx-xxxxxxx", "XXX-XX-XXXX", "xxxx-xx-xx", "**/**",
		"eyJhbGciOiJIUzI1NiIs...cut", "eyJ0eXAi...REMOVED", "eyJhbGciOi-CUT", "eyJhbGci...k3Vq", "eyJhbGciOi[...]", "eyJhbGciOi(...)", "whsec_9mQ4...", "pm_6d8...ab12",
	} {
		require.True(t, recording.Struck(v), v)
	}
	for _, v := range []string{
		"", "*1111", "****1111", "xxxx-1111", "{{token}}", "$TOKEN", "${TOKEN}", "maple-vet", "INV-2041", "hidden-valley", "Hidden Valley Vets", "secret", "token", "Pending", "xx", "Cut & Go", "Wait… what",
		"2026-03-02T17:00:00Z", "Suite 12 (rear)", "a.b..c", "Fees (3 removed from bill) later", "[gym-1]", "<b>bold</b>", "ok (2)", "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJ4In0.abc", "--", "-", "N/A", "x-x", "xx-12", "xx-large", "hair-cut", "valley-hidden", "1...2 weeks later",
	} {
		require.False(t, recording.Struck(v), v)
	}
}

// TestStruckBody: a remark in brackets stands in a body's place; one that says that there was none is a body that was empty.
func TestStruckBody(t *testing.T) {
	t.Parallel()
	for _, v := range []string{"***", "[suppressed]", "[body not logged by policy 7]", "<response body is binary>", "(see the attachment)"} {
		require.True(t, recording.StruckBody([]byte(v)), v)
	}
	for _, v := range []string{"", "[]", "{}", "[true]", "<empty>", "[no content]", "(none)", "<html>", "<b>bold</b>", "[1]", "a [suppressed] b", `["a"]`} {
		require.False(t, recording.StruckBody([]byte(v)), v)
	}
}

// TestShortened: a name or an entry that says that there was more is none; one that was sent is.
func TestShortened(t *testing.T) {
	t.Parallel()
	for _, v := range []string{"...", "…", "... 3 more items", "…and so on", "[truncated]", "<omitted>", "2 more items", "(and 4 more)", "... (12 more keys)"} {
		require.True(t, recording.Shortened(v), v)
	}
	for _, v := range []string{"", "name", "truncated", "invoice", "more", "Manager", "3 more months of dues paid", "[gym-1]"} {
		require.False(t, recording.Shortened(v), v)
	}
}

// TestUnmarked: what is looked at first has no say of its own.
func TestUnmarked(t *testing.T) {
	t.Parallel()
	for _, v := range []string{"redacted", "'Sanitized'", "__anonymised__", "-withheld-", "\"ELIDED\"", "XxX", "abc...", "x*x", "##", "eyJ... [cut]", "a1 (masked)"} {
		require.True(t, recording.Struck(v), v)
	}
}

// FuzzStruck reads any value, in a time that its length bounds; spaces around it say nothing.
func FuzzStruck(f *testing.F) {
	f.Add("eyJ…[cut]")
	f.Add("[REDACTED]")
	f.Add("***")
	f.Fuzz(func(t *testing.T, value string) {
		require.Equal(t, recording.Struck(value), recording.Struck(" "+value+"\n"))
	})
}
