package wire

import (
	"encoding/json"
	"sync"
)

// Append appends the JSON text of v to dst, in the given shape, on one line,
// without a newline at the end and without HTML escapes. It panics when v
// cannot be written as JSON, which is a programmer's mistake.
func Append(dst []byte, v any, shape Shape) []byte {
	e := encoders.Get().(*encoder)
	e.sink.b = dst
	start := len(dst)
	if err := e.json.Encode(v); err != nil {
		panic("wire: " + err.Error())
	}
	out := e.sink.b
	out = out[:len(out)-1]
	e.sink.b = nil
	encoders.Put(e)
	if !shape.active() {
		return out
	}
	text := string(out[start:])
	return shape.append(out[:start], text)
}

// encoder is an encoding/json encoder and the memory it writes to.
type encoder struct {
	sink sink
	json *json.Encoder
}

// encoders is the pool of encoders, each ready for use.
var encoders = sync.Pool{New: func() any {
	e := &encoder{}
	e.json = json.NewEncoder(&e.sink)
	e.json.SetEscapeHTML(false)
	return e
}}

// sink appends what is written to it.
type sink struct{ b []byte }

// Write never fails.
func (s *sink) Write(p []byte) (int, error) {
	s.b = append(s.b, p...)
	return len(p), nil
}
