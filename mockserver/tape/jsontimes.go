package tape

import (
	"encoding/json"
	"errors"
)

type attemptWire struct {
	plainAttempt
	Next stamp `json:"next,omitempty"`
	bodyWire
	answerWire
}

// MarshalJSON writes the time as RFC 3339 and each body as text or base64.
func (a Attempt) MarshalJSON() ([]byte, error) {
	return toJSON(attemptWire{
		plainAttempt(a), stamp(a.Next), newBodyWire(a.Body), newAnswerWire(a.ResponseBody),
	})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (a *Attempt) UnmarshalJSON(data []byte) error {
	var w attemptWire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	*a = Attempt(w.plainAttempt)
	a.Next = int64(w.Next)
	var sent, answered error
	a.Body, sent = w.bodyWire.bytes()
	a.ResponseBody, answered = w.answerWire.bytes()
	return errors.Join(sent, answered)
}

type clockWire struct {
	From stamp  `json:"from"`
	To   stamp  `json:"to"`
	Mode string `json:"mode,omitempty"`
}

// MarshalJSON writes the times as RFC 3339.
func (c Clock) MarshalJSON() ([]byte, error) {
	return toJSON(clockWire{From: stamp(c.From), To: stamp(c.To), Mode: c.Mode})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (c *Clock) UnmarshalJSON(data []byte) error {
	var w clockWire
	err := json.Unmarshal(data, &w)
	*c = Clock{From: int64(w.From), To: int64(w.To), Mode: w.Mode}
	return err
}

type timerWire struct {
	Name      string `json:"name"`
	Due       stamp  `json:"due"`
	Scheduled uint64 `json:"scheduled,omitempty"`
}

// MarshalJSON writes the time as RFC 3339.
func (t Timer) MarshalJSON() ([]byte, error) {
	return toJSON(timerWire{Name: t.Name, Due: stamp(t.Due), Scheduled: t.Scheduled})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (t *Timer) UnmarshalJSON(data []byte) error {
	var w timerWire
	err := json.Unmarshal(data, &w)
	*t = Timer{Name: w.Name, Due: int64(w.Due), Scheduled: w.Scheduled}
	return err
}
