package control

import (
	"errors"
	"net/http"
	"strings"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/wire"
	"paysandbox/mockserver/world"
)

// IntegrationView is an integration with its credentials.
type IntegrationView struct {
	ID   string `json:"id" required:"true" example:"default"`
	Name string `json:"name" required:"true" example:"checkout tests"`
	// ClientID and ClientSecret get a token from the partner API.
	ClientID     string `json:"clientId" required:"true" example:"client-5f0c5b0e"`
	ClientSecret string `json:"clientSecret" required:"true" mask:"true" example:"secret-0d9b6f9e-6a0a-4a53-8d3e-6f1f0e9d8c22"`
	// WebhookSecret signs deliveries to endpoints that bring no secret.
	WebhookSecret string            `json:"webhookSecret" required:"true" mask:"true" example:"whsec_2f4b8c6e7d90"`
	Seed          uint64            `json:"seed" required:"true" example:"42"`
	Environment   world.Environment `json:"environment" required:"true" enum:"sandbox,rehearsal" example:"sandbox"`
	Strict        bool              `json:"strict" required:"true" example:"false"`
	// Latitude holds the knobs that are not at their default.
	Latitude map[string]string `json:"latitude" required:"true"`
	Clock    ClockView         `json:"clock" required:"true"`
	// BaseURL is where the partner API is, ControlURL what this API has of the
	// integration.
	BaseURL    string `json:"baseUrl" required:"true" format:"uri" example:"http://127.0.0.1:8484"`
	ControlURL string `json:"controlUrl" required:"true" format:"uri" example:"http://127.0.0.1:8484/_sandbox/integrations/default"`
	// TapeEntries, TapeBytes and Entities are how much the integration holds.
	TapeEntries int   `json:"tapeEntries" required:"true" example:"120"`
	TapeBytes   int64 `json:"tapeBytes" required:"true" example:"61440"`
	Entities    int   `json:"entities" required:"true" example:"12"`
}

func (v IntegrationView) masked() any { return v.withoutSecrets() }

// withoutSecrets hides the credentials.
func (v IntegrationView) withoutSecrets() IntegrationView {
	v.ClientSecret, v.WebhookSecret = hidden, hidden
	return v
}

// IntegrationList lists the integrations, oldest first.
type IntegrationList struct {
	Integrations []IntegrationView `json:"integrations" required:"true" nullable:"false"`
}

func (l IntegrationList) masked() any {
	all := make([]IntegrationView, 0, len(l.Integrations))
	for _, v := range l.Integrations {
		all = append(all, v.withoutSecrets())
	}
	return IntegrationList{Integrations: all}
}

func listIntegrations(x *exchange, _ *integration.Integration) (IntegrationList, error) {
	list := IntegrationList{Integrations: []IntegrationView{}}
	for _, i := range x.control.opts.Registry.List() {
		list.Integrations = append(list.Integrations, x.view(i))
	}
	return list, nil
}

func readIntegration(x *exchange, i *integration.Integration) (IntegrationView, error) {
	i.Current()
	return x.view(i), nil
}

// address is the partner API's, as the caller reaches it, without a path.
func (x *exchange) address() string { return strings.TrimSuffix(wire.PageBase(x.Req, ""), "/pages/") }

func (x *exchange) view(i *integration.Integration) IntegrationView {
	o := i.Options()
	v := IntegrationView{
		ID: i.ID, Name: o.Name, ClientID: o.ClientID, ClientSecret: o.ClientSecret, WebhookSecret: o.WebhookSecret,
		Seed: o.Seed, Environment: o.Environment, Strict: o.Strict, Latitude: o.Settings.Map(), Clock: clockOf(i),
		BaseURL: x.address(), ControlURL: wire.Called(x.Req) + Prefix + "/integrations/" + i.ID,
	}
	v.TapeEntries, v.TapeBytes, v.Entities = i.Size()
	return v
}

func createIntegration(x *exchange, _ *integration.Integration, req *NewIntegration) (IntegrationView, error) {
	o, err := req.options(x.control.opts.Registry.Default().Options())
	if err != nil {
		return IntegrationView{}, err
	}
	if req.From != "" {
		return x.from(req, o)
	}
	i, err := x.control.opts.Registry.Create(o)
	if err != nil {
		return IntegrationView{}, uncreated(err)
	}
	return x.view(i), nil
}

// uncreated tells why the registry has not taken an integration.
func uncreated(err error) error {
	var e *kernel.Error
	switch {
	case errors.Is(err, integration.ErrClientIDTaken):
		return &kernel.Error{Code: kernel.Conflict, Detail: err.Error(), Findings: []kernel.Finding{
			wrong("/clientId", "control.integration.client-id", "", "a client id that no integration has", "choose another one, or leave clientId out"),
		}}
	case errors.Is(err, integration.ErrTooMany), errors.Is(err, integration.ErrDefault):
		return &kernel.Error{Code: kernel.Conflict, Detail: err.Error()}
	case errors.As(err, &e):
		for n := range e.Findings {
			e.Findings[n].Pointer = strings.Replace(e.Findings[n].Pointer, "/url", "/webhookUrl", 1)
		}
	}
	return err
}

func deleteIntegration(x *exchange, i *integration.Integration) (door.Empty, error) {
	if _, err := x.control.opts.Registry.Delete(i.ID); err != nil {
		return door.Empty{}, uncreated(err)
	}
	return door.Empty{}, nil
}

func resetIntegration(x *exchange, i *integration.Integration) (IntegrationView, error) {
	if err := i.Reset(); err != nil {
		return IntegrationView{}, err
	}
	return x.view(i), nil
}

func revokeTokens(w *world.World, _ *exchange) (door.Empty, error) {
	w.RevokeTokens()
	return door.Empty{}, nil
}

func integrationRoutes() []*route {
	const tag, all, one = "Integrations", Prefix + "/integrations", Prefix + "/integrations/{i}"
	return []*route{
		row("createIntegration", http.MethodPost, all, readsWith(createIntegration).optional(), NewIntegration{}, IntegrationView{}).
			About(tag, "Create a fresh, isolated world with credentials of its own").Fails(http.StatusConflict),
		row("listIntegrations", http.MethodGet, all, reads(listIntegrations), nil, IntegrationList{}).
			About(tag, "List the integrations"),
		row("readIntegration", http.MethodGet, one, reads(readIntegration), nil, IntegrationView{}).
			About(tag, "Get an integration with its credentials"),
		row("deleteIntegration", http.MethodDelete, one, reads(deleteIntegration), nil, door.Empty{}).
			About(tag, "Delete an integration with all that it owns").Fails(http.StatusConflict),
		row("resetIntegration", http.MethodPost, one+"/reset", reads(resetIntegration), nil, IntegrationView{}).
			About(tag, "Empty an integration: the same seed, an empty tape, the clock where it began"),
		row("revokeTokens", http.MethodPost, one+"/tokens/revoke", acts(revokeTokens), nil, door.Empty{}).
			About(tag, "Revoke every access token that was issued so far"),
	}
}

// refusedSettings turns what the ledger says of bad knobs into findings.
func refusedSettings(err error) []kernel.Finding {
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		var list []kernel.Finding
		for _, one := range joined.Unwrap() {
			list = append(list, refusedSettings(one)...)
		}
		return list
	}
	var e *latitude.Error
	if !errors.As(err, &e) {
		return []kernel.Finding{wrong("/latitude", "control.integration.latitude", "", "names of knobs with their values", err.Error())}
	}
	fix := "see `paysandbox latitude`"
	if len(e.Nearest) > 0 {
		fix = "nearest: " + strings.Join(e.Nearest, ", ")
	}
	expected := "the name of a knob of the latitude ledger"
	if len(e.Values) > 0 {
		expected = "one of " + strings.Join(e.Values, ", ") + " (" + e.Problem + ")"
	}
	return []kernel.Finding{wrong("/latitude/"+pointerToken(e.Name), "control.integration.latitude", quoted(e.Value), expected, fix)}
}

// pointerToken escapes a name for a JSON pointer.
func pointerToken(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(door.Clip(name))
}
