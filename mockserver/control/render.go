package control

import (
	"cmp"
	"embed"
	htmltemplate "html/template"
	"io"
	"net/url"
	"slices"
	"strings"
	"sync"
	texttemplate "text/template"

	"paysandbox/mockserver/tape"
)

//go:embed messages/*.tmpl
var messageFiles embed.FS

// unknownMessage is the text of a message that has none of its own.
const unknownMessage = "unknown"

// namelessCompany stands where a message names a company that has given no name: a name
// is advised alone.
const namelessCompany = "(a company without a name)"

// text is how one message is written: subject and plain text, and HTML.
type text struct {
	plain *texttemplate.Template
	html  *htmltemplate.Template
}

// texts are the texts of messages by the name of the template. They are
// embedded: one that does not parse is a programmer's mistake, and panics.
var texts = sync.OnceValue(func() map[string]text {
	all := map[string]text{}
	for _, name := range messageNames() {
		file := "messages/" + name
		all[name] = text{
			plain: texttemplate.Must(texttemplate.New(name).Option("missingkey=zero").ParseFS(messageFiles, file+".txt.tmpl")),
			html: htmltemplate.Must(htmltemplate.New(name).Option("missingkey=zero").
				ParseFS(messageFiles, "messages/layout.html.tmpl", file+".html.tmpl")),
		}
	}
	return all
})

// messageNames lists the templates that have a text, in the order of their names.
func messageNames() []string {
	entries, err := messageFiles.ReadDir("messages")
	if err != nil {
		panic("control: " + err.Error())
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".txt.tmpl"); ok {
			names = append(names, name)
		}
	}
	return names
}

// Letter is a message as its reader gets it: Subject and HTML are empty for an SMS, Links and
// Codes are in reading order.
type Letter struct {
	Subject, Text, HTML string
	Links, Codes        []string
}

// Render writes a message. The same message always gives the same bytes.
func Render(m *tape.Message) Letter {
	t, ok := texts()[m.Template]
	if !ok {
		t = texts()[unknownMessage]
	}
	values := map[string]any{"values": m.Params}
	for _, p := range m.Params {
		values[p.Name] = p.Value
		if p.Name == "company" {
			values[p.Name] = cmp.Or(p.Value, namelessCompany)
		}
	}
	r := Letter{Links: []string{}, Codes: []string{}}
	r.Subject = strings.Join(strings.Fields(execute(t.plain, "subject", values)), " ")
	r.Text = strings.TrimSpace(execute(t.plain, "text", values)) + "\n"
	if m.Channel == tape.ChannelEmail {
		values["subject"] = r.Subject
		r.HTML = execute(t.html, "layout.html.tmpl", values)
	} else {
		r.Subject = ""
	}
	r.extract(m.Params)
	return r
}

// execute writes a part of a text. The texts are tested: one that fails is a
// programmer's mistake.
func execute(t interface {
	ExecuteTemplate(w io.Writer, name string, data any) error
}, name string, values map[string]any,
) string {
	var b strings.Builder
	if err := t.ExecuteTemplate(&b, name, values); err != nil {
		panic("control: " + err.Error())
	}
	return b.String()
}

// extract finds the links and codes among the values, in the order in which
// they stand in the text.
func (r *Letter) extract(params []tape.Param) {
	at := map[string]int{}
	for _, p := range params {
		n := strings.Index(r.Text, p.Value)
		switch {
		case n < 0 || p.Value == "":
		case p.Name == "code":
			r.Codes = append(r.Codes, p.Value)
		case isLink(p):
			at[p.Value] = n
			r.Links = append(r.Links, p.Value)
		}
	}
	slices.SortStableFunc(r.Links, func(a, b string) int { return cmp.Compare(at[a], at[b]) })
}

// isLink says whether a value is an address of the sandbox's own.
func isLink(p tape.Param) bool {
	if p.Name != "link" && p.Name != "portal" {
		return false
	}
	u, err := url.Parse(p.Value)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}
