package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// pmCollection is a Postman collection v2.1, or v2.0, of which little differs.
type pmCollection struct {
	Info     pmInfo   `json:"info"`
	Variable pmPairs  `json:"variable"`
	Auth     *pmAuth  `json:"auth"`
	Item     []pmItem `json:"item"`
}

// pmInfo names a collection.
type pmInfo struct {
	ID     text `json:"_postman_id"`
	Name   text `json:"name"`
	Schema text `json:"schema"`
}

// pmItem is a folder, or a request with the answers that were saved with it.
type pmItem struct {
	ID       text         `json:"id"`
	PMID     text         `json:"_postman_id"`
	Name     text         `json:"name"`
	Item     []pmItem     `json:"item"`
	Auth     *pmAuth      `json:"auth"`
	Request  *pmRequest   `json:"request"`
	Response []pmResponse `json:"response"`
}

type pmResponse struct {
	Original *pmRequest `json:"originalRequest"`
	Code     number     `json:"code"`
	Header   pmPairs    `json:"header"`
	Body     *text      `json:"body"`
	Stream   *pmStream  `json:"stream"`
	Took     number     `json:"responseTime"`
}

// Postman reads a Postman collection. A request stands for one call without an answer;
// answers that were saved with it stand for one call each, in its place.
func Postman(f *source.File, v source.Variables) (*source.Part, error) {
	var c pmCollection
	data := f.Text()
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, source.BadJSON(f, data, "postman", "a collection v2.1", err)
	}
	if c.Item == nil {
		return nil, &source.Error{File: f.Name, Format: "postman", Err: errWanted(`member "item"`), Expected: "a collection v2.1", Fix: "export it again as v2.1"}
	}
	p := source.NewPart(f, "postman")
	p.Source().Creator, p.Collection = "Postman", string(c.Info.ID+" "+c.Info.Name)
	w := &pmWalk{part: p, values: v.With(c.Variable.variables()).With(v)}
	w.items(c.Item, c.Auth, "/item", 0)
	return p, nil
}

// pmWalk goes through a collection.
type pmWalk struct {
	part   *source.Part
	values source.Variables
	n      int
}

func (w *pmWalk) items(items []pmItem, auth *pmAuth, pointer string, depth int) {
	for i := range items {
		item, at := &items[i], fmt.Sprintf("%s/%d", pointer, i)
		own := auth
		if item.Auth != nil {
			own = item.Auth
		}
		switch {
		case depth > source.MaxNesting:
			w.part.Skip(recording.Place{Source: w.part.Source().Name, Pointer: at}, fmt.Sprintf("folders deeper than %d are not read", source.MaxNesting))
			return
		case item.Request != nil:
			w.request(item, own, at)
		default:
			w.items(item.Item, own, at+"/item", depth+1)
		}
	}
}

// request adds a request with its saved answers.
func (w *pmWalk) request(item *pmItem, auth *pmAuth, pointer string) {
	w.n++
	at := w.part.Entry(w.n)
	at.Pointer = pointer
	if w.part.Full(at) {
		return
	}
	link := string(item.ID + item.PMID)
	if len(item.Response) == 0 {
		w.add(item.Request, auth, at, link, recording.Answer{Known: recording.NotRecorded})
	}
	for i := range item.Response {
		r := &item.Response[i]
		asked := r.Original
		if asked == nil {
			asked = item.Request
		}
		at.Pointer = fmt.Sprintf("%s/response/%d", pointer, i)
		w.add(asked, auth, at, link, r.answer())
	}
}

func (w *pmWalk) add(r *pmRequest, auth *pmAuth, at recording.Place, link string, a recording.Answer) {
	x, err := r.call(auth, w.values)
	if err != nil {
		w.part.Skip(at, "the request cannot be read: "+err.Error())
		return
	}
	x.Place, x.Link, x.Answer = at, link, a
	if x.BodyMissing {
		w.part.SkipKind(recording.OfCall, at, "the collection does not hold the request's body")
	}
	w.part.Call(x)
}

// answer is what a saved answer, or one of a run, holds.
func (r *pmResponse) answer() recording.Answer {
	a := recording.Answer{Known: recording.WithoutBody, Status: int(r.Code), Header: r.Header.headers(nil)}
	switch {
	case r.Code <= 0:
		return recording.Answer{Known: recording.NeverArrived}
	case r.Stream != nil:
		a.Known, a.Body = recording.Whole, r.Stream.bytes
	case r.Body != nil:
		a.Known, a.Body = recording.Whole, []byte(*r.Body)
	}
	return a
}

// call makes a call of a request.
func (r *pmRequest) call(auth *pmAuth, v source.Variables) (recording.Exchange, error) {
	x := recording.Exchange{Method: strings.ToUpper(string(r.Method)), Header: r.Header.headers(v)}
	if x.Method == "" {
		x.Method = "GET"
	}
	if r.Auth != nil {
		auth = r.Auth
	}
	auth.set(&x, v)
	if err := r.Body.set(&x, v); err != nil {
		return x, err
	}
	return x, source.SetAddress(&x, v.Fill(r.URL.address()))
}

// PostmanVariables reads an exported environment, or exported globals.
func PostmanVariables(f *source.File) (source.Variables, error) {
	var e struct {
		Values pmPairs `json:"values"`
	}
	data := f.Text()
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, source.BadJSON(f, data, "postman-environment", `{"values":[{"key":…,"value":…}]}`, err)
	}
	known := e.Values.variables()
	maps.DeleteFunc(known, func(_, value string) bool { return value == "" }) // which a run sets
	return known, nil
}

// Environments reads the environments of a .http client: an object of environments. With
// several, what all of them agree on is known, and the rest stays open.
func Environments(f *source.File) (source.Variables, error) {
	var all map[string]map[string]text
	data := f.Text()
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, source.BadJSON(f, data, "http-environment", `{"dev":{"name":"value"}}`, err)
	}
	known, differ := source.Variables{}, map[string]bool{}
	for name, values := range all {
		for key, value := range values {
			if before, ok := known[key]; ok && before != string(value) && name != "$shared" {
				differ[key] = true
			}
			known[key] = string(value)
		}
	}
	for key := range differ {
		delete(known, key)
	}
	return known, nil
}

var errBody = errors.New("its body is in no known mode")

// pmPairs are Postman's lists of named values; those that are switched off do not count.
type pmPairs []struct {
	Key      text  `json:"key"`
	Value    text  `json:"value"`
	Disabled bool  `json:"disabled"`
	Enabled  *bool `json:"enabled"`
	Type     text  `json:"type"`
}

// UnmarshalJSON takes a list; old exports write headers as a text of lines.
func (p *pmPairs) UnmarshalJSON(data []byte) error {
	type plain pmPairs // has no such method
	return readList(data, (*plain)(p))
}

func (p pmPairs) variables() source.Variables {
	v := source.Variables{}
	for _, one := range p {
		if !one.Disabled && (one.Enabled == nil || *one.Enabled) && one.Key != "" {
			v[string(one.Key)] = string(one.Value)
		}
	}
	return v
}

func (p pmPairs) headers(v source.Variables) []tape.Header {
	var list []tape.Header
	for _, one := range p {
		if !one.Disabled && one.Key != "" {
			list = append(list, tape.Header{Name: v.Fill(string(one.Key)), Value: v.Fill(string(one.Value))})
		}
	}
	return list
}

// form writes the fields as a form's body.
func (p pmPairs) form(v source.Variables) string {
	var list []string
	for _, one := range p {
		if !one.Disabled {
			list = append(list, url.QueryEscape(v.Fill(string(one.Key)))+"="+url.QueryEscape(v.Fill(string(one.Value))))
		}
	}
	return strings.Join(list, "&")
}
