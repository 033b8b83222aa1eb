package control

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"paysandbox/mockserver/delivery"
	"paysandbox/mockserver/door"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// Probe is what was found when a webhook address was tried.
type Probe struct {
	// Reachable is true when an HTTP server answered, whatever it said.
	Reachable bool `json:"reachable" required:"true" example:"true"`
	// Refused is true when the address is one that the sandbox may not call.
	Refused bool `json:"refused" required:"true" example:"false"`
	// Status is what it answered, 0 when nothing came.
	Status int `json:"status" required:"true" example:"200"`
	// Error says in few words why nothing came, and Advice what to do.
	Error  string `json:"error" required:"true" example:"connection refused"`
	Advice string `json:"advice" required:"true" example:"Nothing listens at localhost:3000: start the receiver, or look at the port."`
}

// Endpoint is a webhook endpoint that was just registered.
type Endpoint struct {
	delivery.EndpointView
	// Probe is null when the address was not tried.
	Probe *Probe `json:"probe" required:"true"`
}

func (e Endpoint) masked() any {
	e.EndpointView = withoutSecret(e.EndpointView)
	return e
}

// changed is a webhook endpoint after a change.
type changed struct{ delivery.EndpointView }

func (c changed) masked() any { return withoutSecret(c.EndpointView) }

// withoutSecret hides the secret of an endpoint and the secrets in its address; that
// there is none can be seen.
func withoutSecret(v delivery.EndpointView) delivery.EndpointView {
	v.URL = secret.Address(v.URL)
	if v.Secret != "" {
		v.Secret = hidden
	}
	return v
}

// EndpointList lists the webhook endpoints, oldest first.
type EndpointList struct {
	Webhooks []delivery.EndpointView `json:"webhooks" required:"true" nullable:"false"`
}

func (l EndpointList) masked() any {
	all := make([]delivery.EndpointView, 0, len(l.Webhooks))
	for _, v := range l.Webhooks {
		all = append(all, withoutSecret(v))
	}
	return EndpointList{Webhooks: all}
}

// NewSecret is the body that gives an endpoint another secret.
type NewSecret struct {
	// Secret signs what goes out from now on. Absent: one is drawn; empty:
	// deliveries go out unsigned.
	Secret *string `json:"secret" mask:"true" example:"whsec_2f4b8c6e7d90"`
}

func listWebhooks(x *exchange, i *integration.Integration) (EndpointList, error) {
	var list EndpointList
	x.Look(i, func(w *world.World) { list.Webhooks = w.Webhooks().List() })
	return list, nil
}

// probeHeader holds, on the tape, what the probe of an address found: it came
// from outside, so a replay must not ask again.
const probeHeader = "Sandbox-Probe"

// twiceAdvice is for who registers an address that another endpoint has.
const twiceAdvice = " Another endpoint has this address, and each event is delivered to every endpoint: remove one of the two, unless the receiver is to hear events twice."

// probeAddress tries the address before the world is asked.
func probeAddress(x *exchange, body any) error {
	req := door.As[delivery.NewEndpoint](body)
	x.Call.Secrets = secret.InAddress(req.URL) // called as it is, and taped without them
	if x.Again != nil {
		x.memo = recordedProbe(x)
		return nil
	}
	if x.control.opts.Probe == nil || req.URL == "" {
		return nil
	}
	p := x.control.opts.Probe(x.Req.Context(), req.URL)
	if list, err := listWebhooks(x, x.On); err == nil && slices.ContainsFunc(list.Webhooks, func(v delivery.EndpointView) bool { return v.URL == req.URL }) {
		p.Advice = strings.TrimSpace(p.Advice + twiceAdvice) // with what the probe found: a tape from before that knew no such advice is played as it was
	}
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	e := &x.Call.Exchange
	e.Request.Header = append(e.Request.Header, tape.Header{Name: probeHeader, Value: string(text)})
	x.memo = &p
	return nil
}

// recordedProbe reads what the probe found then, and keeps it on the tape.
func recordedProbe(x *exchange) *Probe {
	text := x.Req.Header.Get(probeHeader)
	var p Probe
	if text == "" || json.Unmarshal([]byte(text), &p) != nil {
		return nil
	}
	e := &x.Call.Exchange
	e.Request.Header = append(e.Request.Header, tape.Header{Name: probeHeader, Value: text})
	return &p
}

func addWebhook(w *world.World, x *exchange, req *delivery.NewEndpoint) (Endpoint, error) {
	found, _ := x.memo.(*Probe)
	if found != nil && found.Refused {
		return Endpoint{}, invalid(wrong("/url", "control.webhook.address", quoted(req.URL), "a public or a loopback address: "+found.Error,
			"register an address that may be called, or start the sandbox so that it may"))
	}
	v, err := w.Webhooks().Add(*req, x.Call.Findings...)
	if err != nil {
		return Endpoint{}, err
	}
	x.about(v.ID)
	return Endpoint{EndpointView: v, Probe: found}, nil
}

func removeWebhook(w *world.World, x *exchange) (door.Empty, error) {
	return door.Done(w.Webhooks().Remove(x.Param("id")))
}

func rotateSecret(w *world.World, x *exchange, req *NewSecret) (changed, error) {
	v, err := w.Webhooks().RotateSecret(x.Param("id"), req.Secret)
	return changed{v}, err
}

func setProfile(w *world.World, x *exchange, req *delivery.NewProfile) (changed, error) {
	v, err := w.Webhooks().SetProfile(x.Param("id"), *req, x.Call.Findings...)
	return changed{v}, err
}

func enableWebhook(w *world.World, x *exchange) (changed, error) {
	v, err := w.Webhooks().Enable(x.Param("id"))
	return changed{v}, err
}

// probeWebhook tries the address of an endpoint. Nothing changes, and nothing of it is
// on the tape.
func probeWebhook(x *exchange, i *integration.Integration) (Probe, error) {
	list, err := listWebhooks(x, i)
	if err != nil {
		return Probe{}, err
	}
	for _, v := range list.Webhooks {
		if v.ID == x.Param("id") && x.control.opts.Probe != nil {
			return x.control.opts.Probe(x.Req.Context(), v.URL), nil
		}
	}
	return Probe{}, &kernel.Error{Code: kernel.NotFound, Detail: "no webhook endpoint has this id"}
}

func webhookRoutes() []*route {
	const tag, all, one = "Webhooks", Prefix + "/integrations/{i}/webhooks", Prefix + "/integrations/{i}/webhooks/{id}"
	add := row("addWebhook", http.MethodPost, all, actsWith(addWebhook).after(probeAddress).judging(), delivery.NewEndpoint{}, Endpoint{}).
		About(tag, "Register a webhook endpoint").
		Says("The address is tried, and the answer says what was found; an address that does not answer is registered all the same.")
	profile := row("setProfile", http.MethodPost, one+"/profile", actsWith(setProfile).judging(), delivery.NewProfile{}, delivery.EndpointView{}).
		About(tag, "Change how deliveries to a webhook endpoint go wrong").
		Says("The profile takes the place of the one before, from the next attempt on. With next it is for so many first " +
			"attempts of events, after which deliveries behave; later attempts and what is resent then go out well. With forStatus it is for events that tell this status; the others go out well " +
			"and do not count, and reorder holds an event until the next one about the same payment or company. The attempt's entry on the tape names what was applied. Profiles: " + joined(delivery.ProfileNames()) + ".")
	return []*route{
		row("listWebhooks", http.MethodGet, all, reads(listWebhooks), nil, EndpointList{}).
			About(tag, "List the webhook endpoints"),
		add,
		row("removeWebhook", http.MethodDelete, one, acts(removeWebhook), nil, door.Empty{}).
			About(tag, "Remove a webhook endpoint and give up what waits for it"),
		row("rotateSecret", http.MethodPost, one+"/rotate-secret", actsWith(rotateSecret).optional(), NewSecret{}, delivery.EndpointView{}).
			About(tag, "Give a webhook endpoint another secret"),
		profile,
		row("probeWebhook", http.MethodPost, one+"/probe", reads(probeWebhook), nil, Probe{}).
			About(tag, "Try the address of a webhook endpoint").
			Says("An empty body is sent, unsigned; the answer says what was found. It is not on the tape."),
		row("enableWebhook", http.MethodPost, one+"/enable", acts(enableWebhook), nil, delivery.EndpointView{}).
			About(tag, "Let an endpoint that answered 410 hear events again").Fails(http.StatusConflict),
	}
}
