package read_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// TestAttackAnEmptyFileBesideAMail: it is told, and the mail read.
func TestAttackAnEmptyFileBesideAMail(t *testing.T) {
	t.Parallel()
	const mail = "From: a@b.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n" +
		"--x\nContent-Type: text/plain\n\nsee the file\n\n--x\nContent-Type: text/plain; name=b.http\n" +
		"Content-Disposition: attachment; filename=b.http\n\nGET https://api.example.com/Company/List\n\n--x--\n"
	for _, files := range [][]source.File{
		{{Name: "m.eml", Data: []byte(mail)}, {Name: "empty.txt"}},
		{{Name: "empty.txt", Data: []byte{}}, {Name: "m.eml", Data: []byte(mail)}},
	} {
		r, err := read.Contents(files, read.Options{})
		require.NoError(t, err)
		require.Len(t, r.Exchanges, 1)
		require.Contains(t, r.Skipped, recording.Skipped{Place: recording.Place{Source: "empty.txt", Line: 1}, Why: "the whole file: it is empty"})
	}
}

// TestAttackAWideTable: a row of a great many empty values is not read.
func TestAttackAWideTable(t *testing.T) {
	t.Parallel()
	for _, mark := range []string{",", ";", "\t"} {
		text := strings.Join([]string{"method", "url", "status"}, mark) + "\n" + strings.Repeat(mark, 1<<20)
		_, err := read.Contents([]source.File{{Name: "a.csv", Data: []byte(text)}}, read.Options{})
		require.ErrorContains(t, err, "a row has more than 10,000 values")
	}
}
