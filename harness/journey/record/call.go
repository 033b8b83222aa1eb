package record

import (
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Call is an exchange whose bodies have been read.
type Call struct {
	*tape.Exchange
	// Seq is the number of its entry.
	Seq uint64
	// Asked and Answers are what was sent and what came back.
	Asked, Answers trail.Body
}

// CallOf reads an exchange.
func CallOf(e *tape.Entry) *Call {
	return &Call{Exchange: e.Exchange, Seq: e.Seq, Asked: trail.ReadBody(e.Exchange.Request.Body), Answers: trail.ReadBody(e.Exchange.Response.Body)}
}

// About says whether the path or the query names an id.
func (c *Call) About(id string) bool {
	return id != "" && strings.Contains(strings.ToLower(c.Path+"?"+c.Query), strings.ToLower(id))
}

// Cents gives a member that is a whole number; -1 where it is none.
func Cents(b trail.Body, name string) int64 {
	if n, whole := b.Whole(name); whole {
		return n
	}
	return -1
}
