package hosted_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/theme"
)

// element is one element of a page, with the text inside it.
type element struct {
	name  string
	attr  map[string]string
	text  string
	under []string
}

// elements reads a page. It stops at the first thing that is not well nested.
func elements(t *testing.T, body string) []*element {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(body))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var all, open []*element
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			require.Empty(t, open)
			return all
		}
		require.NoError(t, err)
		switch x := token.(type) {
		case xml.StartElement:
			e := &element{name: x.Name.Local, attr: map[string]string{}}
			for _, o := range open {
				e.under = append(e.under, o.name)
			}
			for _, a := range x.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			all, open = append(all, e), append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, o := range open {
				o.text += string(x)
			}
		}
	}
}

func TestEveryPageIsAccessible(t *testing.T) {
	t.Parallel()
	scenes := gallery(t)
	for _, s := range scenes {
		require.NotEqual(t, 303, s.status, s.name)
		require.Empty(t, barriers(t, s.body), s.name)
	}
}

func TestBarriersAreFound(t *testing.T) {
	t.Parallel()
	const frame = `<html lang="en"><head><title>A page</title><meta name="viewport" content="width=device-width"></head><body><header></header><main><h1>A</h1>%</main><footer></footer></body></html>`
	for part, want := range map[string]string{
		`<p>fine</p>`:                                                "",
		`<input type="text" id="a">`:                                 "input a has no label",
		`<label for="a"></label><input id="a">`:                      "input a has no label",
		`<p id="a"></p><p id="a"></p>`:                               "two elements with the id a",
		`<p data-testid="a"></p><p data-testid="a"></p>`:             "two elements with the data-testid a",
		`<h3>x</h3>`:                                                 "h3 after h1",
		`<h1>x</h1>`:                                                 "2 of h1",
		`<fieldset><legend></legend></fieldset>`:                     "legend without text",
		`<a href="#b">x</a>`:                                         "#b leads nowhere",
		`<a href="/x"></a>`:                                          "a without text",
		`<button></button>`:                                          "button without text",
		`<p aria-describedby="b">x</p>`:                              "b describes but is not there",
		`<link rel="stylesheet" href="https://x.example/a.css">`:     "a link to https://x.example/a.css",
		`<p tabindex="2">x</p>`:                                      "tabindex",
		`<table><tr><th>x</th></tr></table>`:                         "th without scope",
		`<label for="a">A</label><input id="a" aria-invalid="true">`: "input a is wrong and does not say why",
	} {
		found := barriers(t, strings.Replace(frame, "%", part, 1))
		if want == "" {
			require.Empty(t, found)
			continue
		}
		require.Contains(t, strings.Join(found, "; "), want, part)
	}
	require.Contains(t, barriers(t, `<html><head></head><body></body></html>`), "no lang")
}

// barriers lists what keeps people from using a page.
func barriers(t *testing.T, body string) []string {
	t.Helper()
	all := elements(t, body)
	var found []string
	count, ids, labels := map[string]int{}, map[string]bool{}, map[string]bool{}
	for _, e := range all {
		count[e.name]++
		if id := e.attr["id"]; id != "" && ids[id] {
			found = append(found, "two elements with the id "+id)
		}
		ids[e.attr["id"]] = true
		if id := "data-testid " + e.attr["data-testid"]; e.attr["data-testid"] != "" {
			if ids[id] {
				found = append(found, "two elements with the "+id)
			}
			ids[id] = true
		}
		if e.name == "label" && strings.TrimSpace(e.text) != "" {
			labels[e.attr["for"]] = true
		}
	}
	for _, name := range []string{"title", "h1", "main", "header", "footer"} {
		if count[name] != 1 {
			found = append(found, strconv.Itoa(count[name])+" of "+name)
		}
	}
	if all[0].attr["lang"] != "en" {
		found = append(found, "no lang")
	}
	if !strings.Contains(body, `name="viewport" content="width=device-width`) {
		found = append(found, "no viewport")
	}
	for _, e := range all {
		found = append(found, judge(e, ids, labels)...)
	}
	return append(found, judgeHeadings(all)...)
}

// judgeHeadings lists the headings that skip a level.
func judgeHeadings(all []*element) []string {
	var found []string
	level := 0
	for _, e := range all {
		h := strings.TrimPrefix(e.name, "h")
		if len(e.name) != 2 || !strings.Contains("123456", h) {
			continue
		}
		n := int(h[0] - '0')
		if n > level+1 {
			found = append(found, e.name+" after h"+strconv.Itoa(level))
		}
		level = n
	}
	return found
}

// judge lists what is wrong with one element.
func judge(e *element, ids, labels map[string]bool) []string {
	var found []string
	add := func(s string) { found = append(found, s) }
	switch e.name {
	case "input":
		if e.attr["type"] != "hidden" && !labels[e.attr["id"]] {
			add("input " + e.attr["id"] + " has no label")
		}
		if e.attr["aria-invalid"] != "" && !strings.Contains(e.attr["aria-describedby"], "-error") {
			add("input " + e.attr["id"] + " is wrong and does not say why")
		}
	case "a", "button", "legend", "title", "h1", "h2", "h3", "summary", "th":
		if strings.TrimSpace(e.text) == "" {
			add(e.name + " without text")
		}
	case "link":
		if !strings.HasPrefix(e.attr["href"], theme.Prefix) {
			add("a link to " + e.attr["href"])
		}
	case "img", "script", "iframe", "select", "style":
		add(e.name + " is not expected here")
	}
	if e.name == "th" && e.attr["scope"] == "" {
		add("th without scope")
	}
	return append(found, judgeLinks(e, ids)...)
}

// judgeLinks lists what an element names that is not there.
func judgeLinks(e *element, ids map[string]bool) []string {
	var found []string
	add := func(s string) { found = append(found, s) }
	if target, ok := strings.CutPrefix(e.attr["href"], "#"); ok && !ids[target] {
		add("#" + target + " leads nowhere")
	}
	for _, id := range strings.Fields(e.attr["aria-describedby"] + " " + e.attr["aria-labelledby"]) {
		if !ids[id] {
			add(id + " describes but is not there")
		}
	}
	if e.attr["tabindex"] != "" {
		add("tabindex: the order of the page is the order of the keyboard")
	}
	return found
}
