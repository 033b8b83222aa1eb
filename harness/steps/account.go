package steps

import "net/http"

func accountActions() []action {
	return []action{
		{
			phrase: "asks for a link token", method: http.MethodPost, path: "/Account/LinkToken", body: "link-token",
			fill: []pair{{"verificationId", "payer"}}, keep: []pair{{"tokenId", "link token"}},
		},
		{
			phrase: "links the account", method: http.MethodPut, path: "/Account/Link", body: "account-link",
			fill: []pair{{"tokenId", "link token"}},
		},
	}
}
