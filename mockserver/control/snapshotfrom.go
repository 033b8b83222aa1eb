package control

import (
	"strings"

	"paysandbox/fixtures"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/spelling"
)

// from makes an integration that goes on from what the body names: a ready world, an
// integration, or a snapshot of one as ID/NAME.
func (x *exchange) from(n *NewIntegration, o integration.Options) (IntegrationView, error) {
	if s, err := x.ready(n.From, o); s != nil || err != nil {
		if err != nil {
			return IntegrationView{}, unsaved(err)
		}
		return x.fork(s.Under(o.Clock), o)
	}
	if e := n.fixed(); e != nil {
		return IntegrationView{}, e
	}
	id, name, named := strings.Cut(n.From, "/")
	i := x.control.opts.Registry.Find(id)
	if i == nil {
		names := fixtures.ReadyWorlds()
		return IntegrationView{}, invalid(wrong("/from", "control.integration.from", quoted(n.From),
			"a ready world ("+joined(names)+"), the id of an integration, or ID/SNAPSHOT", "nearest: "+spelling.Nearest(n.From, append(names, integration.DefaultID))))
	}
	if !named {
		return x.fork(i.Settled().Under(o.Clock), o)
	}
	s, err := savedAs(i, name)
	if err != nil {
		return IntegrationView{}, err
	}
	return x.fork(s.Under(o.Clock), o)
}

// fixed refuses what comes with the parent and cannot be chosen anew.
func (n *NewIntegration) fixed() error {
	j := &judge{}
	for _, m := range []struct {
		name string
		set  bool
	}{
		{"seed", n.Seed != nil},
		{"environment", n.Environment != ""},
		{"latitude", n.Latitude != ""},
		{"strict", n.Strict != nil},
		{"statusKey", n.StatusKey != ""},
		{"webhookUrl", n.WebhookURL != ""},
		{"webhookSecret", n.WebhookSecret != ""},
		{"tapeEntries", n.TapeEntries != nil},
		{"tapeBytes", n.TapeBytes != nil},
		{"clock/start", n.Clock != nil && n.Clock.Start != ""},
	} {
		if m.set {
			j.refuse("/"+m.name, "from-fixed", "", "nothing: it comes with what from names", "leave it out; name, clientId, clientSecret and clock.mode can be chosen")
		}
	}
	if j.findings != nil {
		return invalid(j.findings...)
	}
	return nil
}

// ready gives a ready world to be forked; nil when there is none of the name.
func (x *exchange) ready(name string, o integration.Options) (*integration.Snapshot, error) {
	if x.control.opts.Ready == nil {
		return nil, nil //nolint:nilnil // none is no error.
	}
	o.ID = integration.StandIn
	return x.control.opts.Ready(name, o, x.address())
}
