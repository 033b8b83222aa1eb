// Package archive reads what a tape tells of an integration that runs no more: its
// webhook endpoints, the trouble that was armed, where its clock stood, and the choices
// that it was made with.
//
// It owns what can be said of them from entries alone, and says nothing of a stretch
// that the tape has dropped. It must not know pages, and plays no tape.
package archive

import (
	"encoding/json"
	"net/http"
	"path"
	"slices"

	"paysandbox/mockserver/tape"
)

// Archive is what a tape tells at its end.
type Archive struct {
	// Endpoints and Faults are in the order in which they were made.
	Endpoints []Endpoint
	Faults    []Fault
	Clock     Clock
}

// Endpoint is a webhook endpoint.
type Endpoint struct {
	ID, URL, Status string
	// Profile says how it was delivered to badly at last, Next how often still, and
	// ForStatus for which events alone.
	Profile, ForStatus string
	Next               int
	Events             []string
	// Made and Gone are the entries that made and removed it; 0 where the tape has none.
	Made, Gone uint64
	// Attempts counts what was sent to it.
	Attempts int
}

// Clock is where the virtual clock stood, in unix nanoseconds.
type Clock struct {
	Began, Stood int64
	// Mode is real or manual at the end.
	Mode string
	// Moves counts how often somebody has moved it.
	Moves int
}

// Of reads a tape from its first entry to its last.
func Of(meta *tape.Meta, entries []tape.Entry) *Archive {
	a := &Archive{Clock: Clock{Began: meta.Start, Stood: meta.Start, Mode: meta.Clock}}
	if meta.WebhookURL != "" {
		a.Endpoints = []Endpoint{{URL: meta.WebhookURL, Status: "Enabled"}}
	}
	for n := range entries {
		a.take(&entries[n])
	}
	return a
}

// take takes in one entry.
func (a *Archive) take(e *tape.Entry) {
	a.Clock.Stood = max(a.Clock.Stood, e.At)
	switch {
	case e.Clock != nil:
		a.Clock.Stood, a.Clock.Moves = max(a.Clock.Stood, e.Clock.To), a.Clock.Moves+1
		if e.Clock.Mode != "" {
			a.Clock.Mode = e.Clock.Mode
		}
	case e.Attempt != nil:
		a.endpoint(e.Attempt.Endpoint, e.Attempt.URL).Attempts++
	case e.Transition != nil && e.Transition.Machine == "webhook endpoint":
		a.endpoint(e.Transition.Entity, "").Status = e.Transition.To
	case e.Exchange == nil:
	case e.Kind == tape.KindControl && e.Exchange.Response.Status == http.StatusOK:
		a.control(e)
	case e.Exchange.Fault != "":
		f := a.fault(e.Exchange.Fault.ID())
		if f.Times++; len(f.Hits) == maxHits {
			f.Hits = slices.Delete(f.Hits, 0, 1)
		}
		f.Hits = append(f.Hits, e.Seq)
		if f.Effect == "" {
			f.Effect = e.Exchange.Fault.Effects()
		}
	}
}

// endpoint finds an endpoint; one that was there from the start is known by its address first.
func (a *Archive) endpoint(id, url string) *Endpoint {
	at := slices.IndexFunc(a.Endpoints, func(p Endpoint) bool { return p.ID == id || p.ID == "" && (url == "" || p.URL == url) })
	if at < 0 {
		at = len(a.Endpoints)
		a.Endpoints = append(a.Endpoints, Endpoint{Status: "Enabled"})
	}
	p := &a.Endpoints[at]
	p.ID = id
	if url != "" {
		p.URL = url
	}
	return p
}

// fault finds the newest fault of a name.
func (a *Archive) fault(id string) *Fault {
	for n := len(a.Faults) - 1; n >= 0; n-- {
		if a.Faults[n].ID == id {
			return &a.Faults[n]
		}
	}
	a.Faults = append(a.Faults, Fault{ID: id, Earlier: id != byHeader})
	return &a.Faults[len(a.Faults)-1]
}

// control takes in a control call that was carried out.
func (a *Archive) control(e *tape.Entry) {
	x := e.Exchange
	switch x.Operation {
	case "addWebhook", "setProfile", "enableWebhook", "rotateSecret":
		a.shown(e)
	case "removeWebhook":
		a.endpoint(path.Base(x.Path), "").Gone = e.Seq
	case "armFault":
		f := Fault{Armed: e.Seq}
		if json.Unmarshal(x.Response.Body, &f) == nil && f.ID != "" {
			a.Faults = append(a.Faults, f)
		}
	case "removeFault":
		a.fault(path.Base(x.Path)).Removed = e.Seq
	case "clearFaults":
		for n := range a.Faults {
			if f := &a.Faults[n]; f.Removed == 0 && f.ID != byHeader {
				f.Removed = e.Seq
			}
		}
	}
}

// shown takes in an endpoint as an answer shows it.
func (a *Archive) shown(e *tape.Entry) {
	var view struct {
		ID, URL, Status, Profile, ForStatus string
		Next                                int
		Events                              []string
	}
	if json.Unmarshal(e.Exchange.Response.Body, &view) != nil || view.ID == "" {
		return
	}
	p := a.endpoint(view.ID, view.URL)
	p.Status, p.Profile, p.ForStatus, p.Next, p.Events = view.Status, view.Profile, view.ForStatus, view.Next, view.Events
	if e.Exchange.Operation == "addWebhook" {
		p.Made = e.Seq
	}
}
