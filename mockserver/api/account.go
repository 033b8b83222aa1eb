package api

import (
	"net/http"

	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi"
	"paysandbox/mockserver/world"
)

func accountRoutes() []*route {
	const tag, clause = "Account linking", "latitude, other documented operations"
	return []*route{
		when(row("createLinkToken", http.MethodPost, "/Account/LinkToken", does((*world.World).CreateLinkToken), world.NewLinkToken{}, world.LinkToken{}).
			About(tag, "Start linking a payer's bank account").From(clause).On(openapi.Docs).
			Again("May be repeated: each answer is another token."), latitude.UnknownBodyIDsNotFound, http.StatusNotFound),
		row("linkAccount", http.MethodPut, "/Account/Link", does((*world.World).LinkAccount), world.AccountLink{}, world.AccountLinked{}).
			About(tag, "Finish linking a payer's bank account").From(clause).On(openapi.Docs),
	}
}
