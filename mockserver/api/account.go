package api

import (
	"net/http"

	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/world"
)

func accountRoutes() []*route {
	const tag, clause = "Account linking", "latitude, other documented operations"
	return []*route{
		row("createLinkToken", http.MethodPost, "/Account/LinkToken", takes(createLinkToken), world.NewLinkToken{}, world.LinkToken{}).
			about(tag, "Start linking a payer's bank account", clause).on(openapi.Docs).fails(http.StatusNotFound),
		row("linkAccount", http.MethodPut, "/Account/Link", takes(linkAccount), world.AccountLink{}, world.AccountLinked{}).
			about(tag, "Finish linking a payer's bank account", clause).on(openapi.Docs),
	}
}

func createLinkToken(w *world.World, in *input, req *world.NewLinkToken) (world.LinkToken, error) {
	return w.CreateLinkToken(req, in.noted()...)
}

func linkAccount(w *world.World, in *input, req *world.AccountLink) (world.AccountLinked, error) {
	return w.LinkAccount(req, in.noted()...)
}
