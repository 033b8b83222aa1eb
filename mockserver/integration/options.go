package integration

import (
	"time"

	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// ClockMode says what moves an integration's clock.
type ClockMode string

// The two clock modes.
const (
	// Real runs with the wall clock; moving it forward adds an offset.
	Real ClockMode = "real"
	// Manual stands still until it is moved.
	Manual ClockMode = "manual"
)

// Options are what one integration is made from. The zero value of each member
// means its default.
type Options struct {
	// Name is for people.
	Name string
	// Seed decides every id, secret and duration; 0 is a seed like any other.
	Seed uint64
	// Environment is world.Sandbox when empty.
	Environment world.Environment
	// ClientID and ClientSecret are drawn from the seed when empty.
	ClientID, ClientSecret string
	// Clock is Real when empty.
	Clock ClockMode
	// Start is the virtual time at the beginning; zero means the wall clock's
	// time under Real and DefaultStart under Manual.
	Start time.Time
	// Settings are the choices of the latitude ledger.
	Settings latitude.Settings
	// Strict turns advisory findings into refusals.
	Strict bool
	// StatusKey encrypts what is added to a returnUrl; empty adds nothing.
	StatusKey string
	// Tape bounds the tape.
	Tape tape.Limits
}

// DefaultStart is where a manual clock stands when nobody says otherwise: a
// Monday morning in the United States, far from any holiday or change of hour.
var DefaultStart = time.Date(2026, time.March, 2, 17, 0, 0, 0, time.UTC)

func (o Options) world() world.Config {
	return world.Config{
		Seed: o.Seed, Environment: o.Environment, Strict: o.Strict, Settings: o.Settings, StatusKey: o.StatusKey,
	}
}
