package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
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
	text := f.Text()
	data := WithoutCut(text)
	meta, entries, err := tape.ReadWith(bytes.NewReader(data), tape.ReadOptions{FileBytes: source.MaxFile})
	if err != nil {
		return nil, tapeError(f, err)
	}
	p.Source().Creator = "paysandbox " + meta.ToolVersion
	p.Source().ReceivedComplete = meta.Dropped == 0 && meta.Ending != tape.Changed
	if meta.Dropped > 0 {
		p.Skipped = append(p.Skipped, recording.Skipped{
			Place: p.Entry(seqNumber(meta.First)), Why: "the tape had dropped what stood before this entry", Count: seqNumber(meta.Dropped),
		})
	}
	if meta.Ending == tape.Changed {
		p.Skip(recording.Place{Source: f.Name}, "the file's last line says that something in it was changed or taken out after it was saved")
		p.Source().Altered, p.Source().Lacks = true, "the file as it was saved, as "+f.Name+" was changed afterwards"
	}
	if len(data) < len(text) {
		p.Skip(recording.Place{Source: f.Name, Line: bytes.Count(data, []byte("\n")) + 1}, "the file breaks off within this line")
		p.Source().ReceivedComplete, p.Source().Lacks = false, "the rest of "+f.Name+", which breaks off"
	} else if meta.Ending == tape.Open {
		p.Source().Lacks = "what came after the last entry of " + f.Name + ", which has no last line that says how many there are"
	}
	addEntries(p, entries)
	return p, nil
}

// WithoutCut is what a tape's file holds before a last line within which it breaks off.
func WithoutCut(data []byte) []byte {
	at := bytes.LastIndexByte(data, '\n') + 1
	if bytes.Count(data[:at], []byte("\n")) < 2 || len(bytes.TrimSpace(data[at:])) == 0 || json.Valid(data[at:]) {
		return data
	}
	return data[:at]
}

// seqNumber is a sequence number as a place has it.
func seqNumber(n uint64) int { return int(min(n, math.MaxInt32)) }

// addEntries adds the calls and the webhooks that arrived, and counts what else came in.
func addEntries(p *source.Part, entries []tape.Entry) {
	hangups, others := map[uint64]*tape.Entry{}, 0
	for i := range entries {
		if entries[i].Kind == tape.KindHangup {
			hangups[entries[i].Cause] = &entries[i]
		}
	}
	for i := range entries {
		e := &entries[i]
		at := p.Entry(seqNumber(e.Seq))
		if p.Full(at) {
			return
		}
		switch e.Kind {
		case tape.KindExchange:
			addExchange(p, at, e, hangups[e.Seq])
		case tape.KindAttempt:
			if e.Attempt != nil && e.Attempt.Status > 0 {
				p.Received = append(p.Received, tapeReceived(e, at))
			}
		case tape.KindPage, tape.KindControl, tape.KindClock, tape.KindFetch:
			others++
		default: // consequences, and hangups, which stand with their calls
		}
	}
	if others > 0 {
		p.Skipped = append(p.Skipped, recording.Skipped{
			Place: recording.Place{Source: p.Source().Name}, Count: others,
			Why: "pages, control calls, downloads and moves of the clock are no calls of the partner",
		})
	}
}

func addExchange(p *source.Part, at recording.Place, e, hangup *tape.Entry) {
	if e.Omitted > 0 || e.Exchange == nil {
		p.Skip(at, "the tape does not hold this call: it was too large")
		return
	}
	p.Call(tapeCall(e, at, hangup))
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
