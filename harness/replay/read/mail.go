package read

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/read/table"
	"paysandbox/harness/trail"
)

// maxParts is how many parts of a mail are read, and maxDepth how deep they may lie.
const (
	maxParts = 100
	maxDepth = 5
)

// encoded is a line of a mail's head which says that the text below it is not as it was
// written: in parts, or encoded.
var encoded = trail.Pattern(`(?mi)\A(?:(?:[A-Za-z-]+:|[ \t]).*\r?\n)*(?:Content-Type:[ \t]*multipart/|Content-Transfer-Encoding:[ \t]*(?:base64|quoted-printable))`)

// unpacked puts the texts and attachments of mails in the place of the mails.
func unpacked(files []source.File) []source.File {
	var list []source.File
	for _, f := range files {
		m := &mailParts{name: f.Name}
		if message, err := mail.ReadMessage(bytes.NewReader(f.Text())); err == nil && encoded().Match(begin(f.Text())) {
			m.take(message.Header.Get, message.Body, 0)
		}
		if plain, places := unwrapped(&f); plain != nil && len(m.files) == 0 && !table.Is(f.Text()) && !table.IsMarkdown(f.Text()) {
			m.files = []source.File{{Name: f.Name, Data: plain, Lines: places}}
		}
		if len(m.files) == 0 {
			m.files = []source.File{f}
		}
		list = append(list, m.files...)
	}
	return list
}

// mailParts are the parts of a mail that may hold calls.
type mailParts struct {
	name  string
	files []source.File
	size  int
}

// take takes a part, or what lies in it. What cannot be decoded is left as far as it goes.
func (m *mailParts) take(header func(string) string, body io.Reader, depth int) {
	kind, fields, err := mime.ParseMediaType(header("Content-Type"))
	if err != nil {
		kind = "text/plain"
	}
	if strings.HasPrefix(kind, "multipart/") {
		parts := multipart.NewReader(body, fields["boundary"])
		for depth < maxDepth && len(m.files) < maxParts {
			part, err := parts.NextRawPart()
			if err != nil {
				return
			}
			m.take(part.Header.Get, part, depth+1)
		}
		return
	}
	if strings.HasPrefix(kind, "image/") || kind == "text/html" && len(m.files) > 0 {
		return // as a page it says what the text before it says
	}
	data, _ := io.ReadAll(io.LimitReader(decoded(body, header("Content-Transfer-Encoding")), int64(source.MaxFile-m.size)))
	m.size += len(data)
	data = source.InLetters(data, fields["charset"])
	if kind == "text/html" {
		data = seen(data)
	}
	if len(bytes.TrimSpace(data)) > 0 {
		m.files = append(m.files, source.File{Name: m.partName(header, fields), Data: data})
	}
}

// partName is the mail's name, with that of the attachment.
func (m *mailParts) partName(header func(string) string, fields map[string]string) string {
	_, disposition, err := mime.ParseMediaType(header("Content-Disposition"))
	if err == nil && disposition["filename"] != "" {
		return m.name + ": " + disposition["filename"]
	}
	if fields["name"] != "" {
		return m.name + ": " + fields["name"]
	}
	if len(m.files) > 0 {
		return fmt.Sprintf("%s: part %d", m.name, len(m.files)+1)
	}
	return m.name
}

func decoded(body io.Reader, encoding string) io.Reader {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		return quotedprintable.NewReader(body)
	default:
		return body
	}
}
