package record

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// insomniaFile is what is read of an export of Insomnia's version 4.
type insomniaFile struct {
	Resources []insomniaResource `json:"resources"`
}

type insomniaResource struct {
	Type           text            `json:"_type"`
	Method         text            `json:"method"`
	URL            text            `json:"url"`
	Sort           number          `json:"metaSortKey"`
	Headers        harPairs        `json:"headers"`
	Body           json.RawMessage `json:"body"`
	Authentication struct {
		Type  text `json:"type"`
		Token text `json:"token"`
	} `json:"authentication"`
	Data map[string]json.RawMessage `json:"data"`
}

// Insomnia reads the requests of an export, in the order in which Insomnia shows them;
// it has no answers. What its environments say is filled in.
func Insomnia(f *source.File, v source.Variables) (*source.Part, error) {
	var file insomniaFile
	data := f.Text()
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, source.BadJSON(f, data, "insomnia", `{"_type":"export","resources":[…]}`, err)
	}
	p, said := source.NewPart(f, "insomnia"), source.Variables{}
	type request struct {
		*insomniaResource
		place recording.Place
	}
	var requests []request
	for i := range file.Resources {
		r := &file.Resources[i]
		switch r.Type {
		case "environment":
			for name, raw := range r.Data {
				var value text
				if json.Unmarshal(raw, &value) == nil {
					said[name] = string(value)
				}
			}
		case "request":
			at := p.Entry(len(requests) + 1)
			at.Pointer = fmt.Sprintf("/resources/%d", i)
			requests = append(requests, request{r, at})
		}
	}
	slices.SortStableFunc(requests, func(a, b request) int { return cmp.Compare(a.Sort, b.Sort) })
	values := said.With(v)
	for _, r := range requests {
		if p.Full(r.place) {
			break
		}
		r.add(p, r.place, values)
	}
	return p, nil
}

// add adds a request's call.
func (r *insomniaResource) add(p *source.Part, at recording.Place, v source.Variables) {
	fill := func(s string) string { return v.Fill(strings.ReplaceAll(s, "_.", "")) }
	x := recording.Exchange{Place: at, Method: strings.ToUpper(cmp.Or(string(r.Method), "GET")), Answer: recording.Answer{Known: recording.NotRecorded}}
	if err := source.SetAddress(&x, fill(string(r.URL))); err != nil {
		p.Skip(at, "the request has no address")
		return
	}
	for _, h := range r.Headers.list() {
		x.Header = append(x.Header, tape.Header{Name: h.Name, Value: fill(h.Value)})
	}
	if token := fill(string(r.Authentication.Token)); strings.EqualFold(string(r.Authentication.Type), "bearer") && token != "" {
		x.Header = source.SetHeader(x.Header, "Authorization", "Bearer "+token)
	}
	var sent struct {
		MimeType, Text text
	}
	_ = json.Unmarshal(r.Body, &sent) // what is no object sends nothing
	if body := fill(string(sent.Text)); body != "" {
		x.Body = []byte(body)
		if sent.MimeType != "" {
			x.Header = source.SetHeader(x.Header, "Content-Type", string(sent.MimeType))
		}
	}
	p.Call(x)
}
