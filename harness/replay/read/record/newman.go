package record

import (
	"encoding/json"
	"fmt"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

// nmRun is what newman's JSON reporter writes of a run.
type nmRun struct {
	Collection struct {
		Info pmInfo `json:"info"`
	} `json:"collection"`
	Run *struct {
		Timings struct {
			Started number `json:"started"`
		} `json:"timings"`
		Executions []json.RawMessage `json:"executions"`
	} `json:"run"`
}

type nmExecution struct {
	Item struct {
		ID   text `json:"id"`
		Name text `json:"name"`
	} `json:"item"`
	Request  *pmRequest  `json:"request"`
	Response *pmResponse `json:"response"`
	Error    *struct{}   `json:"requestError"`
}

// usualSkew is how far two clocks are apart that are meant to agree: the service's is
// further ahead where it is virtual.
const usualSkew = time.Minute

// Newman reads a run of a collection. The run says when it began and how long each
// answer took, not when each call was made: that is what the answer's Date says, and else
// the earliest moment at which it can have begun.
func Newman(f *source.File, v source.Variables) (*source.Part, error) {
	var run nmRun
	data := f.Text()
	if err := json.Unmarshal(data, &run); err != nil {
		return nil, source.BadJSON(f, data, "newman", `{"run":{"executions":[…]}}`, err)
	}
	if run.Run == nil {
		return nil, &source.Error{File: f.Name, Format: "newman", Err: errWanted(`member "run"`), Expected: `{"run":{"executions":[…]}}`}
	}
	p := source.NewPart(f, "newman")
	p.Source().Creator, p.Collection = "newman", string(run.Collection.Info.ID+" "+run.Collection.Info.Name)
	at, ahead := source.Unix(float64(run.Run.Timings.Started)), time.Duration(0)
	for i, raw := range run.Run.Executions {
		place := p.Entry(i + 1)
		place.Pointer = fmt.Sprintf("/run/executions/%d", i)
		if p.Full(place) {
			break
		}
		var e nmExecution
		if err := json.Unmarshal(raw, &e); err != nil || e.Request == nil {
			p.Skip(place, "the execution cannot be read")
			continue
		}
		x, err := e.Request.call(nil, v)
		if err != nil {
			p.Skip(place, "the request cannot be read: "+err.Error())
			continue
		}
		x.Place, x.Link, x.Answer = place, string(e.Item.ID), recording.Answer{Known: recording.NeverArrived}
		took := time.Duration(0)
		if e.Response != nil {
			x.Answer, took = e.Response.answer(), source.Milliseconds(float64(e.Response.Took))
		}
		at = at.Add(took)
		if date := source.Time(source.Header(x.Answer.Header, "Date")); !date.IsZero() {
			ahead = date.Sub(at)
		} else if at.Year() > 1 {
			x.End = at
			if ahead.Abs() > usualSkew {
				x.End = at.Add(ahead)
			}
			x.Begin = x.End.Add(-took)
		}
		p.Call(x)
	}
	return p, nil
}
