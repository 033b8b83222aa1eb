package verify_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

// accessMutants let in whom they must not, and keep out others.
func accessMutants() []mutant {
	const token = "POST /Authentication/Token"
	everywhere := "GET /Company/*, GET /Company/*/*, POST /Company/*, POST /Company/*/*"
	return []mutant{
		{"auth.token", "the type of a token is not told", tells(token, "tokenType", "")},
		{"auth.token", "tokens of two hours", tells(token, "expiresInSeconds", 7200)},
		{"auth.token.lifetime", "a token is accepted after its end", lenient(everywhere, func(_ string, mine bool) bool { return mine })},
		{"auth.token.lifetime", "a token ends a minute early", expiring("59m59s")},
		{"auth.token.path", "the guides' path is unknown", becomes("POST /auth/token", 200, 404)},
		{"auth.token.open", "the call for a token wants a good header", answers(token, func(x *exchange) {
			if x.req.Header.Get("Authorization") != "" {
				x.refuse(http.StatusUnauthorized, "$", "auth.unauthorised")
			}
		})},
		{"auth.token.refused", "the answer tells which client id is wrong", answers(token, func(x *exchange) {
			if x.status == http.StatusUnauthorized {
				x.change("detail", "there is no client "+x.member("clientId").(string))
			}
		})},
		{"auth.token.refused", "any secret gets a token", allowed(token)},
		{"auth.token.secret-hidden", "the tape keeps client secrets", tattles("/Authentication/Token")},
		{"auth.bearer", "one operation is open to all", lenient("PUT /Payment/*/Cancel", func(header string, _ bool) bool { return header == "" })},
		{"auth.bearer", "no operation needs a token", lenient("* /*, * /*/*, * /*/*/*, * /*/*/*/*", func(header string, _ bool) bool { return header == "" })},
		{"auth.bearer.broken", "an unsigned token opens the service", lenient(everywhere, func(header string, _ bool) bool { return strings.HasSuffix(header, ".") })},
		{"auth.bearer.broken", "any text opens the service", lenient(everywhere, func(header string, _ bool) bool { return header != "" })},
		{"auth.unauthorised", "nobody is challenged", answers("GET /Company/List", func(x *exchange) { x.header.Del("WWW-Authenticate") })},
		{"auth.nothing-done", "a caller who is refused gets a company", behind("POST /Company/Create")},
	}
}

// porter knows the credentials of the integrations that were made.
type porter struct {
	mu     sync.Mutex
	secret map[string][2]string
	issued map[string]bool
}

// watch notes credentials and tokens that pass.
func (p *porter) watch(next http.Handler) http.Handler {
	return on("POST /_sandbox/integrations, POST /Authentication/Token", nil, func(x *exchange) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if id, ok := x.got("id").(string); ok {
			p.secret[id] = [2]string{x.got("clientId").(string), x.got("clientSecret").(string)}
		}
		if token, ok := x.got("accessToken").(string); ok {
			p.issued["Bearer "+token] = true
		}
	})(next, new(keeper))
}

// token gets a good token for the integration that a call is about.
func (p *porter) token(next http.Handler, x *exchange) string {
	p.mu.Lock()
	secret := p.secret[x.req.Header.Get("Sandbox-Integration")]
	p.mu.Unlock()
	body := encoded(map[string]string{"clientId": secret[0], "clientSecret": secret[1]})
	req := httptest.NewRequest(http.MethodPost, "/Authentication/Token", strings.NewReader(string(body)))
	req.Header.Set("Content-Type", "application/json")
	answered := httptest.NewRecorder()
	next.ServeHTTP(answered, req)
	var answer struct{ AccessToken string }
	_ = json.Unmarshal(answered.Body.Bytes(), &answer)
	return "Bearer " + answer.AccessToken
}

// entering is a kind that does something for callers who were refused as
// unauthorised: for those whose header, which the service has issued or not, lets
// them in.
func entering(patterns string, lets func(header string, mine bool) bool, then func(x, entered *exchange)) kind {
	return func() spoiler {
		p := &porter{secret: map[string][2]string{}, issued: map[string]bool{}}
		return func(next http.Handler, k *keeper) http.Handler {
			return p.watch(on(patterns, nil, func(x *exchange) {
				header := x.req.Header.Get("Authorization")
				p.mu.Lock()
				mine := p.issued[header]
				p.mu.Unlock()
				if x.status != http.StatusUnauthorized || strings.HasPrefix(x.req.URL.Path, "/_sandbox") || !lets(header, mine) {
					return
				}
				entered := &exchange{req: x.req.Clone(x.req.Context()), asked: x.asked}
				entered.req.Header.Set("Authorization", p.token(next, x))
				entered.pass(next)
				x.touched = true
				then(x, entered)
			})(next, k))
		}
	}
}

// lenient lets callers in.
func lenient(patterns string, lets func(header string, mine bool) bool) kind {
	return entering(patterns, lets, func(x, entered *exchange) { x.status, x.header, x.body = entered.status, entered.header, entered.body })
}

// behind refuses a caller and does what was asked all the same.
func behind(patterns string) kind {
	return entering(patterns, func(string, bool) bool { return true }, func(_, _ *exchange) {})
}

// expiring ends every token when the clock has moved by so many seconds.
func expiring(by string) kind {
	return remembering(func() (string, func(x *exchange), func(x *exchange)) {
		over := map[string]bool{}
		return "POST " + control + "/clock/advance, GET /Company/List", nil, func(x *exchange) {
			if id, rest, found := strings.Cut(strings.TrimPrefix(x.req.URL.Path, "/_sandbox/integrations/"), "/clock"); found && rest != "" {
				text, _ := x.member("by").(string)
				over[id] = strings.Contains(text, by)
			} else if over[x.req.Header.Get("Sandbox-Integration")] {
				x.refuse(http.StatusUnauthorized, "$", "auth.unauthorised")
			}
		}
	})
}
