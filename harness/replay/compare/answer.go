package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Run lists what differs, in the order of the recording: the calls, then the webhooks.
// That an event was missed is told where it is asked for.
func Run(r *recording.Recording, run *play.Run, missed bool) []Difference {
	var list []Difference
	asTheyAre := numbered(r)
	for i := range run.Answers {
		a := &run.Answers[i]
		if a.N == play.Prelude {
			continue
		}
		step := &run.Script.Steps[a.Step]
		x := &step.Call.Exchange
		found := answer(step.Call, a, &run.Links)
		if asTheyAre[x.Place.Source] && x.Answer.Known == recording.Whole && x.Answer.Status == a.Status && a.Status < 300 {
			found = append(found, kinds(x.Answer.Body, a.Body)...)
		}
		for _, d := range found {
			d.N, d.Place, d.Operation, d.Call, d.Class = a.N, x.Place, a.Operation, x.Method+" "+x.Path, Unexplained
			list = append(list, d)
		}
	}
	return append(list, events(r, run, missed)...)
}

// answer compares one answer with the recorded one, as far as that is known.
func answer(c *play.Call, a *play.Answered, links *correlate.Links) []Difference {
	want := &c.Exchange.Answer
	if c.Broken {
		return []Difference{{Where: "status", Recorded: strconv.Itoa(want.Status), Replayed: "an answer"}}
	}
	if want.Status == 0 || c.Fault != "" || want.Known == recording.NeverArrived || want.Known == recording.NotRecorded {
		return nil
	}
	if want.Status != a.Status && (want.Status != 304 || a.Status != 200) {
		return []Difference{{Where: "status", Recorded: strconv.Itoa(want.Status), Replayed: strconv.Itoa(a.Status)}}
	}
	list := headers(want, a)
	if want.Known != recording.Whole || c.Smaller || c.Exchange.Method == "HEAD" {
		return list
	}
	if want.Status >= 400 {
		return append(list, refusal(c.Struck, want.Body, a.Body)...)
	}
	return append(list, Bodies(a.Operation, want.Body, a.Body, links)...)
}

// headers compares those that mean something, where the recording has any.
func headers(want *recording.Answer, a *play.Answered) []Difference {
	if len(want.Header) == 0 {
		return nil
	}
	var list []Difference
	for _, name := range []string{"Retry-After", "Idempotent-Replayed", "Content-Type"} {
		is, _ := trail.Header(a.Header, name)
		was, ok := trail.Header(want.Header, name)
		if name == "Content-Type" {
			if !ok || len(want.Body) == 0 {
				continue
			}
			if is, was = media(is), media(was); want.Status >= 400 && strings.HasSuffix(is, "json") && strings.HasSuffix(was, "json") {
				continue // how a refusal is told is not shown by the specification
			}
		}
		if name == "Retry-After" && was != "" && is != "" {
			continue
		}
		if is != was && (ok || want.WholeHead()) {
			list = append(list, Difference{Where: "header " + name, Recorded: was, Replayed: is})
		}
	}
	return list
}

func media(s string) string {
	m, _, err := mime.ParseMediaType(s)
	if err != nil {
		return s
	}
	return m
}

// refusal compares what was refused where both sides tell it the same way: texts are
// not compared, nor what is found at members that are struck out of what was sent.
func refusal(struck []string, recorded, replayed []byte) []Difference {
	was, is := shown(Findings(recorded), struck), shown(Findings(replayed), struck)
	if was == nil || slices.Equal(was, is) {
		return nil
	}
	return []Difference{{Where: "/findings", Recorded: strings.Join(was, ", "), Replayed: strings.Join(is, ", ")}}
}

// Findings are what a refusal says was wrong, each by its pointer and clause.
func Findings(body []byte) []string {
	var list []string
	for _, f := range trail.ReadBody(body).List("findings") {
		list = append(list, strings.TrimSpace(f.Text("pointer")+" "+f.Text("clause")))
	}
	slices.Sort(list)
	return list
}

// shown are the findings at members that are not struck out; nil for none.
func shown(findings, struck []string) []string {
	if len(struck) == 0 {
		return findings
	}
	var list []string
	for _, f := range findings {
		pointer, _, _ := strings.Cut(f, " ")
		if !slices.ContainsFunc(struck, func(at string) bool { return strings.EqualFold(at, pointer) }) {
			list = append(list, f)
		}
	}
	return list
}

// leaf is one value of a body and where it stands.
type leaf struct{ where, text string }

func leaves(body []byte) []leaf {
	var list []leaf
	correlate.Walk(body, func(path []string, v any) {
		text := "null"
		if v != nil {
			text = fmt.Sprint(v)
		}
		list = append(list, leaf{correlate.Pointer(path), text})
	})
	return list
}

// Bodies compares two bodies member by member, with the recording's ids, links and
// times in the place of the replay's. A body that is no JSON is compared as it is.
func Bodies(operation string, recorded, replayed []byte, links *correlate.Links) []Difference {
	was, is := leaves(recorded), leaves(replayed)
	if (len(was) == 0 || len(is) == 0) && (!laidOut(recorded) || !laidOut(replayed)) {
		if plain(recorded) == plain(replayed) {
			return nil
		}
		return []Difference{{Where: "", Recorded: string(recorded), Replayed: string(replayed)}}
	}
	now := map[string]string{}
	for _, l := range is {
		now[l.where] = l.text
	}
	var list []Difference
	shortened := correlate.Shortened(recorded)
	for _, l := range was {
		other, there := now[l.where]
		delete(now, l.where)
		if shortened && l.ofLeftOut() {
			continue
		}
		if !there || !alike(operation, l, other, links) {
			list = append(list, Difference{Where: l.where, Recorded: l.text, Replayed: other})
		}
	}
	if shortened || !json.Valid(recorded) || edited(operation, recorded) { // it shows no more
		return list
	}
	return append(list, extra(is, now)...)
}

// extra are the values that the replay alone has.
func extra(is []leaf, now map[string]string) (list []Difference) {
	for _, l := range is {
		if l.where == "/metadata" && l.text == "null" { // one without any tells nothing of where it can be read
			continue
		}
		if _, alone := now[l.where]; alone {
			list = append(list, Difference{Where: l.where, Replayed: l.text})
		}
	}
	return list
}

// ofLeftOut says whether a value of a shortened body says what is left out of it, or hangs on that.
func (l *leaf) ofLeftOut() bool {
	return recording.Shortened(l.text) || l.where == "/hasMore" || l.where == "/nextCursor"
}

// laidOut says whether a body is JSON that has a place for members: an empty list lacks what the other has.
func laidOut(body []byte) bool {
	body = bytes.TrimSpace(body)
	return len(body) > 0 && (body[0] == '{' || body[0] == '[') && json.Valid(body)
}

// edited says whether somebody has struck a token out of an answer: who does it by hand leaves other members out, too.
func edited(operation string, recorded []byte) bool {
	if !trail.OperationNamed(operation).Token {
		return false
	}
	list, _ := correlate.Struck(recorded)
	return len(list) > 0
}

// plain is a body without the spaces that JSON may be laid out with.
func plain(body []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, body) == nil {
		return b.String()
	}
	return strings.TrimSpace(string(body))
}

// alike says whether a value of the recording and one of the replay mean the same.
func alike(operation string, l leaf, other string, links *correlate.Links) bool {
	if l.text == other || recording.Struck(l.text) {
		return true
	}
	switch t := correlate.TypeAt(operation, l.where); t {
	case correlate.Address, correlate.Token, correlate.LinkToken, correlate.Cursor, correlate.Event:
		return l.text != "null" && other != "null"
	default:
		if with, ok := links.Find(t, l.text); ok {
			return strings.EqualFold(with, other)
		}
		if strings.HasSuffix(l.where, "/dueDate") { // the partner sends it, or a plan's dates give it
			return sameMoment(l.text, other) && l.text[:len(time.DateOnly)] == other[:len(time.DateOnly)]
		}
		return sameMoment(l.text, other) || strings.HasPrefix(l.text, "http") && strings.HasPrefix(other, "http")
	}
}

// sameMoment says whether both are times: those are not compared. One with a fraction
// of a second is written otherwise than one without.
func sameMoment(a, b string) bool {
	_, err := time.Parse(time.RFC3339Nano, a)
	_, err2 := time.Parse(time.RFC3339Nano, b)
	return err == nil && err2 == nil && strings.Contains(a, ".") == strings.Contains(b, ".")
}
