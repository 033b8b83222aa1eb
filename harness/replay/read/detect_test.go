package read_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
)

// TestWhatPaysandboxWritesIsNoRecording: calls are named in it, and it is refused with what it is; so is a text of which no line is a call.
func TestWhatPaysandboxWritesIsNoRecording(t *testing.T) {
	t.Parallel()
	house, err := os.ReadFile("../../../README.md")
	require.NoError(t, err)
	rules, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	const call = "POST /Payment/Create HTTP/1.1\n\n{\"amount\":5}\n\nHTTP/1.1 400 Bad Request\n\n{}\n"
	for text, what := range map[string]string{
		string(house): "a text that explains paysandbox",
		string(rules): "a text that explains paysandbox",
		"<!doctype html>\n<html><head><title>Ready – Integration readiness by paysandbox</title></head><body>" + call:                              "a report of paysandbox's verdict",
		"<!doctype html>\n<title>x</title>\n<meta name=\"generator\" content=\"paysandbox replay\">" + call:                                        "the page of a case",
		"<!doctype html>\n<title>s.tape · paysandbox</title>" + call:                                                                               "the pages of a tape",
		`{"format": "paysandbox-report/1", "clauses":[{"evidence":"POST /Payment/Create answered 400"}]}`:                                          "a report of paysandbox's verdict",
		"{\n \"version\": 1,\n \"title\": \"x\",\n \"signature\": \"y\",\n \"sources\": [], \"call\": \"POST /Payment/Create answered 400\"}":      "a case that replay has written",
		"meta {\n  name: Create\n  type: http\n}\n\npost {\n  url: {{base}}/Payment/Create\n}\n":                                                   "a file of Bruno",
		"# POST /Payment/Create shows x (partner)\n\n**What happened**: 1 call.\n\n**First went wrong**: call 1, POST /Payment/Create was refused": "a case that replay has written",
		`{"openapi":"3.1.0","paths":{"/Payment/Create":{"post":{}}},"url":"x"}`:                                                                    "a description of an API",
		"HTTP/1.1 200 OK\n": "no call stands in it",
	} {
		_, err := read.Contents([]source.File{file("f", text)}, read.Options{})
		require.ErrorContains(t, err, what)
	}
	r := readAll(t, read.Options{}, file("f", call))
	require.Len(t, r.Exchanges, 1)
}
