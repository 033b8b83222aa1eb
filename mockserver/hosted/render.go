package hosted

import (
	"embed"
	"html/template"
	"io"
	"io/fs"
	"strings"
	"sync"

	"paysandbox/mockserver/hosted/form"
	"paysandbox/mockserver/theme"
)

//go:embed templates/*.html
var templates embed.FS

// sheets are the parsed templates by name, each with the layout around it.
type sheets map[string]*template.Template

// parsed are the templates, parsed when a page is first asked for: most sandboxes
// start without.
var parsed = sync.OnceValue(loadSheets)

// loadSheets parses the embedded templates; one that cannot be parsed is a
// mistake of this package's programmers.
func loadSheets() sheets {
	s := sheets{}
	frame := template.Must(template.New("layout.html").ParseFS(templates, "templates/layout.html", "templates/parts.html"))
	names, err := fs.Glob(templates, "templates/*.html")
	if err != nil {
		panic("hosted: " + err.Error())
	}
	for _, file := range names {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "templates/"), ".html")
		if name == "layout" || name == "parts" {
			continue
		}
		s[name] = template.Must(template.Must(frame.Clone()).ParseFS(templates, file))
	}
	return s
}

// render writes one page.
func (s sheets) render(w io.Writer, page sheet) error {
	return s[page.Name].ExecuteTemplate(w, "layout.html", page)
}

// problem is one thing that is wrong with a form.
type problem struct{ Field, Message string }

// problems are all that is wrong with a form, in the order of its fields.
type problems []problem

func (p *problems) add(field, message string) { *p = append(*p, problem{field, message}) }

// of gives the message for a field, "" when it is right.
func (p problems) of(field string) string {
	for i := range p {
		if p[i].Field == field {
			return p[i].Message
		}
	}
	return ""
}

// sheet is what every template is given.
type sheet struct {
	Name, Title string
	// CSRF is the form's token, Action the address that forms are posted to.
	CSRF, Action string
	Problems     problems
	Data         any

	// Did is the console's page of the form that led here, "" for none.
	Did string

	form   form.Form
	fields []form.Field
}

// sheet puts together what the template is given.
func (v *visit) sheet() sheet {
	a := &v.answer
	s := sheet{Name: a.sheet, Title: a.title, Problems: a.problems, Data: a.data, form: v.form}
	if number := v.did(); number != "" && v.house.opts.Console {
		s.Did = "/console/" + v.On.ID + "/entries/" + number
	}
	if v.page != nil {
		s.CSRF, s.Action, s.fields = v.token, v.self(), v.page.fields
	}
	return s
}

// Head and Brand are the look that all pages of the sandbox share.
func (s sheet) Head() template.HTML { return theme.Head() }

// Brand is the mark and the name.
func (s sheet) Brand() template.HTML { return theme.Brand() }

// Value is what was typed into a field, "" for secrets.
func (s sheet) Value(name string) string {
	for _, f := range s.fields {
		if f.Name == name && !f.Secret {
			if value := s.form.Get(name); value != form.Unreadable {
				return value
			}
		}
	}
	return ""
}

// Wrong is the message for a field, "" when it is right.
func (s sheet) Wrong(name string) string { return s.Problems.of(name) }

// input is one text field with its label.
type input struct {
	Name, Label, Hint, Value, Wrong string
	// Type, Mode, Complete and Max are attributes; Max 0 is none.
	Type, Mode, Complete string
	Max                  int
}

// DescribedBy lists the ids of the texts that belong to the field.
func (i input) DescribedBy() string {
	var ids []string
	if i.Hint != "" {
		ids = append(ids, i.Name+"-hint")
	}
	if i.Wrong != "" {
		ids = append(ids, i.Name+"-error")
	}
	return strings.Join(ids, " ")
}

// Text makes a text field.
func (s sheet) Text(name, label, hint, complete string, most int) input {
	return input{
		Name: name, Label: label, Hint: hint, Value: s.Value(name), Wrong: s.Wrong(name),
		Type: "text", Complete: complete, Max: most,
	}
}

// Digits makes a text field that wants the numeric keyboard.
func (s sheet) Digits(name, label, hint, complete string, most int) input {
	i := s.Text(name, label, hint, complete, most)
	i.Mode = "numeric"
	return i
}

// Date makes a field for a date.
func (s sheet) Date(name, label, hint, complete string) input {
	i := s.Text(name, label, hint, complete, 0)
	i.Type = "date"
	return i
}
