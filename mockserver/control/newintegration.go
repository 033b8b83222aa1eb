package control

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/spelling"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// NewIntegration is the body that creates an integration. Every member may be
// left out.
type NewIntegration struct {
	// Name is for people; the id follows from it and the seed.
	Name string `json:"name" example:"checkout tests"`
	// Seed decides every id, secret and duration.
	Seed *int64 `json:"seed" minimum:"0" example:"42"`
	// From names what the integration goes on from: a ready world (paysandbox fixture
	// list), the id of an integration, or a snapshot of one as ID/NAME. Empty is an
	// empty world.
	From string `json:"from" example:"verified-company"`
	// Environment is sandbox or rehearsal; as the server was started when left out.
	Environment string    `json:"environment" enum:"sandbox,rehearsal" example:"rehearsal"`
	Clock       *NewClock `json:"clock"`
	// Latitude sets knobs of the ledger: name → value. The others are as the server
	// was started with.
	Latitude string `json:"latitude" wire:"raw" example:"{\"token-lifetime\":\"600\"}"`
	// Strict turns advisory findings into refusals; as the server was started when
	// left out.
	Strict *bool `json:"strict" example:"false"`
	// ClientID and ClientSecret are drawn from the seed when they are left out.
	ClientID     string `json:"clientId" example:"my-client"`
	ClientSecret string `json:"clientSecret" mask:"true" example:"my-secret"`
	// StatusKey encrypts what is added to a returnUrl.
	StatusKey string `json:"statusKey" mask:"true" example:"status-key"`
	// WebhookURL is registered from the start; WebhookSecret signs deliveries to
	// endpoints that bring no secret.
	WebhookURL    string `json:"webhookUrl" format:"uri" example:"http://localhost:3000/hooks"`
	WebhookSecret string `json:"webhookSecret" mask:"true" example:"whsec_2f4b8c6e7d90"`
	// TapeEntries and TapeBytes bound the tape.
	TapeEntries *int64 `json:"tapeEntries" minimum:"1" maximum:"1000000" example:"20000"`
	TapeBytes   *int64 `json:"tapeBytes" minimum:"4096" maximum:"1073741824" example:"67108864"`
}

// NewClock says how a clock begins.
type NewClock struct {
	// Mode is real or manual; the server's own when it is not sent, as is the start.
	Mode string `json:"mode" enum:"real,manual" example:"manual"`
	// Start is the virtual time at the beginning, in RFC 3339.
	Start string `json:"start" format:"date-time" example:"2026-03-02T17:00:00Z"`
}

// The bounds of what a caller may ask for.
const (
	longestText    = 200
	maxTapeEntries = 1_000_000
	maxTapeBytes   = 1 << 30
)

// judge collects what is wrong with a body.
type judge struct{ findings []kernel.Finding }

func (j *judge) refuse(pointer, rule, received, expected, fix string) {
	j.findings = append(j.findings, wrong(pointer, "control.integration."+rule, received, expected, fix))
}

// text refuses what is too long for a name or a secret.
func (j *judge) text(pointer, rule, value string) {
	if len(value) > longestText {
		j.refuse(pointer, rule, strconv.Itoa(len(value))+" bytes", "at most "+strconv.Itoa(longestText)+" bytes", "send a shorter text")
	}
}

// choice refuses what is none of the names; empty is the default.
func (j *judge) choice(pointer, rule, value string, names ...string) {
	if value != "" && !slices.Contains(names, value) {
		j.refuse(pointer, rule, quoted(value), "one of "+joined(names), "nearest: "+spelling.Nearest(value, names))
	}
}

// number reads a whole number within bounds; absent is 0.
func (j *judge) number(pointer, rule string, value *int64, least, most int64) int64 {
	switch {
	case value == nil:
		return 0
	case *value < least || *value > most:
		j.refuse(pointer, rule, strconv.FormatInt(*value, 10),
			"a whole number from "+strconv.FormatInt(least, 10)+" to "+strconv.FormatInt(most, 10), "send a number within these bounds")
	}
	return *value
}

// options judges the body and turns it into an integration's options. The knobs, the
// environment, the strictness and the clock that the body does not choose are the server's own.
func (n *NewIntegration) options(server integration.Options) (integration.Options, error) {
	const most = 1<<63 - 1
	j := &judge{}
	j.text("/name", "name", n.Name)
	j.choice("/environment", "environment", n.Environment, string(world.Sandbox), string(world.Rehearsal))
	j.text("/clientId", "client-id", n.ClientID)
	j.text("/clientSecret", "client-secret", n.ClientSecret)
	j.text("/statusKey", "status-key", n.StatusKey)
	j.text("/webhookSecret", "webhook-secret", n.WebhookSecret)
	o := integration.Options{
		Name: n.Name, Environment: cmp.Or(world.Environment(n.Environment), server.Environment), Strict: server.Strict, Clock: server.Clock, Start: server.Start,
		ClientID: n.ClientID, ClientSecret: n.ClientSecret, StatusKey: n.StatusKey,
		WebhookURL: n.WebhookURL, WebhookSecret: n.WebhookSecret,
		Seed: uint64(j.number("/seed", "seed", n.Seed, 0, most)), //nolint:gosec // G115: it is not negative.
	}
	if n.Strict != nil {
		o.Strict = *n.Strict
	}
	o.Settings = j.settings(n.Latitude, server.Settings)
	j.clock(n.Clock, &o)
	o.Tape = tape.Limits{
		Entries: int(j.number("/tapeEntries", "tape-entries", n.TapeEntries, 1, maxTapeEntries)),
		Bytes:   j.number("/tapeBytes", "tape-bytes", n.TapeBytes, tape.MinBytes, maxTapeBytes),
	}
	if j.findings != nil {
		return o, invalid(j.findings...)
	}
	return o, nil
}

// clock reads how the clock is to begin.
func (j *judge) clock(c *NewClock, o *integration.Options) {
	if c == nil {
		return
	}
	j.choice("/clock/mode", "clock-mode", c.Mode, string(integration.Real), string(integration.Manual))
	o.Clock = cmp.Or(integration.ClockMode(c.Mode), o.Clock)
	if c.Start == "" {
		return
	}
	start, ok := parseMoment(c.Start)
	if !ok || start.Year() < 1970 || start.Year() > 2200 {
		j.refuse("/clock/start", "clock-start", quoted(c.Start), "a moment in RFC 3339 between 1970 and 2200", "send for example 2026-03-02T17:00:00Z")
		return
	}
	o.Start = start
}

// settings reads the knobs that are set, and takes the others from chosen.
func (j *judge) settings(raw string, chosen latitude.Settings) latitude.Settings {
	if raw == "" {
		return chosen
	}
	var members map[string]any
	if err := json.Unmarshal([]byte(raw), &members); err != nil {
		j.refuse("/latitude", "latitude", quoted(raw), "an object of names and values", "send for example {\"token-lifetime\":\"600\"}")
		return chosen
	}
	var values []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value, ok := members[name].(string)
		if !ok {
			j.refuse("/latitude/"+pointerToken(name), "latitude", quoted(fmt.Sprint(members[name])), "the name of a choice, as a string", "put the value between quotes")
			continue
		}
		values = append(values, name+"="+value)
	}
	settings, err := chosen.WithAll(values)
	if err != nil {
		j.findings = append(j.findings, refusedSettings(err)...)
	}
	return settings
}
