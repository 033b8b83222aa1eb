package replay

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/prelude"
	"paysandbox/harness/replay/read/record"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// script is what a saved tape tells: also what people and banks did, and when the clock
// was moved. The recording is what was read of the same tape; its calls are given the
// tokens that the tape names instead of showing them.
func (t *Tape) script(r *recording.Recording) play.Script {
	meta, entries := t.Meta, t.Entries
	s := play.Script{World: play.World{
		Seed: meta.Seed, Environment: meta.Environment, Start: time.Unix(0, meta.Start).UTC(), Latitude: joined(meta.Latitude), Strict: meta.Strict,
	}}
	places := map[int]int{}
	for n := range r.Exchanges {
		places[r.Exchanges[n].Place.Entry] = n
	}
	heard := map[int]int{}
	for n := range r.Received {
		heard[r.Received[n].Place.Entry] = n + 1
	}
	granted := map[string]bool{"": true}
	for i := range entries {
		e := &entries[i]
		step := play.Step{At: time.Unix(0, e.At).UTC()}
		if x := e.Exchange; e.Kind == tape.KindExchange && x.Auth == tape.AuthValid && !granted[x.Token] { // as those of a ready world
			s.Steps = append(s.Steps, prelude.Granting(step.At, correlate.Value{Type: correlate.Token, Text: "token " + x.Token, Where: "/accessToken"}, ""))
			granted[x.Token] = true
		} else if e.Kind == tape.KindExchange {
			granted[x.Token] = true
		}
		switch n, known := places[int(e.Seq)]; { //nolint:gosec // G115: numbers of entries are small
		case e.Kind == tape.KindExchange && known:
			step.Call = savedCall(n, e.Exchange, r)
		case trail.Playing(e) || played(e):
			step.Move = savedMove(e)
		case heard[int(e.Seq)] > 0: //nolint:gosec // G115: as above
			step.Heard = heard[int(e.Seq)] //nolint:gosec // G115: as above
			r.Received[step.Heard-1].Signature = genuine(e.Attempt)
		case e.Kind == tape.KindClock:
			step.At = time.Unix(0, e.Clock.To).UTC()
		default:
			continue
		}
		s.Steps = append(s.Steps, step)
	}
	return s
}

// genuine says what a tape knows of a webhook's signature.
func genuine(a *tape.Attempt) recording.Signature {
	switch {
	case a.Profile.Has("missing-signature"):
		return recording.Missing
	case trail.Spoilt(a, trail.Forgeries...):
		return recording.Wrong
	default:
		return recording.Valid
	}
}

// played says whether somebody played a person's part in one of the rarer ways.
func played(e *tape.Entry) bool {
	if e.Kind != tape.KindControl || e.Exchange == nil || !trail.Served(e.Exchange) {
		return false
	}
	switch e.Exchange.Operation {
	case "moveRefund", "moveCardPayment", "moveDebitAuthorisation", "moveConsent", "movePlan", "revokeTokens":
		return true
	default:
		return false
	}
}

func savedMove(e *tape.Entry) *play.Move {
	_, path, _ := strings.Cut(strings.TrimPrefix(e.Exchange.Path, "/_sandbox/integrations/"), "/")
	m := &play.Move{Path: "/" + path, Body: e.Exchange.Request.Body}
	if len(e.Entities) > 0 {
		m.Entity = e.Entities[0]
	}
	if id := trail.ReadBody(e.Exchange.Response.Body).Text("id"); e.Exchange.Operation == "saveCard" && id != "" {
		m.Stands = []correlate.Value{{Type: correlate.Card, Text: id, Where: "/id"}}
	}
	return m
}

// savedCall gives a call its token back: the tape holds the token's id alone.
func savedCall(n int, x *tape.Exchange, r *recording.Recording) *play.Call {
	rec := &r.Exchanges[n]
	c := &play.Call{N: n, Admitted: x.Auth == tape.AuthCredentialsOK, Fault: x.Fault.Effects()}
	switch token := "token " + x.Token; {
	case x.Token == "":
	case c.Admitted:
		c.Stands = []correlate.Value{{Type: correlate.Token, Text: token, Where: "/accessToken"}}
		if struck := trail.ReadBody(rec.Answer.Body).Text("accessToken"); struck != "" {
			rec.Answer.Body = bytes.Replace(rec.Answer.Body, []byte(struck), []byte(token), 1)
		}
	default:
		rec.Header = append([]tape.Header{{Name: "Authorization", Value: "Bearer " + token}}, rec.Header...)
	}
	c.Exchange = *rec
	return c
}

// ReadTape reads a saved tape, nil where it has dropped something: it is a recording like
// others then.
func ReadTape(data []byte) (*Tape, error) {
	data = record.WithoutCut((&source.File{Data: data}).Text())
	meta, entries, err := tape.Read(bytes.NewReader(data))
	if err == nil {
		err = meta.Known()
	}
	if err != nil || meta.Dropped > 0 {
		return nil, err
	}
	return &Tape{Meta: meta, Entries: entries, file: data}, nil
}

// tapeOf is the tape that a recording was read from, nil unless it was one alone and
// whole.
func tapeOf(files []source.File, r *recording.Recording) (*Tape, error) {
	if len(files) != 1 || len(r.Sources) != 1 || r.Sources[0].Format != "tape" {
		return nil, nil
	}
	return ReadTape(files[0].Data)
}

// under says in which environment and by which clock a tape was made, where that is not the usual, and what is done about it; ""
// where there is nothing to say.
func (t *Tape) under() string {
	var parts []string
	switch t.Meta.Environment {
	case "rehearsal":
		parts = append(parts, "made in rehearsal, and is replayed so")
	case "":
		parts = append(parts, "made in an environment that it does not name: it is replayed in the sandbox's, where companies are verified at once")
	}
	switch t.Meta.Clock {
	case "real":
		parts = append(parts, "made by a clock that ran: it is replayed by one that stands, and is moved to the tape's times")
	case "":
		parts = append(parts, "made by a clock that it does not name: it is replayed by one that stands, and is moved to the tape's times")
	}
	if parts == nil {
		return ""
	}
	return "The tape was " + strings.Join(parts, "; and ") + "."
}

// exactly plays a saved tape again as it stands, and says in a sentence what came of it.
// One that comes out again byte for byte is its own replay, which is given; of another
// there is none.
func (m *maker) exactly(ctx context.Context, t *Tape) (*play.Run, string) {
	if m.Again == nil || t.file == nil || len(m.Latitude) > 0 {
		return nil, ""
	}
	if err := m.Again(ctx, t.file); err != nil {
		return nil, "The tape, played again input by input, does not come out byte for byte; so its calls were replayed. The first difference: " + err.Error()
	}
	return t.run(m.Sandbox.Routes, &m.base), fmt.Sprintf("The tape was played again: its %d entries came out byte for byte the same.", len(t.Entries))
}

// run is what a tape says itself of a script that was made of it.
func (t *Tape) run(routes *correlate.Routes, s *play.Script) *play.Run {
	run := &play.Run{Script: *s, Meta: t.Meta, Entries: t.Entries, Moved: map[int]string{}}
	for i := range s.Steps {
		c := s.Steps[i].Call
		if c == nil {
			continue
		}
		operation, _ := routes.Match(c.Exchange.Method, c.Exchange.Path)
		a := &c.Exchange.Answer
		run.Answers = append(run.Answers, play.Answered{
			Step: i, N: c.N, Seq: uint64(c.Exchange.Place.Entry), Operation: operation, Status: a.Status, Header: a.Header, Body: a.Body, //nolint:gosec // G115: numbers of entries are not negative
		})
	}
	run.Index()
	return run
}
