package writeout

import (
	"encoding/json"
	"net/http"

	"paysandbox/mockserver/tape"
)

// The parts of a Postman collection v2.1 that a case has.
type (
	pmPair struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	}
	pmBody struct {
		Mode string `json:"mode"`
		Raw  string `json:"raw"`
	}
	pmRequest struct {
		Method string            `json:"method"`
		Header []pmPair          `json:"header"`
		URL    map[string]string `json:"url"`
		Body   *pmBody           `json:"body,omitempty"`
	}
	pmResponse struct {
		Name    string    `json:"name"`
		Request pmRequest `json:"originalRequest"`
		Status  string    `json:"status"`
		Code    int       `json:"code"`
		Header  []pmPair  `json:"header"`
		Body    string    `json:"body"`
	}
	pmItem struct {
		Name        string       `json:"name"`
		Description string       `json:"description,omitempty"`
		Request     pmRequest    `json:"request"`
		Responses   []pmResponse `json:"response"`
	}
)

// postman writes a collection with the recorded answers saved in it. What people did
// stands with the request that it came before.
func postman(c *Case) ([]byte, error) {
	items := []pmItem{}
	before := ""
	for i := range c.Script.Steps {
		s := &c.Script.Steps[i]
		if s.Call == nil {
			if s.Heard == 0 {
				before += oneLine(s.Text()) + "\n"
			}
			continue
		}
		x := &s.Call.Exchange
		item := pmItem{
			Name: x.Method + " " + x.Path, Description: before, Responses: []pmResponse{},
			Request: pmRequest{Method: x.Method, Header: pmPairs(headers(x)), URL: map[string]string{"raw": c.address(x)}},
		}
		if len(x.Body) > 0 {
			item.Request.Body = &pmBody{Mode: "raw", Raw: string(x.Body)}
		}
		if a := &x.Answer; a.Status > 0 {
			item.Responses = append(item.Responses, pmResponse{
				Name: "recorded", Request: item.Request, Status: http.StatusText(a.Status), Code: a.Status, Header: pmPairs(a.Header), Body: string(a.Body),
			})
		}
		items, before = append(items, item), ""
	}
	return json.MarshalIndent(map[string]any{
		"info": map[string]string{"name": c.Title, "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}, "item": items,
	}, "", "  ")
}

func pmPairs(list []tape.Header) []pmPair {
	out := make([]pmPair, 0, len(list))
	for _, h := range list {
		out = append(out, pmPair{h.Name, h.Value})
	}
	return out
}
