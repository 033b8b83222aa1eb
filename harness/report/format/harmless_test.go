package format_test

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/report/diff"
	"paysandbox/harness/report/sample"
)

// TestControlCharactersAreSeen: a body with carriage returns or an escape is shown
// with their pictures, in every format for people, and nothing takes them for
// commands.
func TestControlCharactersAreSeen(t *testing.T) {
	t.Parallel()
	const nasty = "a\rb\x1b[31mc\x01d\x7fe\u0085f\u202eg\u2066h\tok"
	r := sample.Integration()
	for i := range r.Clauses {
		if r.Clauses[i].ID == "partner.token.reuse" {
			r.Clauses[i].Evidence[0].Received = nasty
			r.Clauses[i].Evidence[0].Request = nasty
		}
	}
	for _, name := range []string{"pretty", "markdown", "html", "junit"} {
		text := string(sample.Written(t, name, r))
		require.Contains(t, text, "a␍b␛[31mc␁d␡e�f�g�h", name)
		require.NotContains(t, text, "&#xD;", name)
		require.False(t, strings.ContainsAny(text, "\r\x1b\x01\x7f\u0085\u202e\u2066"), name)
	}
	d := diff.Compare(sample.Integration(), r)
	var b strings.Builder
	require.NoError(t, diff.Write("text", &d, &b))
	require.NotContains(t, b.String(), "\u202e")
}

// TestJUnitHoldsNothingThatXMLCannot reads back what an application sent, in names
// and properties too.
func TestJUnitHoldsNothingThatXMLCannot(t *testing.T) {
	t.Parallel()
	const nasty = "\x1b\x08\ufffe\xff]]>\u202e"
	r := sample.HostileService()
	r.Tool, r.Command, r.Clauses[0].ID, r.Clauses[0].Area, r.Scenarios[0].Name, r.Scenarios[0].Feature = nasty, nasty, nasty, nasty, nasty, nasty
	text := sample.Written(t, "junit", r)
	require.NoError(t, junitCheck(text))
	var d junitDocument
	require.NoError(t, xml.Unmarshal(text, &d))
	require.NotContains(t, string(text), "\u202e")
	for _, s := range d.Suites {
		require.Len(t, s.Cases, s.Tests)
	}
}
