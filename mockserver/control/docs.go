package control

import (
	_ "embed"
	"net/http"
	"strings"

	"paysandbox/mockserver/openapi"
)

//go:embed control.md
var description string

//go:embed descriptions.yaml
var descriptions []byte

//go:embed try.yaml
var tries []byte

// isDocs says whether a path is the description's or its page's.
func isDocs(path string) bool {
	switch path {
	case Prefix + "/openapi.json", Prefix + "/openapi.yaml", Prefix + "/docs":
		return true
	default:
		return strings.HasPrefix(path, Prefix+"/docs/")
	}
}

// Info is what the description says of the control API as a whole.
func (c *Control) Info() openapi.Info {
	return openapi.Info{
		Version: c.opts.Version, Base: Prefix, Title: "paysandbox control API", Description: description, Descriptions: descriptions, Tries: tries,
		Token: "The control token, which the sandbox prints when it starts. On a loopback address none is needed. The read-only token, where there is one, opens what is read alone.",
		Tags: []openapi.Tag{
			{Name: "Sandbox", Description: "The sandbox as a whole."},
			{Name: "Integrations", Description: "Isolated worlds, each with credentials of its own."},
			{Name: "Snapshots", Description: "Integrations as they were at a moment: kept, gone back to, branched from."},
			{Name: "Clock", Description: "Virtual time."},
			{Name: "Webhooks", Description: "Endpoints, and the ledger of deliveries."},
			{Name: "Faults", Description: "Trouble on purpose: errors, latency, lost connections."},
			{Name: "Tape", Description: "What has happened, and why."},
			{Name: "Entities", Description: "What the world keeps, and how far its tables have been seen."},
			{Name: "Messages", Description: "E-mails and SMS that people were sent."},
			{Name: "Companies", Description: "What verification and a company's officers would do."},
			{Name: "Payers", Description: "What payers would do on the hosted pages."},
			{Name: "Payments", Description: "What payers and banks would do to payments and refunds."},
			{Name: "Cards", Description: "What payers and card issuers would do."},
			{Name: "Plans and authorisations", Description: "Plans, consents and debit authorisations."},
		},
	}
}

// newDocs serves the description of the control API and its page.
func (c *Control) newDocs() http.Handler {
	return openapi.Following(Prefix, new(openapi.Kept), c.described)
}

// described names the integration that the page tries examples in, and where the
// control API is open to everybody here, its credentials.
func (c *Control) described(r *http.Request) (openapi.Info, []openapi.Operation, bool) {
	info, i := c.Info(), c.opts.Registry.Default()
	if info.Integration = r.URL.Query().Get("integration"); info.Integration != "" {
		i = c.opts.Registry.Get(info.Integration)
	}
	if i == nil {
		return info, nil, false
	}
	own := i.Options()
	info.TryEnvironment = string(own.Environment)
	if c.opts.Token == "" {
		info.TryID, info.TrySecret = own.ClientID, own.ClientSecret
	}
	return info, c.Operations(), true
}
