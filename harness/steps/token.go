package steps

import "net/http"

func tokenActions() []action {
	fill := []pair{{"clientId", "client id"}, {"clientSecret", "client secret"}}
	return []action{
		{
			phrase: "asks for a token", method: http.MethodPost, path: "/Authentication/Token", body: "token", fill: fill,
			keep: []pair{{"accessToken", "token"}},
		},
		{phrase: "asks for a token under the guides' path", method: http.MethodPost, path: "/auth/token", body: "token", fill: fill},
	}
}
