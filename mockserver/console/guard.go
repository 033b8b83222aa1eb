package console

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"

	"paysandbox/mockserver/console/call"
	"paysandbox/mockserver/console/session"
	"paysandbox/mockserver/door"
)

// guard decides who may look, and which forms are ours. All that it hands out dies
// with the process, and with who has signed out.
type guard struct {
	// token is the control token, read that of those who look only; "" for none.
	token, read string
	sessions    *session.Sessions
}

// newGuard makes a guard. Processes that share what they serve know each other's
// sessions: by what they all know, the tokens.
func newGuard(o *Options) guard {
	all := ""
	if o.Shared && o.Token != "" {
		all = o.Token + "\x00" + o.ReadToken
	}
	return guard{token: o.Token, read: o.ReadToken, sessions: session.New(all, o.Wall)}
}

// foreign says whether a request comes from a page of somebody else, or, where there
// is no token, from somewhere else. That a link elsewhere leads here is no harm: a
// page cannot look into another one.
func (g *guard) foreign(r *http.Request) bool {
	if g.token == "" && !door.ThisMachine(r.Host) {
		return true
	}
	for _, origin := range r.Header.Values("Origin") {
		if u, err := url.Parse(origin); err != nil || u.Host == "" || !strings.HasSuffix(call.Base(r), "://"+strings.ToLower(u.Host)) {
			return true
		}
	}
	link := looks(r) && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		switch strings.ToLower(strings.TrimSpace(site)) {
		case "", "same-origin", "none":
		default:
			if !link {
				return true
			}
		}
	}
	return false
}

// knows says whether a request brings a token, or the cookie that one was changed
// for.
func (g *guard) knows(r *http.Request) bool { return g.token == "" || g.tokenOf(r) != "" }

// tokenOf is the token that a request has shown, now or when its session began; ""
// for none.
func (g *guard) tokenOf(r *http.Request) string {
	switch _, of := g.sessions.Of(r); of {
	case onlyLooks:
		return g.read
	case mayAct:
		return g.token
	default:
	}
	if scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "Bearer") {
		return g.right(token)
	}
	return ""
}

// looksOnly says whether a request may look and move nothing.
func (g *guard) looksOnly(r *http.Request) bool {
	return g.token != "" && g.tokenOf(r) != g.token
}

// Who a session is of: onlyLooks of those who move nothing, mayAct of the others.
const (
	onlyLooks = "look"
	mayAct    = "all"
)

// right gives back a token that is one of ours, else "". It compares in constant time.
func (g *guard) right(token string) (known string) {
	given := sha256.Sum256([]byte(token))
	for _, one := range []string{g.token, g.read} {
		if sum := sha256.Sum256([]byte(one)); one != "" && subtle.ConstantTimeCompare(given[:], sum[:]) == 1 {
			known = one
		}
	}
	return known
}

// begin makes the cookie of a new session. One that the browser had before ends.
func (g *guard) begin(r *http.Request, token string) *http.Cookie {
	g.end(r)
	of := mayAct
	if token != g.token {
		of = onlyLooks
	}
	return bake(r, g.sessions.Name(), g.sessions.Begin(of), 0)
}

// end ends the session of a request, in this browser and wherever its cookie has come to.
func (g *guard) end(r *http.Request) {
	if id, _ := g.sessions.Of(r); id != "" {
		g.sessions.End(id)
	}
}

func bake(r *http.Request, name, value string, age int) *http.Cookie {
	return &http.Cookie{ //nolint:gosec // G124: Secure wherever the caller came by HTTPS; on plain HTTP it would not come back.
		Name: name, Value: value, Path: Prefix, MaxAge: age, HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: strings.HasPrefix(call.Base(r), "https:"),
	}
}

// csrf is what every form of a session's pages has to bring.
func (g *guard) csrf(r *http.Request) string {
	id, _ := g.sessions.Of(r)
	return g.sessions.Form(id)
}

// ours says whether a form was on one of our pages.
func (g *guard) ours(r *http.Request) bool {
	return hmac.Equal([]byte(r.PostFormValue("csrf")), []byte(g.csrf(r)))
}

// local is an address of the console's own, else its beginning.
func local(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.IsAbs() || u.Host != "" || u.User != nil || strings.ContainsAny(address, "\\\r\n\t") ||
		u.Path != Prefix && !strings.HasPrefix(u.Path, Prefix+"/") || strings.Contains(u.Path, "..") {
		return Prefix
	}
	return u.RequestURI()
}

// maxForm bounds a form in bytes; a file has a bound of its own.
const maxForm = 256 << 10

// maxTyped is how long a form may be that is kept for the page that says why it was refused.
const maxTyped = 32 << 10

// login answers the form that asks for the token.
func (v *visit) login() {
	g := &v.console.guard
	switch {
	case g.token == "":
		v.goTo(Prefix)
	case v.r.Method != http.MethodPost:
		v.askToken()
	case !v.readFormWith(asked(v.r)):
	case g.right(v.given()) == "":
		v.signIn(http.StatusUnauthorized, "That is not the control token of this process. It is printed when the sandbox starts.", local(v.r.PostFormValue("next")))
	default:
		http.SetCookie(v.w, g.begin(v.r, g.right(v.given())))
		v.goTo(local(v.r.PostFormValue("next")))
	}
}

// given is the token that a form brings.
func (v *visit) given() string { return strings.TrimSpace(v.r.PostFormValue("token")) }

// askToken shows the form that asks for the token. Nothing else is shown, whether
// the address exists or not.
func (v *visit) askToken() {
	next := Prefix
	if v.r.URL.Path != SignIn && looks(v.r) {
		next = local(v.r.URL.RequestURI())
	}
	v.signIn(http.StatusUnauthorized, "", next)
}

func (v *visit) signIn(status int, wrong, next string) {
	form := asked(v.r)
	if form == "" {
		form = rand.Text()
		http.SetCookie(v.w, bake(v.r, askedCookie, form, 0))
	}
	v.frame = frame{Title: "Sign in", Screen: "login"}
	v.show(status, "login", struct{ Wrong, Next, Form string }{wrong, next, form})
}

// askedCookie names the browser that was shown the form to sign in with: whoever has no
// session yet is shown nothing that is made with a key.
const askedCookie = "paysandbox_sign_in"

// asked is what the form to sign in with has to bring, "" where none was shown.
func asked(r *http.Request) string {
	c, err := r.Cookie(askedCookie)
	if err != nil || len(c.Value) != len(rand.Text()) {
		return ""
	}
	return c.Value
}

// logout ends the session.
func (v *visit) logout() {
	if g := &v.console.guard; v.readForm() {
		g.end(v.r)
		http.SetCookie(v.w, bake(v.r, g.sessions.Name(), "", -1))
		v.goTo(Prefix)
	}
}

// readForm reads a posted form and refuses one that is not ours.
func (v *visit) readForm() bool { return v.readFormWith(v.console.guard.csrf(v.r)) }

// readFormWith reads a posted form, which has to bring what its page had.
func (v *visit) readFormWith(csrf string) bool {
	v.r.Body = http.MaxBytesReader(v.w, v.r.Body, maxForm)
	if err := v.r.ParseForm(); err != nil {
		v.refuse(http.StatusBadRequest, "This form could not be read", "It is too large, or not coded as a form is. Nothing was changed.")
		return false
	}
	if csrf == "" || !hmac.Equal([]byte(v.r.PostFormValue("csrf")), []byte(csrf)) {
		if again := local(v.r.PostForm.Get("back")); again != Prefix { // which the page leads to anyhow
			v.frame.Again = again
		}
		v.refuse(http.StatusForbidden, "This form is not ours", "It did not come from this console, or its page is of an earlier run of the sandbox. Nothing was changed: open the page again.")
		return false
	}
	return true
}
