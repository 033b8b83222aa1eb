package tape

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// The types below have a shape in JSON that tags alone cannot give: times, and
// bytes in two forms. Each shape is the plain type with the special members
// beside it, which shadow those of the same name.

type (
	plainEntry    Entry
	plainExchange Exchange
	plainClock    Clock
	plainTimer    Timer
	plainAttempt  Attempt
	plainEvent    Event
	plainFetch    Fetch
)

type (
	entryWire struct {
		Seq   uint64 `json:"seq"`
		Cause uint64 `json:"cause,omitempty"`
		At    stamp  `json:"at"`
		plainEntry
	}
	clockWire struct {
		From stamp `json:"from"`
		To   stamp `json:"to"`
		plainClock
	}
	timerWire struct {
		Name string `json:"name"`
		Due  stamp  `json:"due"`
		plainTimer
	}
	attemptWire struct {
		plainAttempt
		Next stamp `json:"next,omitempty"`
		bodyWire
		answerWire
	}
	eventWire struct {
		plainEvent
		bodyWire
	}
	fetchWire struct {
		plainFetch
		bodyWire
	}
	headerWire struct {
		Name        string  `json:"name"`
		Value       *string `json:"value,omitempty"`
		ValueBase64 []byte  `json:"valueBase64,omitempty"`
	}
)

// What takes most of a tape has as few methods of its own as can be: encoding/json looks
// through what they give, and what they are to read, once more.
type (
	entryRead struct {
		entryWire
		Exchange *exchangeRead `json:"exchange,omitempty"`
	}
	exchangeRead struct {
		plainExchange
		Request  requestWire  `json:"request"`
		Response responseWire `json:"response"`
	}
	responseWire struct {
		Status int `json:"status,omitempty"`
		requestWire
	}
	requestWire struct {
		Header []headerWire `json:"header,omitempty"`
		bodyWire
	}
)

func newRequestWire(list []Header, body []byte) requestWire {
	w := requestWire{bodyWire: newBodyWire(body)}
	if len(list) > 0 {
		w.Header = make([]headerWire, len(list))
	}
	for i := range list {
		w.Header[i] = newHeaderWire(&list[i])
	}
	return w
}

func newHeaderWire(h *Header) headerWire {
	if utf8.ValidString(h.Value) {
		return headerWire{Name: h.Name, Value: &h.Value}
	}
	return headerWire{Name: h.Name, ValueBase64: []byte(h.Value)}
}

// into gives headers and body.
func (w *requestWire) into(list *[]Header, body *[]byte) error {
	var all error
	if w.Header != nil {
		*list = make([]Header, len(w.Header))
	}
	for i := range w.Header {
		var err error
		(*list)[i], err = w.Header[i].header()
		all = errors.Join(all, err)
	}
	return errors.Join(all, w.bodyWire.into(body))
}

// header gives it back.
func (w *headerWire) header() (Header, error) {
	value, twice := octetsOf(w.Value, w.ValueBase64)
	return Header{Name: w.Name, Value: string(value)}, twice
}

// shaped reads JSON in one of the shapes.
func shaped[T any](data []byte) (w T, err error) { return w, json.Unmarshal(data, &w) }

// MarshalJSON writes one line of the file format, without the line feed.
func (e Entry) MarshalJSON() ([]byte, error) {
	return toJSON(entryWire{e.Seq, e.Cause, stamp(e.At), plainEntry(e)})
}

// UnmarshalJSON reads what MarshalJSON writes. It does not validate.
func (e *Entry) UnmarshalJSON(data []byte) error {
	w, err := shaped[entryRead](data)
	*e = Entry(w.plainEntry)
	e.Seq, e.Cause, e.At = w.Seq, w.Cause, int64(w.At)
	if x := w.Exchange; x != nil {
		e.Exchange = (*Exchange)(&x.plainExchange)
		err = errors.Join(err, x.Request.into(&e.Exchange.Request.Header, &e.Exchange.Request.Body),
			x.Response.into(&e.Exchange.Response.Header, &e.Exchange.Response.Body))
		e.Exchange.Response.Status = x.Response.Status
	}
	return err
}

// MarshalJSON writes the times as RFC 3339.
func (c Clock) MarshalJSON() ([]byte, error) {
	return toJSON(clockWire{stamp(c.From), stamp(c.To), plainClock(c)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Clock) UnmarshalJSON(data []byte) error {
	w, err := shaped[clockWire](data)
	*c = Clock{From: int64(w.From), To: int64(w.To), Mode: w.Mode}
	return err
}

// MarshalJSON writes the time as RFC 3339.
func (t Timer) MarshalJSON() ([]byte, error) {
	return toJSON(timerWire{t.Name, stamp(t.Due), plainTimer(t)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (t *Timer) UnmarshalJSON(data []byte) error {
	w, err := shaped[timerWire](data)
	*t = Timer{Name: w.Name, Due: int64(w.Due), Scheduled: w.Scheduled}
	return err
}

// MarshalJSON writes the time as RFC 3339 and each body as text or base64.
func (a Attempt) MarshalJSON() ([]byte, error) {
	return toJSON(attemptWire{plainAttempt(a), stamp(a.Next), newBodyWire(a.Body), newAnswerWire(a.ResponseBody)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (a *Attempt) UnmarshalJSON(data []byte) error {
	w, err := shaped[attemptWire](data)
	*a = Attempt(w.plainAttempt)
	a.Next = int64(w.Next)
	return errors.Join(err, w.bodyWire.into(&a.Body), w.answerWire.into(&a.ResponseBody))
}

// MarshalJSON writes the body as "body" or "bodyBase64".
func (v Event) MarshalJSON() ([]byte, error) {
	return toJSON(eventWire{plainEvent(v), newBodyWire(v.Body)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Event) UnmarshalJSON(data []byte) error {
	w, err := shaped[eventWire](data)
	*v = Event(w.plainEvent)
	return errors.Join(err, w.into(&v.Body))
}

// MarshalJSON writes the body as "body" or "bodyBase64".
func (f Fetch) MarshalJSON() ([]byte, error) {
	return toJSON(fetchWire{plainFetch(f), newBodyWire(f.Body)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Fetch) UnmarshalJSON(data []byte) error {
	w, err := shaped[fetchWire](data)
	*f = Fetch(w.plainFetch)
	return errors.Join(err, w.into(&f.Body))
}

// MarshalJSON writes the body as "body" or "bodyBase64".
func (r Request) MarshalJSON() ([]byte, error) {
	return toJSON(newRequestWire(r.Header, r.Body))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Request) UnmarshalJSON(data []byte) error {
	w, err := shaped[requestWire](data)
	*r = Request{}
	return errors.Join(err, w.into(&r.Header, &r.Body))
}

// MarshalJSON writes the body as "body" or "bodyBase64".
func (r Response) MarshalJSON() ([]byte, error) {
	return toJSON(responseWire{r.Status, newRequestWire(r.Header, r.Body)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Response) UnmarshalJSON(data []byte) error {
	w, err := shaped[responseWire](data)
	*r = Response{Status: w.Status}
	return errors.Join(err, w.into(&r.Header, &r.Body))
}

// MarshalJSON writes the value as base64 when it is not valid UTF-8.
func (h Header) MarshalJSON() ([]byte, error) {
	return toJSON(newHeaderWire(&h))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (h *Header) UnmarshalJSON(data []byte) error {
	w, err := shaped[headerWire](data)
	var twice error
	*h, twice = w.header()
	return errors.Join(err, twice)
}

// object reads a line into v and refuses what encoding/json would mend silently.
func object(line []byte, v any) error {
	switch {
	case !utf8.Valid(line):
		return errUTF8
	case !bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")):
		return errNotObject
	default:
		if e, is := v.(*Entry); is {
			return e.UnmarshalJSON(line) // json.Unmarshal would look through the line first
		}
		return json.Unmarshal(line, v)
	}
}
