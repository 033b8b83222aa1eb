package service

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"mime"
	"strconv"
	"strings"
	"sync"

	"paysandbox/harness/schema"
	"paysandbox/harness/trail"
	"paysandbox/harness/verdict"
	"paysandbox/mockserver/tape"
)

// conformance holds every answer to the description: the status is declared for the
// operation, the media type for the status, and the body fits its schema.
func (o *Options) conformance(t *trail.Trail) []verdict.Judgement {
	if o.Document == nil {
		return []verdict.Judgement{{Word: verdict.NotReached, Received: "no OpenAPI description was handed in"}}
	}
	if !o.Document.Follows(t.Meta.Latitude) {
		return verdict.DoesNotApply("the description that was handed in follows other choices")
	}
	var y verdict.Tally
	for e := range t.Of(tape.KindExchange) {
		switch x := e.Exchange; {
		case trail.Faulted(x):
			y.Skip("a fault has shaped the answer")
		default:
			o.Document.exchange(&y, e)
		}
	}
	t.Omitted(&y, tape.KindExchange)
	return y.Judgements("no answer of the partner API")
}

// exchange holds one answer to the description.
func (d *Document) exchange(y *verdict.Tally, e *tape.Entry) {
	x := e.Exchange
	op, known := d.operations[x.Operation]
	name := x.Method + " " + x.Path
	if !known {
		if x.Operation == "" && (x.Response.Status == 404 || x.Response.Status == 405) {
			y.Holds(e.Seq)
			return
		}
		y.Breach("error.status", "an operation of the description", name+" was answered with "+strconv.Itoa(x.Response.Status), "", e.Seq)
		return
	}
	at := op.pointer + "/responses/" + strconv.Itoa(x.Response.Status)
	if d.described.Node(at) == nil && (x.Response.Status == 429 || x.Response.Status >= 500) {
		at = op.pointer + "/responses/default" // which stands for these, not for any status
	}
	if d.described.Node(at) == nil {
		y.Breach("error.status", name+" answers one of "+strings.Join(schema.Children(d.described.Node(op.pointer+"/responses")), ", "), strconv.Itoa(x.Response.Status), "", e.Seq)
		return
	}
	clause, problems := d.answer(d.described.Resolve(at), x)
	for _, p := range problems {
		y.Breach(clause, name+" answers as described", p, "", e.Seq)
	}
	if len(problems) == 0 {
		y.Holds(e.Seq)
	}
}

// answer judges media type and body of an answer, and says which clause is
// broken. The tape has the body of an answer to HEAD, which never left.
func (d *Document) answer(at string, x *tape.Exchange) (clause string, problems []string) {
	content := schema.Children(d.described.Node(at + "/content"))
	raw := x.Response.Body
	if len(content) == 0 {
		if len(raw) > 0 {
			return "wire.empty-answers", []string{"a body where none is described: " + trail.Show(raw)}
		}
		return "", nil
	}
	clause = shapeClause(x)
	given, _ := trail.Header(x.Response.Header, "Content-Type")
	media, _, err := mime.ParseMediaType(given)
	if err != nil || d.described.Node(at+"/content/"+schema.Escape(media)) == nil {
		if trail.Served(x) {
			clause = "wire.accept"
		}
		return clause, []string{fmt.Sprintf("the media type %q, which is none of %s", given, strings.Join(content, ", "))}
	}
	at = d.described.Resolve(at + "/content/" + schema.Escape(media) + "/schema")
	value, err := d.described.Body(at, media, raw)
	if err != nil {
		return clause, []string{"a body that is no JSON: " + trail.Show(raw)}
	}
	return clause, d.described.Judge(at, value)
}

// shapeClause is the clause about the shape of an answer.
func shapeClause(x *tape.Exchange) string {
	if !trail.Served(x) {
		return "error.body"
	}
	return cmp.Or(trail.OperationOf(x).Shape, "wire.response-names")
}

// Document is an OpenAPI 3.1 description that answers are held to. It is safe
// for concurrent use.
type Document struct {
	described  *schema.Document
	operations map[string]operation
}

// operation is one operation of the document.
type operation struct {
	// pointer is where it stands in the document.
	pointer string
	// keyed is true when it takes an Idempotency-Key.
	keyed bool
}

// Follows says whether the description is that of a service with these choices.
func (d *Document) Follows(choices map[string]string) bool {
	told := d.described.Object("/info")["x-choices"]
	own, _ := told.(map[string]any)
	return maps.EqualFunc(own, choices, func(a any, b string) bool { return a == b })
}

// Descriptions are the descriptions of one service, by the choices that they follow:
// each integration may have made its own. It is safe for concurrent use.
type Descriptions struct {
	// Usual is the description of whoever has chosen nothing; nil when there is none.
	Usual *Document
	mu    sync.Mutex
	list  []*Document
}

// Of gives the description under these choices, which read fetches when it has not
// been seen yet. A service that has none of its own for them is held to Usual.
func (d *Descriptions) Of(choices map[string]string, read func() ([]byte, error)) *Document {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, known := range append([]*Document{d.Usual}, d.list...) {
		if known == nil || known.Follows(choices) {
			return known
		}
	}
	raw, err := read()
	if err != nil {
		return d.Usual
	}
	own, err := ReadDocument(raw)
	if err != nil {
		return d.Usual
	}
	d.list = append(d.list, own)
	return own
}

// ReadDocument reads a description from JSON. Objects that name their members
// and do not say otherwise admit no others.
func ReadDocument(raw []byte) (*Document, error) {
	described, err := schema.Read(raw)
	if err != nil {
		return nil, err
	}
	d := &Document{described: described, operations: map[string]operation{}}
	d.list()
	if len(d.operations) == 0 {
		return nil, errors.New("read the OpenAPI description: it has no operation with an operationId")
	}
	return d, nil
}

// list finds the operations by their ids.
func (d *Document) list() {
	paths, _ := d.described.Node("/paths").(map[string]any)
	for path, v := range paths {
		methods, _ := v.(map[string]any)
		for method, v := range methods {
			op, _ := v.(map[string]any)
			id, _ := op["operationId"].(string)
			if id == "" {
				continue
			}
			pointer := "/paths/" + schema.Escape(path) + "/" + method
			d.operations[id] = operation{pointer: pointer, keyed: d.takesKey(pointer, op)}
		}
	}
}

// takesKey says whether an operation has the header Idempotency-Key.
func (d *Document) takesKey(pointer string, op map[string]any) bool {
	params, _ := op["parameters"].([]any)
	for i := range params {
		p, _ := d.described.Node(d.described.Resolve(pointer + "/parameters/" + strconv.Itoa(i))).(map[string]any)
		if name, _ := p["name"].(string); strings.EqualFold(name, "Idempotency-Key") && p["in"] == "header" {
			return true
		}
	}
	return false
}
