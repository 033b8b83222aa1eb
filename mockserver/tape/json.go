package tape

import (
	"encoding/json"
	"unicode/utf8"
)

// The types below have a shape in JSON that tags alone cannot give: times, and
// bytes in two forms. Each method writes or reads the plain type with the
// special members beside it, which shadow those of the same name.

type (
	plainEntry    Entry
	plainAttempt  Attempt
	plainEvent    Event
	plainFetch    Fetch
	plainRequest  Request
	plainResponse Response
)

type entryWire struct {
	Seq   uint64 `json:"seq"`
	Cause uint64 `json:"cause,omitempty"`
	At    *stamp `json:"at"`
	plainEntry
}

// MarshalJSON writes one line of the file format, without the line feed.
func (e Entry) MarshalJSON() ([]byte, error) {
	at := stamp(e.At)
	return toJSON(entryWire{Seq: e.Seq, Cause: e.Cause, At: &at, plainEntry: plainEntry(e)})
}

// UnmarshalJSON reads what MarshalJSON writes. It does not validate.
func (e *Entry) UnmarshalJSON(data []byte) error {
	var w entryWire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	*e = Entry(w.plainEntry)
	e.Seq, e.Cause = w.Seq, w.Cause
	if w.At != nil {
		e.At = int64(*w.At)
	}
	return nil
}

type headerWire struct {
	Name        string  `json:"name"`
	Value       *string `json:"value,omitempty"`
	ValueBase64 []byte  `json:"valueBase64,omitempty"`
}

// MarshalJSON writes the value as base64 when it is not valid UTF-8.
func (h Header) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(h.Value) {
		return toJSON(headerWire{Name: h.Name, Value: &h.Value})
	}
	return toJSON(headerWire{Name: h.Name, ValueBase64: []byte(h.Value)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (h *Header) UnmarshalJSON(data []byte) error {
	var w headerWire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	value, err := octetsOf(w.Value, w.ValueBase64)
	*h = Header{Name: w.Name, Value: string(value)}
	return err
}

type requestWire struct {
	plainRequest
	bodyWire
}

// MarshalJSON writes the body as "body" or "bodyBase64".
func (r Request) MarshalJSON() ([]byte, error) {
	return toJSON(requestWire{plainRequest(r), newBodyWire(r.Body)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Request) UnmarshalJSON(data []byte) (err error) {
	var w requestWire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	*r = Request(w.plainRequest)
	r.Body, err = w.bytes()
	return err
}

type responseWire struct {
	plainResponse
	bodyWire
}

// MarshalJSON writes the body as "body" or "bodyBase64".
func (r Response) MarshalJSON() ([]byte, error) {
	return toJSON(responseWire{plainResponse(r), newBodyWire(r.Body)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Response) UnmarshalJSON(data []byte) (err error) {
	var w responseWire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	*r = Response(w.plainResponse)
	r.Body, err = w.bytes()
	return err
}

type eventWire struct {
	plainEvent
	bodyWire
}

// MarshalJSON writes the body as "body" or "bodyBase64".
func (v Event) MarshalJSON() ([]byte, error) {
	return toJSON(eventWire{plainEvent(v), newBodyWire(v.Body)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Event) UnmarshalJSON(data []byte) (err error) {
	var w eventWire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	*v = Event(w.plainEvent)
	v.Body, err = w.bytes()
	return err
}

type fetchWire struct {
	plainFetch
	bodyWire
}

// MarshalJSON writes the body as "body" or "bodyBase64".
func (f Fetch) MarshalJSON() ([]byte, error) {
	return toJSON(fetchWire{plainFetch(f), newBodyWire(f.Body)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Fetch) UnmarshalJSON(data []byte) (err error) {
	var w fetchWire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	*f = Fetch(w.plainFetch)
	f.Body, err = w.bytes()
	return err
}
