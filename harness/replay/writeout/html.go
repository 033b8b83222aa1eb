package writeout

import (
	"bytes"
	_ "embed"
	"html/template"
	"strings"

	"paysandbox/harness/trail"
)

//go:embed case.html
var casePage string

// row is a step in a table.
type row struct {
	N      int
	Who    string
	What   string
	Answer int
}

// rows are the steps of a script with what came back.
func (c *Case) rows() []row {
	answers := map[int]int{}
	for i := range c.Run.Answers {
		answers[c.Run.Answers[i].Step] = c.Run.Answers[i].Status
	}
	var list []row
	for i := range c.Script.Steps {
		s := &c.Script.Steps[i]
		who := "partner"
		if s.Call == nil {
			who = "others"
		} else if s.Call.N < 0 {
			who = "assumed"
		}
		list = append(list, row{i + 1, who, trail.Show([]byte(oneLine(s.Text()))), answers[i]})
	}
	return list
}

// part is a list with a title; empty ones are left out.
type part struct {
	Title string
	List  []string
}

func (c *Case) parts() []part {
	var list []part
	for _, p := range []part{{"Assumed", c.Assumptions}, {"Choices of the service", c.Choices}, {"Differences", c.Differences}} {
		if len(p.List) > 0 {
			list = append(list, p)
		}
	}
	return list
}

// page writes one file without any other: it may be attached to a ticket.
func page(c *Case) ([]byte, error) {
	t, err := template.New("case").Parse(casePage)
	if err != nil {
		return nil, err
	}
	type line struct{ Name, Text string }
	var lines []line
	for _, l := range c.Lines {
		name, text, ok := strings.Cut(l, ":")
		if !ok {
			name, text = "", l
		}
		lines = append(lines, line{name, text})
	}
	var b bytes.Buffer
	err = t.Execute(&b, map[string]any{"Title": c.Title, "Lines": lines, "Rows": c.rows(), "Parts": c.parts()})
	return b.Bytes(), err
}
