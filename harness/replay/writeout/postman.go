package writeout

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
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
		Raw  string `json:"raw,omitempty"`
	}
	pmRequest struct {
		Method string   `json:"method"`
		Header []pmPair `json:"header"`
		URL    string   `json:"url"`
		Body   *pmBody  `json:"body,omitempty"`
	}
	pmResponse struct {
		Name    string    `json:"name"`
		Request pmRequest `json:"originalRequest"`
		Status  string    `json:"status"`
		Code    int       `json:"code"`
		Header  []pmPair  `json:"header"`
		Body    *string   `json:"body,omitempty"`
	}
	pmItem struct {
		Name      string       `json:"name"`
		Request   pmRequest    `json:"request"`
		Responses []pmResponse `json:"response"`
		Events    []pmEvent    `json:"event,omitempty"`
	}
	pmEvent struct {
		Listen string              `json:"listen"`
		Script map[string][]string `json:"script"`
	}
)

// postman writes a collection with the recorded answers saved in it. Run, it puts what is
// answered in the place of what was recorded; what people did is asked of the control API.
func postman(c *Case) ([]byte, error) {
	items, values := []pmItem{}, append([]pmPair{{"base", c.Base}}, credentials...)
	names := c.names(func(name, value string) { values = append(values, pmPair{name, value}) })
	fill := strings.NewReplacer(names...)
	people := func(name, path, body string, stands []correlate.Value) {
		items = append(items, pmItem{
			Name: name, Responses: []pmResponse{}, Events: pmKeeps(stands),
			Request: pmRequest{Method: http.MethodPost, Header: []pmPair{{"Content-Type", "application/json"}}, URL: "{{base}}" + control + path, Body: &pmBody{"raw", body}},
		})
	}
	at := c.Script.World.Start
	for i := range c.Script.Steps {
		s := &c.Script.Steps[i]
		if wait := s.At.Sub(at); wait >= shortWait {
			at = s.At
			people("time passes", "/clock/advance", fmt.Sprintf(`{"by":%q}`, wait), nil)
		}
		switch {
		case s.Move != nil:
			people(oneLine(s.Text()), fill.Replace(s.Move.Path), fill.Replace(moveBody(s.Move)), s.Move.Stands)
		case s.Call != nil:
			items = append(items, c.pmCall(s.Call, fill))
		}
	}
	return json.MarshalIndent(map[string]any{
		"info": map[string]string{"name": c.Title, "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}, "item": items, "variable": values,
	}, "", "  ")
}

func (c *Case) pmCall(call *play.Call, fill *strings.Replacer) pmItem {
	x := &call.Exchange
	list := pmPairs(head(call))
	for i := range list {
		list[i].Value = fill.Replace(list[i].Value)
	}
	item := pmItem{
		Name: x.Method + " " + x.Path, Responses: []pmResponse{}, Events: pmKeeps(c.kept(x, call.Stands)),
		Request: pmRequest{Method: x.Method, Header: list, URL: "{{base}}" + fill.Replace(strings.TrimPrefix(c.address(x), c.Base))},
	}
	if len(x.Body) > 0 {
		item.Request.Body = &pmBody{Mode: "raw", Raw: fill.Replace(c.withCredentials(call))}
	}
	if a := c.answer(call); a.Status > 0 {
		r := pmResponse{Name: "recorded", Request: item.Request, Status: http.StatusText(a.Status), Code: a.Status, Header: pmPairs(a.Header)}
		if was := c.recorded(call); was.Struck || was.BodyMissing || len(x.StandIns) > 0 {
			_, admitted := trail.Header(head(call), "Authorization")
			r.Request = c.pmRecorded(was, admitted)
		}
		if a.Known == recording.Whole {
			body := string(a.Body)
			r.Body = &body
		}
		item.Responses = append(item.Responses, r)
	}
	return item
}

// pmRecorded is a request as it was recorded. That of one which was admitted had an Authorization, shown or not.
func (c *Case) pmRecorded(x *recording.Exchange, admitted bool) pmRequest {
	r := pmRequest{Method: x.Method, Header: pmPairs(headers(x)), URL: c.address(x)}
	if len(x.Body) > 0 {
		r.Body = &pmBody{Mode: "raw", Raw: string(x.Body)}
	}
	if x.BodyMissing { // a file that nobody has chosen
		r.Body = &pmBody{Mode: "file"}
	}
	if _, shown := trail.Header(x.Header, "Authorization"); (x.Struck || admitted) && !shown {
		r.Header = append(r.Header, pmPair{"Authorization", "***"})
	}
	return r
}

// pmKeeps is the script behind a request that takes values of its answer.
func pmKeeps(list []correlate.Value) []pmEvent {
	var lines []string
	for _, v := range list {
		if memberOf(v.Where) != "" && plainWord().MatchString(v.Text) {
			lines = append(lines, fmt.Sprintf("pm.collectionVariables.set(%q, %s);", httpName(v.Text), inScript("pm.response.json()", &v)))
		}
	}
	if lines == nil {
		return nil
	}
	return []pmEvent{{Listen: "test", Script: map[string][]string{"exec": lines}}}
}

func pmPairs(list []tape.Header) []pmPair {
	out := make([]pmPair, 0, len(list))
	for _, h := range list {
		out = append(out, pmPair{h.Name, h.Value})
	}
	return out
}
