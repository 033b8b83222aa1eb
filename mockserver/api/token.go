package api

import (
	"bytes"
	"net/http"
	"slices"
	"time"

	"paysandbox/mockserver/door"
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
	e := takes(grantToken)
	e.caller, e.masks = byCredentials{}, true
	token := row("createToken", http.MethodPost, "/Authentication/Token", e, TokenRequest{}, TokenGranted{}).
		About("Authentication", "Get an access token").From("Authentication 2").
		Again("May be repeated: each answer is another token.")
	token.Open = true
	token.Errors = slices.DeleteFunc(token.Errors, func(status int) bool { return status == http.StatusUnauthorized })
	when(token, latitude.TokenRefusalUnauthorised, http.StatusUnauthorized)
	return []*route{token, also(token, "createTokenGuide", http.MethodPost, "/auth/token", latitude.TokenPathsReferenceOnly)}
}

// grantToken answers a token for the right credentials. The integration is the
// one that the client id names.
func grantToken(w *world.World, x *exchange, req *TokenRequest) (TokenGranted, error) {
	if err := w.CheckTokenRequest(req.ClientID, req.ClientSecret, x.Call.Findings...); err != nil {
		return TokenGranted{}, err
	}
	if !x.credentials {
		return TokenGranted{}, wrongCredentials{&kernel.Error{Code: kernel.Unauthorised, Detail: "the client id or the client secret is wrong"}}
	}
	t := w.IssueToken()
	signed, err := x.On.Sign(t)
	if err != nil {
		return TokenGranted{}, err
	}
	x.Call.Exchange.Token = t.ID.String()
	return TokenGranted{
		AccessToken: signed, TokenType: "Bearer", ExpiresInSeconds: int64(t.Expires.Sub(t.Issued) / time.Second),
	}, nil
}

// wrongCredentials are a refusal whose status the ledger can change.
type wrongCredentials struct{ error }

func (e wrongCredentials) Unwrap() error { return e.error }

// HTTPStatus is 400 where the ledger says so.
func (e wrongCredentials) HTTPStatus(s latitude.Settings) int {
	if s.Is(latitude.TokenRefusalBadRequest) {
		return http.StatusBadRequest
	}
	return http.StatusUnauthorized
}

// byCredentials tells the caller by the client id and secret in the body.
type byCredentials struct{}

// byCredential says whether a verdict is one on credentials, as of a call that
// needs no token.
func byCredential(verdict string) bool {
	return verdict == tape.AuthCredentialsOK || verdict == tape.AuthCredentialsWrong
}

func (byCredentials) reads(*exchange) bool { return true }

// tokenBodies are small: anybody can send them.
var tokenBodies = door.Bodies{
	Limit: 16 << 10, Rule: bodies.Rule, Media: bodies.Media, Source: bodies.Source, Smaller: "send clientId and clientSecret alone",
}

func (byCredentials) bodies() *door.Bodies { return &tokenBodies }

// address finds the integration that the body names: by whose choices the body is
// read is known only then. Where they are the usual ones it has been read already.
func (byCredentials) address(x *exchange) {
	if x.Again != nil {
		return
	}
	named := &TokenRequest{}
	first := wire.Decode(x.Body.Bytes(), named, wire.Options{})
	if i := x.api.opts.Registry.FindClient(named.ClientID); i != nil {
		c := x.caller
		c.Integration = i
		x.belongTo(c)
	}
	if x.options() == (wire.Options{}) {
		x.value, x.decoded = named, first
	}
}

// makes is false: a token is not kept.
func (byCredentials) makes(string) bool { return false }

// strike leaves the body: the credentials in it are compared as they came, and masked then.
func (byCredentials) strike(*exchange, []byte) {}

// judge compares the credentials. Only the verdict goes on the tape.
func (byCredentials) judge(x *exchange) {
	req := door.As[TokenRequest](x.value)
	x.credentials = x.Again != nil && x.Again.Auth == tape.AuthCredentialsOK || x.Again == nil && x.On.CheckCredentials(req.ClientID, req.ClientSecret)
}

func (byCredentials) verdict(x *exchange, _ *world.World) string {
	if x.credentials {
		return tape.AuthCredentialsOK
	}
	return tape.AuthCredentialsWrong
}

func (byCredentials) stranger(x *exchange) bool { return !x.credentials }

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
