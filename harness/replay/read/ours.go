package read

import (
	"errors"
	"regexp"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

// ours are what paysandbox itself writes for people and that names calls, by their beginnings: it records nothing.
var ours = []struct {
	what, instead string
	is            func() *regexp.Regexp
}{
	{"a report of paysandbox's verdict", "give the tape or the files that it was made of", trail.Pattern(`\A\s*\{\s*"format":\s*"paysandbox-report/|<testsuites name="paysandbox"|(?i:\A\s*<!doctype html)[\s\S]*<title>[^<]* by paysandbox</title>`)},
	{"the page of a case that replay has written", "give the files that the case was made of, or its folder", trail.Pattern(`(?i:\A\s*<!doctype html)[\s\S]*<meta name="generator" content="paysandbox replay">`)},
	{"a case that replay has written", "give the files that the case was made of, or its folder", trail.Pattern(`\A\s*\{\s*"version":\s*[0-9]+,\s*"title":[^\n]*\s*"signature":[^\n]*\s*"sources":|\A# [^\n]*\n\s*\*\*What happened\*\*: [^\n]*\n\s*\*\*First went wrong\*\*`)},
	{"the pages of a tape", "give the tape itself: `paysandbox tape show` wrote them of it", trail.Pattern(`(?i:\A\s*<!doctype html)[\s\S]*<title>[^<]* · paysandbox</title>`)},
	{"a text that explains paysandbox", "give what the partner has sent", trail.Pattern("\\A# paysandbox\\b|<!-- [a-z: ]*written by `make golden` -->")},
	{"a description of an API", "give what was called, such as a HAR", trail.Pattern(`\A\s*\{\s*"(?:openapi|swagger)":\s*"|\A(?:openapi|swagger):\s*["'0-9]`)},
}

// ofOurs is the error for a file that is none of a partner's recordings, nil for any other.
func ofOurs(f *source.File, content []byte) error {
	for _, o := range ours {
		if o.is().Match(content[:min(len(content), sample)]) {
			return &source.Error{File: f.Name, Format: "a recording", Err: errors.New("it is " + o.what), Fix: o.instead}
		}
	}
	return nil
}
