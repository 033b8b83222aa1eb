package read_test

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
)

// mail is one whose text says hello, with a file attached in base64.
func mail(attached string) string {
	return "From: a@partner.example\nMIME-Version: 1.0\nContent-Type: multipart/mixed;\n boundary=\"b\"\n\n--b\nContent-Type: text/plain\n\nhello\n--b\n" +
		"Content-Type: application/json\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=\"calls.jsonl\"\n\n" +
		base64.StdEncoding.EncodeToString([]byte(attached)) + "\n--b--\n"
}

// TestMail: what is attached to a mail is read, what its encoding has cut is put
// together, and a text without calls is told.
func TestMail(t *testing.T) {
	t.Parallel()
	line := `{"method":"GET","url":"https://a.example/Company/List","status":200}`
	r := readAll(t, read.Options{}, source.File{Name: "m.eml", Data: []byte(mail(line))})
	require.Len(t, r.Exchanges, 1)
	require.Equal(t, "m.eml: calls.jsonl", r.Exchanges[0].Place.Source)
	require.Len(t, r.Skipped, 1)
	require.Equal(t, "a part of the mail in which no call stands", r.Skipped[0].Why)

	quoted := "Subject: x\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\nGET https://a.example/Comp=\nany/List =3D> 200 OK\n"
	r = readAll(t, read.Options{}, source.File{Name: "q.eml", Data: []byte(quoted)})
	require.Len(t, r.Exchanges, 1)
	require.Equal(t, "/Company/List", r.Exchanges[0].Path)

	_, err := read.Contents([]source.File{{Name: "n.eml", Data: []byte(mail("nothing"))}}, read.Options{})
	require.Error(t, err)
}

// TestMailInOtherLetters: a mail, and a part of one, is read in UTF-16 with and without its mark, and in the letters of Windows.
func TestMailInOtherLetters(t *testing.T) {
	t.Parallel()
	const line = `{"method":"POST","url":"https://a.example/Payment/Create","body":{"shortDescription":"Zürich"},"status":200}`
	wide := func(s string, mark bool) []byte {
		var out []byte
		if mark {
			out = append(out, 0xff, 0xfe)
		}
		for _, u := range utf16.Encode([]rune(s)) {
			out = binary.LittleEndian.AppendUint16(out, u)
		}
		return out
	}
	part := func(charset string, body []byte) []byte {
		return []byte("From: a@partner.example\nMIME-Version: 1.0\nContent-Type: text/plain; charset=" + charset + "\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString(body) + "\n")
	}
	for name, data := range map[string][]byte{
		"with its mark":           wide(mail(line), true),
		"without it":              wide(mail(line), false),
		"a part, with its mark":   part("utf-16", wide(line, true)),
		"a part, without it":      part("UTF-16LE", wide(line, false)),
		"a part, of Windows":      part("windows-1252", []byte(strings.Replace(line, "ü", "\xfc", 1))),
		"a part, wrongly so said": part("iso-8859-1", []byte(line)),
	} {
		r := readAll(t, read.Options{}, source.File{Name: "m.eml", Data: data})
		require.Len(t, r.Exchanges, 1, name)
		require.JSONEq(t, `{"shortDescription":"Zürich"}`, string(r.Exchanges[0].Body), name)
	}
}
