package flow

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// execution is one run of a workflow.
type execution struct {
	Data struct {
		ResultData struct {
			RunData map[string][]run `json:"runData"`
		} `json:"resultData"`
	} `json:"data"`
	WorkflowData struct {
		Nodes []node `json:"nodes"`
	} `json:"workflowData"`
}

// node is one step of a workflow.
type node struct {
	Name        string         `json:"name"`
	Type        string         `json:"type"`
	Parameters  map[string]any `json:"parameters"`
	ExecuteOnce bool           `json:"executeOnce"`
}

// run is one time that a node was run.
type run struct {
	StartTime     float64 `json:"startTime"`
	ExecutionTime float64 `json:"executionTime"`
	// Source are the nodes whose output was the run's input.
	Source []*origin `json:"source"`
	Error  any       `json:"error"`
	// Data are the items of each of the node's outputs.
	Data struct {
		Main [][]item `json:"main"`
	} `json:"data"`
	name  string
	index int
}

// origin is an output of a run.
type origin struct {
	Node   string `json:"previousNode"`
	Output int    `json:"previousNodeOutput"`
	Run    int    `json:"previousNodeRun"`
}

// item is one thing that a node gives.
type item struct {
	JSON   any `json:"json"`
	Error  any `json:"error"`
	Paired any `json:"pairedItem"`
}

// requester and listener are the types of nodes that make calls, and that take them.
const (
	requester = ".httpRequest"
	listener  = ".webhook"
)

// Is says whether a file is an execution with the workflow that was executed.
func Is(text []byte) bool {
	text = bytes.TrimSpace(text)
	return len(text) > 0 && (text[0] == '{' || text[0] == '[') && bytes.Contains(text, []byte(`"runData"`)) &&
		bytes.Contains(text, []byte(`"workflowData"`)) && bytes.Contains(text, []byte(requester+`"`))
}

// N8N reads executions: one, a list, or a list as the API pages it.
func N8N(f *source.File, _ source.Variables) (*source.Part, error) {
	p := source.NewPart(f, "n8n")
	all, err := executions(f.Text())
	budget := 4 * source.MaxBody
	for i := range all {
		all[i].read(p, &budget)
	}
	if err == nil && len(p.Exchanges)+len(p.Received) == 0 {
		err = errors.New("no node of it has made a call")
	}
	if err != nil {
		return nil, &source.Error{File: f.Name, Format: "n8n", Err: err, Expected: `an execution with "workflowData" and "data", as n8n's API gives it with includeData=true`}
	}
	return p, nil
}

func executions(text []byte) ([]execution, error) {
	text = bytes.TrimSpace(text)
	var list []execution
	if bytes.HasPrefix(text, []byte("[")) {
		return list, decode(text, &list)
	}
	var page struct {
		Data json.RawMessage `json:"data"`
	}
	if err := decode(text, &page); err != nil {
		return nil, err
	}
	if bytes.HasPrefix(page.Data, []byte("[")) {
		return list, decode(page.Data, &list)
	}
	var one execution
	err := decode(text, &one)
	return []execution{one}, err
}

// decode reads JSON; numbers stay as they are written.
func decode(text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(to)
}

// read adds the calls of an execution, in the order in which its nodes were run.
func (e *execution) read(p *source.Part, budget *int) {
	nodes := map[string]*node{}
	for i := range e.WorkflowData.Nodes {
		nodes[e.WorkflowData.Nodes[i].Name] = &e.WorkflowData.Nodes[i]
	}
	var runs []*run
	for _, name := range slices.Sorted(maps.Keys(e.Data.ResultData.RunData)) {
		list := e.Data.ResultData.RunData[name]
		for i := range list {
			list[i].name, list[i].index = name, i
			runs = append(runs, &list[i])
		}
	}
	slices.SortStableFunc(runs, func(a, b *run) int { return cmp.Compare(a.StartTime, b.StartTime) })
	for _, r := range runs {
		switch n := nodes[r.name]; {
		case n == nil:
		case strings.HasSuffix(n.Type, requester):
			e.calls(p, n, r, budget)
		case strings.HasSuffix(n.Type, listener):
			r.received(p)
		}
	}
}

// calls adds those of one run: one for each item of its input.
func (e *execution) calls(p *source.Part, n *node, r *run, budget *int) {
	input, known := e.input(r)
	count := len(input)
	if !known || count == 0 {
		count = r.items()
	}
	if n.ExecuteOnce {
		count = 1
	}
	for i := range count {
		place := p.Entry(len(p.Exchanges) + 1)
		if p.Full(place) {
			return
		}
		s := scope{execution: e, run: r, item: i, budget: budget}
		if known && i < len(input) {
			s.input, s.known = input[i].JSON, true
		}
		x := recording.Exchange{Place: place, Begin: source.Unix(r.StartTime)}
		x.Answer, x.End = r.answer(n, i, count), x.Begin.Add(source.Milliseconds(r.ExecutionTime))
		if s.echo = nil; x.Answer.Status/100 == 2 {
			_ = decode(x.Answer.Body, &s.echo)
		}
		if !s.request(&x, n) {
			p.Skip(place, "a node whose address no run shows: "+r.name)
			continue
		}
		if x.Begin.IsZero() {
			x.End = time.Time{}
		}
		p.Call(x)
	}
}

// input are the items that a run was given, and whether the file shows them.
func (e *execution) input(r *run) ([]item, bool) {
	if len(r.Source) == 0 || r.Source[0] == nil {
		return nil, false
	}
	o := r.Source[0]
	list := e.Data.ResultData.RunData[o.Node]
	if o.Run < 0 || o.Run >= len(list) || o.Output < 0 || o.Output >= len(list[o.Run].Data.Main) {
		return nil, false
	}
	return list[o.Run].Data.Main[o.Output], true
}

// items is how many items a run had by what it gave, at least one.
func (r *run) items() int {
	most := 1
	for _, output := range r.Data.Main {
		for i := range output {
			most = max(most, min(output[i].of()+1, source.MaxEntries))
		}
	}
	return most
}

// of is the number of the item of the input that an item was made of.
func (t *item) of() int {
	v := t.Paired
	if list, many := v.([]any); many && len(list) > 0 {
		v = list[0]
	}
	if m, is := v.(map[string]any); is {
		v = m["item"]
	}
	number, _ := v.(json.Number)
	n, _ := number.Int64()
	return int(max(0, n))
}

// received adds the webhooks that a run has taken.
func (r *run) received(p *source.Part) {
	for _, output := range r.Data.Main {
		for i := range output {
			m, _ := output[i].JSON.(map[string]any)
			body, isObject := m["body"].(map[string]any)
			place := p.Entry(len(p.Received) + 1)
			if !isObject || body["Event"] == nil || p.Full(place) {
				continue
			}
			w := recording.Received{Place: place, At: source.Unix(r.StartTime), Header: headers(m["headers"]), Body: source.Encoded(body), Reprinted: true}
			w.URL, _ = m["webhookUrl"].(string)
			p.Received = append(p.Received, w)
		}
	}
}
