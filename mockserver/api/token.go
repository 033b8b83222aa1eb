package api

import (
	"bytes"
	"net/http"
	"time"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/wire"
	"paysandbox/mockserver/world"
)

// TokenRequest is the body of the token call. Specification, Token.
type TokenRequest struct {
	// ClientID and ClientSecret are the credentials of one integration.
	ClientID     string `json:"clientId" required:"true" example:"sandbox-client"`
	ClientSecret string `json:"clientSecret" mask:"true" required:"true" example:"sandbox-secret"`
}

// TokenGranted is the answer to the token call.
type TokenGranted struct {
	// AccessToken is a JWT under HS256, to be sent as Authorization: Bearer.
	AccessToken string `json:"accessToken" required:"true" example:"eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiIxIn0.c2lnbmF0dXJl"`
	// TokenType is always Bearer.
	TokenType string `json:"tokenType" required:"true" enum:"Bearer" example:"Bearer"`
	// ExpiresInSeconds is the lifetime in seconds of virtual time.
	ExpiresInSeconds int64 `json:"expiresInSeconds" required:"true" example:"3600"`
}

func tokenRoutes() []*route {
	token := row("createToken", http.MethodPost, "/Authentication/Token", takes(grantToken), TokenRequest{}, TokenGranted{}).
		about("Authentication", "Get an access token", "Authentication 2")
	token.Open, token.masks = true, true
	return []*route{token, token.also("createTokenGuide", http.MethodPost, "/auth/token", latitude.TokenPathsReferenceOnly)}
}

// grantToken answers a token for the right credentials. The integration is the
// one that the client id names.
func grantToken(w *world.World, in *input, req *TokenRequest) (TokenGranted, error) {
	if err := w.CheckTokenRequest(req.ClientID, req.ClientSecret, in.noted()...); err != nil {
		return TokenGranted{}, err
	}
	x := in.call
	if !x.credentials {
		return TokenGranted{}, &kernel.Error{
			Code:   kernel.Unauthorised,
			Detail: "the client id or the client secret is wrong",
		}
	}
	t := w.IssueToken()
	signed, err := x.caller.Integration.Sign(t)
	if err != nil {
		return TokenGranted{}, err
	}
	x.call.Exchange.Token = t.ID.String()
	return TokenGranted{
		AccessToken: signed, TokenType: "Bearer", ExpiresInSeconds: int64(t.Expires.Sub(t.Issued) / time.Second),
	}, nil
}

// address finds the integration that a token call names, before its body is read
// in earnest: the ledger's choices are that integration's.
func (x *exchange) address() {
	if x.again != nil || x.refusal != nil {
		return
	}
	named := &TokenRequest{}
	first := wire.Decode(x.body.Bytes(), named, wire.Options{})
	if i := x.api.opts.Registry.Client(named.ClientID); i != nil {
		c := x.caller
		c.Integration = i
		x.belongTo(c)
	}
	if x.options() == (wire.Options{}) { // read as the integration wants it
		x.value, x.decoded = named, first
	}
}

// judgeCredentials compares a token call's credentials, before the lock. Only
// the verdict goes on the tape.
func (x *exchange) judgeCredentials() {
	req, ok := x.value.(*TokenRequest)
	switch {
	case !ok:
	case x.again != nil:
		x.credentials = x.again.Auth == tape.AuthCredentialsOK
	default:
		x.credentials = x.caller.Integration.CheckCredentials(req.ClientID, req.ClientSecret)
	}
}

// credentialsVerdict is what the tape says of a token call.
func (x *exchange) credentialsVerdict() string {
	if x.credentials {
		return tape.AuthCredentialsOK
	}
	return tape.AuthCredentialsWrong
}

// maskAnswer hides a token in the copy of an answer that goes on the tape.
func maskAnswer(body []byte) []byte {
	out := bytes.Clone(body)
	const member = `ccessToken":"`
	at := bytes.Index(out, []byte(member))
	if at < 0 {
		return out
	}
	for i := at + len(member); i < len(out) && out[i] != '"'; i++ {
		out[i] = 'x'
	}
	return out
}
