package diagnose

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/explain"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/prelude"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/refused"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// untold are the refusals whose reason the recording does not hold: the body that was
// refused is missing, or the answer's. A media type that is no JSON is a reason that is shown.
// Of a recording that shows no answer at all, nothing is known of what the service said.
func untold(r *recording.Recording, run *play.Run) []Fault {
	var list, all []Fault
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		f := Fault{Side: Undecidable, N: i, Place: x.Place, Call: x.Method + " " + x.Path, Calls: []int{i + 1}}
		all = append(all, f)
		struck := prelude.RefusedForStruck(x)
		if struck != nil && !stoodIn(run, i) {
			continue // it was refused for what is shown, besides
		}
		if !refusedUnseen(x) && struck == nil {
			continue
		}
		f.What = fmt.Sprintf("%s %s was refused with %d, and the recording does not hold what was sent", x.Method, x.Path, x.Answer.Status)
		if struck != nil {
			f.What = fmt.Sprintf("%s %s was refused with 400, and the file has struck out what it may have been refused for: %s", x.Method, x.Path, strings.Join(struck, ", "))
			f.Fix = fmt.Sprintf("%s of call %d as it was sent, or its form (how many characters, and which kinds)", strings.Join(struck, ", "), i+1)
		}
		if media := source.Header(x.Header, "Content-Type"); x.Answer.Status == 415 && media != "" && !strings.Contains(strings.ToLower(media), "json") {
			f.Side, f.Clause, f.Fix = Partner, "request.media-type", "send application/json"
			f.What = fmt.Sprintf("%s %s was refused with 415, as it should be: its media type is %s, expected application/json", x.Method, x.Path, media)
		}
		list = append(list, f)
	}
	for i := range r.Exchanges {
		if r.Exchanges[i].Answer.Known != recording.NotRecorded {
			return list
		}
		all[0].Calls = append(all[0].Calls[:i:i], i+1)
	}
	if len(all) > 0 && len(r.Received) == 0 {
		all[0].What = "no answer of any call is shown: what the service said is not known"
		list = append(list, all[0])
	}
	return list
}

// unheardOf are the files that name events, where no webhook was read of any: what they say of these is not known.
func (in *Input) unheardOf() (list []string) {
	for i := range in.Recording.Sources {
		if s := &in.Recording.Sources[i]; s.Events > 0 && len(in.Recording.Received) == 0 && s.Format != "tape" && s.Format != recording.Unread {
			list = append(list, fmt.Sprintf("the webhooks that %s names (%d times), with headers and bodies, in a form that is read", s.Name, s.Events))
		}
	}
	return list
}

// littleRead says whether most of what the files hold was not read: that nothing is found wrong proves nobody innocent then.
func (in *Input) littleRead() bool {
	read, unread := 0, 0
	for i := range in.Recording.Sources {
		switch s := &in.Recording.Sources[i]; s.Format {
		case recording.Unread:
			unread += s.Size
		default:
			read += s.Size
		}
	}
	return unread > read
}

// noneShown says whether of calls that ask for money the files show no body, and of no other call both sides: what was asked for is
// not known then.
func (in *Input) noneShown() bool {
	return in.whole() == 0 && slices.ContainsFunc(in.Run.Answers, func(a play.Answered) bool {
		return a.N >= 0 && in.Recording.Exchanges[a.N].BodyMissing && trail.OperationNamed(a.Operation).Charges
	})
}

// inPart says whether the file shows a part of a body, and says so.
func inPart(x *recording.Exchange) bool {
	return correlate.Shortened(x.Body) || correlate.Shortened(x.Answer.Body)
}

// whole counts the calls that are shown with what was sent and answered.
func (in *Input) whole() (n int) {
	for i := range in.Recording.Exchanges {
		if x := &in.Recording.Exchanges[i]; x.Answer.Known == recording.Whole && !x.BodyMissing && !inPart(x) {
			n++
		}
	}
	return n
}

// refusedUnseen says whether a call was refused for what it sent, and that is not shown.
func refusedUnseen(x *recording.Exchange) bool {
	switch x.Answer.Status {
	case 400:
		bodiless := x.Method == "GET" || x.Method == "PUT" && source.MethodOf(x.Path) == "PUT" // a cancellation sends none
		return x.BodyMissing || len(x.Body) == 0 && !bodiless && x.Answer.Known == recording.WithoutBody
	case 401, 404, 429:
		return false
	default:
		return x.BodyMissing && x.Answer.Status > 400 && x.Answer.Status < 500
	}
}

// keptToken is a call that was refused with 401 for good, in a recording that tells no times, with a token that an
// earlier call was admitted with: nil for any other. How old the token was is not shown; that it was not renewed is.
func keptToken(r *recording.Recording, n int) *Fault {
	x := &r.Exchanges[n]
	token := source.Header(x.Header, "Authorization")
	timed := slices.ContainsFunc(r.Exchanges, func(x recording.Exchange) bool { return !x.Begin.IsZero() })
	if x.Answer.Status != 401 || token == "" || timed || recovered(r, n) {
		return nil
	}
	admitted := slices.ContainsFunc(r.Exchanges[:n], func(before recording.Exchange) bool {
		return before.Answer.Status >= 200 && before.Answer.Status < 300 && source.Header(before.Header, "Authorization") == token
	})
	if !admitted {
		return nil
	}
	return &Fault{
		Side: Partner, N: n, Place: x.Place, Call: x.Method + " " + x.Path, Calls: []int{n + 1}, Clause: "auth.unauthorised", Also: []string{"partner.token.recover", "partner.token.refresh"},
		What: fmt.Sprintf("%s %s was refused with 401: the token, which earlier calls were admitted with, was not valid any more, and no new one was asked for", x.Method, x.Path),
		Fix:  "get a new token and make the call again",
	}
}

// persisted says whether calls went on for a minute with a token after it was refused, or the same
// call was made with it twice more once the refusal had come.
func persisted(r *recording.Recording, n int) bool {
	was := &r.Exchanges[n]
	token, again := source.Header(was.Header, "Authorization"), 0
	for i := range r.Exchanges[n+1:] {
		x := &r.Exchanges[n+1+i]
		if token == "" || x.Answer.Status != 401 || source.Header(x.Header, "Authorization") != token {
			continue
		}
		if !was.Begin.IsZero() && x.Begin.Sub(was.Begin) >= time.Minute {
			return true
		}
		if x.Method == was.Method && x.Path == was.Path && !x.Begin.Before(was.End) {
			again++
		}
	}
	return again > 1
}

// bodiless are the clauses that are told without what a call has sent.
var bodiless = []string{"partner.token.", "partner.client.", "partner.polling.", "partner.company.", "partner.webhook.", "partner.privacy.urls"}

// judgeable says whether a fault can be told where answers were not recorded: from the
// form of the calls alone; and where no time was: not what takes time, as a verification.
func judgeable(r *recording.Recording, f *Fault) bool {
	if f.Clause == "partner.client.user-agent" && !slices.ContainsFunc(f.Calls, func(n int) bool { return headed(&r.Exchanges[n-1]) }) {
		return false
	}
	if slices.Contains([]string{"partner.token.recover", "partner.token.refresh"}, f.Clause) && onlyRead(r, f.N) || f.Clause == "partner.token.reuse" && untimed(r, f) {
		return false
	}
	for _, n := range f.Calls {
		if f.Clause == verifiedFirst && (r.Exchanges[n-1].Begin.IsZero() || ownClock(r, n-1) || mayHaveHeard(r, n-1) || askedUnseen(r, n-1)) && !toldUnverified(r, n-1) {
			return false
		}
		if r.Exchanges[n-1].BodyMissing && !slices.ContainsFunc(bodiless, func(form string) bool { return strings.HasPrefix(f.Clause, form) }) {
			return false
		}
		if r.Exchanges[n-1].Answer.Known != recording.NotRecorded {
			continue
		}
		return slices.ContainsFunc([]string{"partner.amount.", "partner.phone.", "partner.body.", "partner.privacy.", "partner.reference.present"}, func(form string) bool {
			return strings.HasPrefix(f.Clause, form)
		})
	}
	return true
}

// untimed says whether nothing tells when some of a fault's calls were made: how far apart they were is not known.
func untimed(r *recording.Recording, f *Fault) bool {
	return slices.ContainsFunc(f.Calls, func(n int) bool { return r.Exchanges[n-1].Begin.IsZero() })
}

// headed says whether a recording shows headers of a call, and not only what its body is.
func headed(x *recording.Exchange) bool {
	return slices.ContainsFunc(x.Header, func(h tape.Header) bool { return !strings.EqualFold(h.Name, "Content-Type") })
}

// ownClock says whether a call's file tells times by a clock that nothing ties to that of the webhooks in another file.
func ownClock(r *recording.Recording, n int) bool {
	file := r.Exchanges[n].Place.Source
	return slices.ContainsFunc(r.Received, func(w recording.Received) bool { return w.Place.Source != file }) &&
		!slices.ContainsFunc(r.Exchanges, func(x recording.Exchange) bool { return x.Place.Source == file && !source.Moment(&x).IsZero() })
}

// askedUnseen says whether a call before another made a company or asked for its status, and its answer is not shown.
func askedUnseen(r *recording.Recording, n int) bool {
	return slices.ContainsFunc(r.Exchanges[:n], func(x recording.Exchange) bool {
		path := strings.ToLower(x.Path)
		return strings.HasPrefix(path, "/company/") && (strings.HasSuffix(path, "/status") || strings.HasSuffix(path, "/create")) && x.Answer.Known != recording.Whole
	})
}

// toldUnverified says whether the answer right before a call said that the company is not verified.
func toldUnverified(r *recording.Recording, n int) bool {
	return n > 0 && bytes.Contains(r.Exchanges[n-1].Answer.Body, []byte(`"Unverified"`))
}

// there are the things that are there although the calls which were to make them were refused, and the faults without the refusals of
// what was there for that reason alone.
func (in *Input) there(known []Fault) []Fault {
	r := in.Recording
	operation := func(n int) string {
		if a := in.Run.Of(n); a != nil {
			return a.Operation
		}
		return ""
	}
	for _, t := range refused.There(r, operation) {
		x, shows := &r.Exchanges[t.Call], t.Seen[0]
		f := Fault{Side: Service, N: t.Call, Place: x.Place, Call: x.Method + " " + x.Path, Operation: operation(t.Call), Clause: "error.unchanged", Calls: []int{t.Call + 1}}
		if t.Kind == "company" {
			f.Clause = "company.create.nothing-on-failure"
		}
		not := fmt.Sprintf("call %d did not", t.Before+1)
		if t.Before == t.Call {
			not = fmt.Sprintf("the refusal names what was wrong and says nothing of a name that is taken, as that of call %d does", t.Again[0]+1)
		} else if t.Before >= 0 {
			f.Calls = []int{t.Before + 1, t.Call + 1}
		}
		for _, n := range slices.Concat(t.Again, t.Seen) {
			f.Calls = append(f.Calls, n+1)
		}
		slices.Sort(f.Calls)
		f.What = fmt.Sprintf("%s was refused with %d, and %s is there all the same: call %d shows it, %s, and no call that is shown has made it: a refused call leaves nothing behind", f.Call, x.Answer.Status, t.What, shows+1, not)
		f.Fix = "that the call was refused is right where it was wrong, that it left something behind is the service's: do not send it again, and have the service say with which data it stands there, and mend or remove it; report it to the service, with this case"
		if kept := in.kept(&t); kept != "" {
			f.What += kept
			t.Doubt = ""
		}
		if t.Doubt != "" {
			seen := &r.Exchanges[shows]
			f.Side, f.N, f.Place, f.Call, f.Operation, f.Clause, f.asked = Undecidable, shows, seen.Place, seen.Method+" "+seen.Path, operation(shows), "", len(t.Again) > 0
			f.What = fmt.Sprintf("it shows that %s is there, although call %d, which was to make it, was refused with %d; whether it came of that call cannot be told: %s", t.What, t.Call+1, x.Answer.Status, t.Doubt)
			f.Fix = fmt.Sprintf("when and by which call %s was made, as the service has it, and all calls of this integration between the last look that does not show it and call %d", t.What, shows+1)
		}
		known = slices.DeleteFunc(known, func(k Fault) bool { return k.refusal && slices.Contains(t.Again, k.N) })
		known = append(known, f)
	}
	return known
}

// kept tells of a value that a refused call has sent, that breaks a rule whatever else there is, and that a later look at what the
// call was to make shows all the same: no call that was taken can have stored it. "" for none.
func (in *Input) kept(t *refused.Thing) string {
	a, sent := in.Run.Of(t.Call), in.Recording.Exchanges[t.Call].Body
	if a == nil || t.Name == "" {
		return ""
	}
	for _, finding := range trail.ReadBody(a.Body).List("findings") {
		pointer := finding.Text("pointer")
		value, there := correlate.At(sent, pointer)
		text, words := value.(string)
		if member := strings.ToLower(pointer[strings.LastIndexByte(pointer, '/')+1:]); !there || !words || len(text) < 3 || explain.AboutState(finding.Text("clause")) || strings.Contains(member, "email") {
			continue
		}
		for m := t.Call + 1; m < len(in.Recording.Exchanges); m++ {
			if at := in.showsAt(m, t.Name, pointer, text); at != "" {
				return fmt.Sprintf("; call %d shows %s %q of it, which call %d has sent, and which a call that is taken cannot store", m+1, at, text, t.Call+1)
			}
		}
	}
	return ""
}

// showsAt is where the answer to a call that asks for something by its name shows a value of a member, "" for nowhere.
func (in *Input) showsAt(m int, name, pointer, value string) string {
	x, at := &in.Recording.Exchanges[m], ""
	if x.Answer.Status != 200 || !slices.Contains(strings.Split(strings.ToLower(x.Path), "/"), name) {
		return ""
	}
	member := pointer[strings.LastIndexByte(pointer, '/')+1:]
	correlate.Walk(x.Answer.Body, func(path []string, v any) {
		if text, ok := v.(string); ok && text == value && len(path) > 0 && strings.EqualFold(path[len(path)-1], member) {
			at = correlate.Pointer(path)
		}
	})
	return at
}
