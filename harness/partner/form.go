package partner

import (
	"errors"
	"html"
	"net/url"
	"regexp"
	"slices"
	"sync"
)

// FormMedia is the media type of a form that is sent.
const FormMedia = "application/x-www-form-urlencoded"

// Form is the first form of a page.
type Form struct {
	// Action is where it is sent.
	Action *url.URL
	// Names are its fields' in their order, Offered the values that the page offers for them:
	// of hidden fields, buttons and choices.
	Names   []string
	Offered map[string][]string
	// Hidden is what the page has hidden in it.
	Hidden url.Values
}

var errNoForm = errors.New("the page has no form")

var (
	formAction = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<form method="post" action="([^"]*)"`) })
	formField  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<(?:input|select|button|textarea)[^>]*>`) })
	formPart   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` (name|type|value)="([^"]*)"`) })
)

// Form reads the form of a page.
func (p *Page) Form() (*Form, error) {
	action := formAction().FindSubmatch(p.Body)
	if action == nil {
		return nil, errNoForm
	}
	to, err := p.Address.Parse(html.UnescapeString(string(action[1])))
	if err != nil {
		return nil, err
	}
	f := &Form{Action: to, Offered: map[string][]string{}, Hidden: url.Values{}}
	for _, field := range formField().FindAllString(string(p.Body), -1) {
		part := map[string]string{}
		for _, m := range formPart().FindAllStringSubmatch(field, -1) {
			part[m[1]] = html.UnescapeString(m[2])
		}
		name, value := part["name"], part["value"]
		if name == "" {
			continue
		}
		if !slices.Contains(f.Names, name) {
			f.Names = append(f.Names, name)
		}
		if value != "" {
			f.Offered[name] = append(f.Offered[name], value)
		}
		if part["type"] == "hidden" {
			f.Hidden.Set(name, value)
		}
	}
	return f, nil
}
