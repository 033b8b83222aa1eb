package trouble

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"time"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Agent names the session in its own control calls, so that it knows them again
// on the tape.
const Agent = "paysandbox-observe/1.0"

// endless counts what does not end by itself.
const endless = -1

// others is the trouble that somebody else has armed: a story, or the partner's
// own tests. While there is any, none is made.
type others struct {
	// faults counts the calls that each fault will still change, and until tells when those
	// end that end by the virtual clock, in nanoseconds since 1970 UTC.
	faults map[string]int
	until  map[string]int64
	// profiles are those of the endpoints; their Next counts the deliveries that
	// will still go wrong.
	profiles map[string]Profile
}

func noOthers() others {
	return others{faults: map[string]int{}, until: map[string]int64{}, profiles: map[string]Profile{}}
}

// overwritten says whether an entry is a profile of the session's own that took
// the place of somebody else's, and at which endpoint.
func (o *others) overwritten(e *tape.Entry) (endpoint string, is bool) {
	x := control(e, opSetProfile)
	if x == nil || !Own(x) {
		return "", false
	}
	endpoint = path.Base(path.Dir(x.Path))
	theirs, live := o.profiles[endpoint]
	return endpoint, live && trail.ReadBody(x.Request.Body).Text("profile") != theirs.Name
}

// busy says whether there is any.
func (o *others) busy() bool { return len(o.faults)+len(o.profiles) > 0 }

// take takes in one entry.
func (o *others) take(e *tape.Entry) {
	maps.DeleteFunc(o.until, func(id string, at int64) bool {
		over := max(e.At, movedTo(e)) >= at
		if over {
			delete(o.faults, id)
		}
		return over
	})
	switch {
	case e.Kind == tape.KindExchange && e.Exchange != nil:
		countDown(o.faults, e.Exchange.Fault.ID())
	case e.Attempt != nil:
		if o.shaped(e.Attempt) {
			o.used(e.Attempt.Endpoint)
		}
	case e.Kind == tape.KindControl && e.Exchange != nil && e.Exchange.Response.Status < 300 && !Own(e.Exchange):
		o.control(e.Exchange)
	}
}

// movedTo is where an entry has moved the clock to; 0 where it is no move.
func movedTo(e *tape.Entry) int64 {
	if e.Clock == nil {
		return 0
	}
	return e.Clock.To
}

// shaped says whether an attempt went wrong in the way that somebody else has
// asked for.
func (o *others) shaped(a *tape.Attempt) bool {
	asked := tape.Profiles(o.profiles[a.Endpoint].Name)
	return a.Profile.Has(slices.Collect(asked.Each())...)
}

// control takes in a control call that somebody else has made.
func (o *others) control(x *tape.Exchange) {
	switch x.Operation {
	case opArmFault:
		answer := trail.ReadBody(x.Response.Body)
		if id := answer.Text("id"); id != "" {
			o.faults[id] = count(answer, "count")
			if until, err := time.Parse(time.RFC3339, answer.Text("until")); err == nil {
				o.until[id] = until.UnixNano()
			}
		}
	case opRemove:
		delete(o.faults, path.Base(x.Path))
		delete(o.until, path.Base(x.Path))
	case opClear:
		clear(o.faults)
		clear(o.until)
	case opAddWebhook:
		if id := trail.ReadBody(x.Response.Body).Text("id"); id != "" {
			o.set(id, x.Request.Body)
		}
	case opSetProfile:
		o.set(path.Base(path.Dir(x.Path)), x.Request.Body)
	case opReset, opRemoveWebhook:
		maps.DeleteFunc(o.profiles, func(id string, _ Profile) bool { return x.Operation == opReset || id == path.Base(x.Path) })
	}
}

// set takes in the profile that a request asks for at an endpoint.
func (o *others) set(endpoint string, request []byte) {
	asked := trail.ReadBody(request)
	delete(o.profiles, endpoint)
	if name := asked.Text("profile"); name != "" {
		o.profiles[endpoint] = Profile{Name: name, Next: count(asked, "next"), ForStatus: asked.Text("forStatus")}
	}
}

// count is a member that says how often; one that is not there does not end.
func count(b trail.Body, member string) int {
	n, _ := b.Whole(member)
	return cmp.Or(int(n), endless)
}

// used counts one delivery that went wrong as somebody else has asked for.
func (o *others) used(endpoint string) {
	theirs, known := o.profiles[endpoint]
	switch {
	case !known || theirs.Next == endless:
	case theirs.Next == 1:
		delete(o.profiles, endpoint)
	default:
		theirs.Next--
		o.profiles[endpoint] = theirs
	}
}

// countDown counts one that was met, and forgets what is used up.
func countDown(left map[string]int, id string) {
	switch n, known := left[id]; {
	case !known || n == endless:
	case n == 1:
		delete(left, id)
	default:
		left[id] = n - 1
	}
}

// Own says whether the session itself has made a control call.
func Own(x *tape.Exchange) bool {
	agent, _ := trail.Header(x.Request.Header, "User-Agent")
	return agent == Agent
}
