package writeout

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Case is what is written.
type Case struct {
	// Title names it in a few words, Lines are its diagnosis.
	Title  string
	Lines  []string
	Script play.Script
	Run    *play.Run
	// Recorded are the exchanges as they were read: where a file has struck something out, the script sends something usual.
	Recorded []recording.Exchange
	// OfExport says that a file was exported by a tool that may leave credentials out.
	OfExport bool
	// Clause is the clause of the service that it is about, "" for what the last refusal names.
	Clause string
	// Owed is what the partner owes and has not kept, "" where the service refuses a call for it or nothing is owed.
	Owed string
	// Exactly is the number of the call whose body shows the fault, 0 for none: a scenario has that body.
	Exactly int
	// Webhooks are those that a fault of their receiver rests on, in order.
	Webhooks []recording.Received
	// Routes are the service's.
	Routes *correlate.Routes
	// Base is the address that calls are written with.
	Base string
	// Assumptions, Choices and Differences are told as they are.
	Assumptions, Choices, Differences []string
}

// forms are the writers by their names.
var forms = map[string]func(*Case) ([]byte, error){
	"feature": feature, "go": goTest, "curl": curl, "http": httpFile, "har": har, "html": page, "postman": postman, "tape": saved, "markdown": markdown,
}

// Forms lists the forms, sorted.
func Forms() []string { return slices.Sorted(maps.Keys(forms)) }

// Write writes a case in a form.
func Write(form string, c *Case) ([]byte, error) {
	write := forms[form]
	if write == nil {
		return nil, fmt.Errorf("%q is no form of a case: use one of %s", form, strings.Join(Forms(), ", "))
	}
	if slices.Contains(runs, form) {
		c = c.plainly()
	}
	return write(c)
}

// runs are the forms that are run: they put what answers show in the place of what was recorded.
var runs = []string{"curl", "go", "http", "postman"}

// saved is the tape of the replay.
func saved(c *Case) ([]byte, error) {
	var b strings.Builder
	err := tape.Write(&b, c.Run.Meta, slices.Values(c.Run.Entries))
	return []byte(b.String()), err
}

// calls are the steps of a script that are calls.
func calls(s *play.Script) []*play.Step {
	var list []*play.Step
	for i := range s.Steps {
		if s.Steps[i].Call != nil {
			list = append(list, &s.Steps[i])
		}
	}
	return list
}

// recorded is a call as it was recorded.
func (c *Case) recorded(call *play.Call) *recording.Exchange {
	if call.N >= 0 && call.N < len(c.Recorded) && !call.Smaller {
		return &c.Recorded[call.N]
	}
	return &call.Exchange
}

// address is where a call is made.
func (c *Case) address(x *recording.Exchange) string {
	a := c.Base + x.Path
	if x.Query != "" {
		a += "?" + x.Query
	}
	return a
}

// headers are those of a call that belong to it, and to no connection.
func headers(x *recording.Exchange) []tape.Header {
	return slices.DeleteFunc(slices.Clone(x.Header), func(h tape.Header) bool {
		name := strings.ToLower(h.Name)
		return name == "" || name[0] == ':' || name == "host" || name == "content-length" || strings.HasPrefix(name, "sandbox-")
	})
}

// token says whether a call asks for a token.
func (c *Case) token(x *recording.Exchange) bool {
	op, _ := c.Routes.Match(x.Method, x.Path)
	return trail.OperationNamed(op).Token
}

// answer is what a call was answered: as it was recorded, or, where its body is smaller
// than that which was answered, as the replay was, with the recording's ids.
func (c *Case) answer(call *play.Call) *recording.Answer {
	a := call.Exchange.Answer
	replayed := c.Run.Of(call.N)
	if !call.Smaller || a.Known != recording.Whole || replayed == nil || replayed.Status != a.Status {
		return &a
	}
	a.Body = c.Run.Links.Back(replayed.Body)
	a.Header = slices.DeleteFunc(slices.Clone(a.Header), func(h tape.Header) bool { return strings.EqualFold(h.Name, "Content-Length") })
	return &a
}
