package trail

import (
	"iter"
	"slices"
	"strings"

	"paysandbox/mockserver/tape"
)

// NoteDeliberate is the kind of the note by which a test suite says that the calls
// that come next are wrong on purpose: data is {operation, calls}, an operation's id
// (none: any but the token call) and how many (none: 1, at most 20). What the
// checks of package check judge of an integration has these calls left out; [Trail.LeftOut] tells them.
// One that failed for want of the service, or for its token, and is made again
// unchanged is left out again.
const NoteDeliberate = "deliberate"

// mostDeliberate is how many calls one note can speak of.
const mostDeliberate = 20

// deliberate is the data of such a note.
type deliberate struct {
	Operation string `json:"operation"`
	Calls     int    `json:"calls"`
}

// LeftOut are the numbers of the calls that the checks of an integration leave out
// because they were announced as wrong on purpose, ascending.
func (t *Trail) LeftOut() []uint64 {
	told := map[*tape.Entry]deliberate{}
	for e, d := range notes[deliberate](t, NoteDeliberate) {
		told[e] = d
	}
	if len(told) == 0 {
		return nil
	}
	var list []uint64
	due := map[string]int{}        // calls to come, by their operations
	again := map[string]struct{}{} // calls that may be made again
	for i := range t.Entries {
		e := &t.Entries[i]
		if d, is := told[e]; is {
			due[d.Operation] = min(max(d.Calls, 1), mostDeliberate)
		}
		if e.Kind != tape.KindExchange || e.Exchange == nil {
			continue
		}
		name := sameCall(e.Exchange)
		_, repeated := again[name]
		delete(again, name)
		switch operation := e.Exchange.Operation; {
		case repeated:
		case due[operation] > 0:
			due[operation]--
		case due[""] > 0 && !OperationOf(e.Exchange).Token:
			due[""]--
		default:
			continue
		}
		list = append(list, e.Seq)
		if status := e.Exchange.Response.Status; status == 0 || status == 401 || status == 429 || status >= 500 {
			again[name] = struct{}{}
		}
	}
	return list
}

// Own is the trail without the calls that were announced as wrong on purpose, and those
// that have built a ready world.
func (t *Trail) Own() *Trail {
	return Once(t, "own", func() *Trail {
		left := t.LeftOut()
		for e := range t.Of(tape.KindExchange) {
			if !t.OfReadyWorld(e) {
				break
			}
			if !slices.Contains(left, e.Seq) {
				left = append(left, e.Seq)
			}
		}
		slices.Sort(left)
		return t.without(left)
	})
}

// without is the tape without some calls.
func (t *Trail) without(left []uint64) *Trail {
	if len(left) == 0 {
		return t
	}
	kept := make([]tape.Entry, 0, len(t.Entries)-len(left))
	for i := range t.Entries {
		if len(left) > 0 && t.Entries[i].Seq == left[0] {
			left = left[1:]
			continue
		}
		kept = append(kept, t.Entries[i])
	}
	return New(t.Meta, kept)
}

// CallEntries are the entries of the calls that the application has made.
func (t *Trail) CallEntries() iter.Seq[*tape.Entry] {
	return func(yield func(*tape.Entry) bool) {
		for _, c := range t.Calls() {
			if !yield(c.Entry) {
				return
			}
		}
	}
}

// CallsTo walks the calls to some operations, whoever has made them, each by itself.
func (t *Trail) CallsTo(operations ...string) iter.Seq[*Call] {
	return func(yield func(*Call) bool) {
		for e := range t.Of(tape.KindExchange) {
			if slices.Contains(operations, e.Exchange.Operation) && !yield(&Call{trail: t, Entry: e, Exchange: e.Exchange}) {
				return
			}
		}
	}
}

// tools are what people make calls with by hand, as User-Agent names them.
var tools = []string{"curl", "wget", "httpie", "postmanruntime", "insomnia", "bruno-runtime", "bruno", "paysandbox-console"}

// byHand says whether a person has made a call: with a tool, or on a page of the
// service's own, which its documentation has to try every operation.
func byHand(x *tape.Exchange) bool {
	return OwnPage(x) || HandTool(x.Request.Header)
}

// HandTool says whether a request was sent by a tool that people make calls with by hand.
func HandTool(header []tape.Header) bool {
	agent, _ := Header(header, "User-Agent")
	name, _, _ := strings.Cut(agent, "/")
	return slices.Contains(tools, strings.ToLower(name))
}

// OfReadyWorld says whether a call was made to build the ready world from which the
// integration goes on: it is no partner's, and its token was granted without a call. Such
// calls come before all others: who sends their header later, or fetches a token with it, is
// judged like anybody.
func (t *Trail) OfReadyWorld(e *tape.Entry) bool { return e.Seq <= t.readyWorld().last }

// ReadyWorld counts the calls that have built a ready world.
func (t *Trail) ReadyWorld() int { return t.readyWorld().calls }

// builders are the calls that have built a ready world: how many, and the last one's number.
type builders struct {
	calls int
	last  uint64
}

func (t *Trail) readyWorld() builders {
	return Once(t, "ready world", func() (b builders) {
		for e := range t.Of(tape.KindExchange) {
			if _, is := Header(e.Exchange.Request.Header, "Sandbox-World"); !is || OperationOf(e.Exchange).Token {
				break
			}
			b = builders{b.calls + 1, e.Seq}
		}
		return b
	})
}

// OwnPage says whether a call comes from a page of the service's own.
func OwnPage(x *tape.Exchange) bool {
	site, _ := Header(x.Request.Header, "Sec-Fetch-Site")
	if site == "same-origin" {
		return true
	}
	origin, _ := Header(x.Request.Header, "Origin")
	host, _ := Header(x.Request.Header, "Host")
	_, from, ok := strings.Cut(origin, "://")
	return ok && host != "" && strings.EqualFold(from, host)
}

// ByHand are the numbers of the calls that people have made by hand beside an
// application, ascending: with a tool such as curl, or on the service's own pages,
// while others have made more calls. What a person does about a refusal or a failure
// is not the application's doing. Where there is nobody else it is what there is.
func (t *Trail) ByHand() []uint64 {
	var hand []uint64
	others := 0
	for e := range t.Of(tape.KindExchange) {
		if byHand(e.Exchange) {
			hand = append(hand, e.Seq)
		} else {
			others++
		}
	}
	if others <= len(hand) {
		return nil
	}
	return hand
}
