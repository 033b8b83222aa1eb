package world

import (
	"encoding/hex"
	"time"

	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// openEvent starts an event's body in the world's scratch buffer, up to and
// with the opening of Data.
func (w *World) openEvent(name string) []byte {
	b := append(w.body[:0], `{"Live":`...)
	if w.is(latitude.LiveTrue) {
		b = append(b, `true`...)
	} else {
		b = append(b, `false`...)
	}
	b = append(b, `,"Event":"`...)
	b = append(b, name...)
	return append(b, `","Data":{`...)
}

// emit records a webhook event about an entity with its exact body, and queues
// it for every endpoint that listens.
func (w *World) emit(name string, entity uuid.UUID, body []byte) {
	w.body = body
	id := w.core.NewID()
	exact := append([]byte(nil), body...)
	w.core.Record(kernel.Record{Kind: kernel.RecordEvent, Entity: entity, Name: name, ID: id, Body: exact})
	w.deliver(name, id, entity, exact)
}

// appendID writes an id in its usual form of 36 characters.
func appendID(b []byte, id uuid.UUID) []byte {
	for i, part := range [...][]byte{id[:4], id[4:6], id[6:8], id[8:10], id[10:]} {
		if i > 0 {
			b = append(b, '-')
		}
		b = hex.AppendEncode(b, part)
	}
	return b
}

// appendTime writes the present as ISO 8601 UTC; whole seconds, or milliseconds
// where the ledger says so.
func (w *World) appendTime(b []byte) []byte { return w.Now().AppendFormat(b, w.timeLayout()) }

func (w *World) timeLayout() string {
	if w.is(latitude.DatesMillis) {
		return "2006-01-02T15:04:05.000Z"
	}
	return "2006-01-02T15:04:05Z"
}

// timeText writes a moment as the API does.
func (w *World) timeText(t int64) string { return time.Unix(0, t).UTC().Format(w.timeLayout()) }

// invalid is the error of a request with one broken rule.
func invalid(pointer, received string, r rule) *kernel.Error {
	return &kernel.Error{Code: kernel.Invalid, Detail: "the request was refused: 1 problem found, nothing was changed", Findings: []kernel.Finding{
		{Pointer: pointer, Clause: r.Clause, Source: r.Source, Received: received, Expected: r.Expected, Fix: r.Fix},
	}}
}
