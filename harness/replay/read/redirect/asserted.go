package redirect

import (
	"fmt"
	"regexp"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// near is how many lines above and below that which tells where a test was the others of its failure stand at most.
const near = 3

var (
	// colours are the signs by which terminals colour what is printed.
	colours = trail.Pattern("\x1b\\[[0-9;]{0,20}m")
	// gotBefore is what stands before the address that a test has got, in what it prints: as Playwright, Jest, WebdriverIO, JUnit,
	// Selenium, Robot Framework and Python's tests have it.
	gotBefore = trail.Pattern(`(?i)(?:\b(?:received|actual|(?:but:?|it) was|got|current[ _]?(?:url|location|path)|navigated to)\b[^"'<\n]{0,24}["'<(]?|\bnot found in ["']|\bassert ["'][^"'\n]{1,120}["'] in ["'])$`)
	// gotBehind is what stands behind it, as Chai, RSpec and Robot Framework have it.
	gotBehind = trail.Pattern(`(?i)^["'>)]\s+(?:to|does not|did not|should(?: have)?) (?:include|contain|match|have)`)
	// gotBelow is the line above it, as AssertJ has it.
	gotBelow = trail.Pattern(`(?i)\bexpecting(?: actual)?:\s*$`)
	// wants is what a line says, or the one above it, that tells what a test has waited for.
	wants = trail.Pattern(`(?i)\b(?:expect\w*|assert\w*|includes?|contain\w*|match\w*|have|not found in|waiting for|should)\b`)
	// wantsNot is how the failure of a test reads that waits for something not to be there.
	wantsNot = trail.Pattern(`(?i)\b(?:not[._ ]to|to[_ ]not|not[._](?:have|match|contain|include)\w*)\b|\bexpected[^:\n]{0,20}: *not\b|NotContain|\bnot in ["']|\bdoes ?not ?have|\bnot to be\b`)
	member   = trail.Pattern(`(?i)(?:` + added + `)\b`)
)

// asserted is where the output of a browser's test tells that the page was reached by its address as it was given, and that the test
// had waited for a registrationId in it; "" for nowhere, and where it is seen to have come.
func (b *back) asserted(files []source.File, others []recording.Exchange) string {
	for i := range others {
		if others[i].Path == b.at.EscapedPath() && member().MatchString(others[i].Query) {
			return ""
		}
	}
	address, note := b.address(), ""
	for i := range files {
		text := string(files[i].Head(mostText))
		if !strings.Contains(text, b.at.EscapedPath()) || !member().MatchString(text) {
			continue
		}
		list := strings.Split(colours().ReplaceAllString(text, ""), "\n")
		for n := range list {
			if len(list[n]) > mostLine || !strings.Contains(list[n], b.at.EscapedPath()) {
				continue
			}
			there, query := got(list, n, address)
			if !there {
				continue
			}
			if member().MatchString(query) {
				return ""
			}
			if at := wanted(list, n); note == "" && at > 0 && b.bare(strings.TrimPrefix(query, "?")) {
				note = fmt.Sprintf("%s line %d, where a test of the page missed the registrationId (%s line %d)", files[i].Name, n+1, files[i].Name, at)
			}
		}
	}
	return note
}

// address is how a test prints that it was there: its query is the first part that it has.
func (b *back) address() *regexp.Regexp {
	path := regexp.QuoteMeta(b.at.EscapedPath())
	return regexp.MustCompile(`(?:https?://` + regexp.QuoteMeta(b.at.Host) + path + `|["'<(]` + path + `)((?:\?[^\s"'<>]*)?)`)
}

// got says whether a line tells that a test had got to an address, and with what query.
func got(list []string, n int, address *regexp.Regexp) (is bool, query string) {
	line := list[n]
	above := n > 0 && len(list[n-1]) < mostLine && gotBelow().MatchString(list[n-1])
	for _, at := range address.FindAllStringSubmatchIndex(line, 8) {
		from, behind := at[0], line[at[1]:]
		if line[from] != 'h' {
			from++ // behind its quote
		}
		if behind != "" && !strings.ContainsAny(behind[:1], "\"'<>) \t\r") { // the address goes on
			continue
		}
		if above || gotBefore().MatchString(line[:from]) || gotBehind().MatchString(behind) {
			return true, line[at[2]:at[3]]
		}
	}
	return false, ""
}

// wanted is the line, from 1, near another that tells that a test had waited for a registrationId; 0 for none.
func wanted(list []string, n int) int {
	for i := max(0, n-near); i < min(len(list), n+near+1); i++ {
		line := list[i]
		if len(line) > mostLine || !member().MatchString(line) {
			continue
		}
		above := ""
		if i > 0 && len(list[i-1]) < mostLine {
			above = list[i-1]
		}
		if wantsNot().MatchString(line) || wantsNot().MatchString(above) {
			continue
		}
		if wants().MatchString(line) || wants().MatchString(above) {
			return i + 1
		}
	}
	return 0
}
