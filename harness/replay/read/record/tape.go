package record

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// Tape reads a tape that was saved from a sandbox: its calls, and the webhooks that
// arrived. What people, the clock and the sandbox itself did is counted: a case reads
// that from the tape itself.
func Tape(f *source.File, _ source.Variables) (*source.Part, error) {
	p := source.NewPart(f, "tape")
	meta, entries, err := tape.ReadWith(bytes.NewReader(f.Data), tape.ReadOptions{FileBytes: source.MaxFile})
	if err != nil {
		return nil, tapeError(f, err)
	}
	p.Source().Creator = "paysandbox " + meta.ToolVersion
	p.Source().ReceivedComplete = meta.Dropped == 0 && meta.Ending != tape.Changed
	if meta.Dropped > 0 {
		p.Skipped = append(p.Skipped, recording.Skipped{
			Place: p.Entry(int(meta.First)), Why: "the tape had dropped what stood before this entry", Count: int(min(meta.Dropped, 1<<31)),
		})
	}
	if meta.Ending == tape.Changed {
		p.Skip(recording.Place{Source: f.Name}, "the file's last line says that something in it was changed or taken out after it was saved")
	}
	hangups, others := map[uint64]*tape.Entry{}, 0
	for i := range entries {
		if entries[i].Kind == tape.KindHangup {
			hangups[entries[i].Cause] = &entries[i]
		}
	}
	for i := range entries {
		e := &entries[i]
		at := p.Entry(int(e.Seq))
		switch {
		case p.Full(at):
			return p, nil
		case e.Omitted > 0 && e.Kind == tape.KindExchange:
			p.Skip(at, "the tape does not hold this call: it was too large")
		case e.Kind == tape.KindExchange:
			p.Call(tapeCall(e, at, hangups[e.Seq]))
		case e.Kind == tape.KindAttempt && e.Attempt != nil && e.Attempt.Status > 0:
			p.Received = append(p.Received, tapeReceived(e, at))
		case e.Kind.Input() && e.Kind != tape.KindHangup && e.Kind != tape.KindAttempt:
			others++
		}
	}
	if others > 0 {
		p.Skipped = append(p.Skipped, recording.Skipped{
			Place: recording.Place{Source: f.Name}, Count: others,
			Why: "pages, control calls, downloads and moves of the clock are no calls of the partner",
		})
	}
	return p, nil
}

func tapeError(f *source.File, err error) error {
	e := &source.Error{File: f.Name, Format: "tape", Err: err}
	var line *tape.LineError
	if errors.As(err, &line) {
		e.Line, e.Expected, e.Fix, e.Err = line.Line, line.Expected, line.Fix, line.Err
	}
	return e
}

// tapeCall is an exchange of a tape as its caller saw it.
func tapeCall(e *tape.Entry, at recording.Place, hangup *tape.Entry) recording.Exchange {
	x, begin := e.Exchange, time.Unix(0, e.At).UTC()
	call := recording.Exchange{
		Place: at, Begin: begin, End: begin, Method: x.Method, Path: x.Path, Query: x.Query, Header: x.Request.Header, Body: x.Request.Body,
		Answer: recording.Answer{Known: recording.Whole, Status: x.Response.Status, Header: x.Response.Header, Body: x.Response.Body},
	}
	switch {
	case hangup != nil:
		call.End = begin.Add(time.Duration(hangup.Hangup.After))
		call.Answer = recording.Answer{Known: recording.NeverArrived}
	case x.Response.Status == 0:
		call.End = time.Time{}
		call.Answer = recording.Answer{Known: recording.NeverArrived}
	}
	return call
}

func tapeReceived(e *tape.Entry, at recording.Place) recording.Received {
	a := e.Attempt
	return recording.Received{
		Place: at, At: time.Unix(0, e.At).UTC(), URL: a.URL, Header: a.Header, Body: a.Body, Status: a.Status,
	}
}

func errWanted(what string) error { return fmt.Errorf("it has no %s", what) }
