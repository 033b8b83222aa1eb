package integration

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync"
	"time"

	"paysandbox/mockserver/integration/access"
	"paysandbox/mockserver/integration/strike"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// CheckCredentials compares a client id and secret with the integration's own, in
// constant time.
func (i *Integration) CheckCredentials(clientID, secret string) bool {
	return i.keys.Load().Match(clientID, secret)
}

// Sign makes the access token that a grant stands for, a JWT under HS256.
func (i *Integration) Sign(t world.Token) (string, error) { return i.keys.Load().Sign(t) }

// Caller is who a request says it comes from, judged without the clock.
type Caller struct {
	// Integration owns the tape that the request goes on. It is never nil.
	Integration *Integration
	// Verdict is tape.AuthValid as far as the token alone can tell, or why not.
	Verdict string
	// Token is the token's id, when it could be read.
	Token string
	// Generation is the token's, and Expires its end.
	Generation uint64
	Expires    time.Time

	// life is the one of the integration in which the token was issued.
	life uint64
}

// Standing is the final verdict at a virtual time: a good token may have
// expired or been revoked. Call it inside Do.
func (c *Caller) Standing(w *world.World) string { return c.standing(w, w.Now()) }

// Present is the verdict at this moment, before the call is carried out; "" where the
// integration sleeps and cannot be woken. Call it outside Do.
func (c *Caller) Present() string {
	i := c.Integration
	if i.Wake() != nil {
		return ""
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.asleep != nil { // again: many others were called meanwhile
		return ""
	}
	return c.standing(i.world, time.Unix(0, i.clock.Now()))
}

func (c *Caller) standing(w *world.World, now time.Time) string {
	switch {
	case c.Verdict != tape.AuthValid:
		return c.Verdict
	case c.life != c.Integration.life(), w.TokenRevoked(c.Generation):
		return tape.AuthRevoked
	case !now.Before(c.Expires):
		return tape.AuthExpired
	default:
		return tape.AuthValid
	}
}

// Authenticate judges the Authorization header of a request. A caller that
// cannot be told is put on the default integration's tape.
func (r *Registry) Authenticate(header string) Caller {
	c := Caller{Integration: r.Default()}
	token, ok := access.Bearer(header)
	switch {
	case header == "":
		c.Verdict = tape.AuthMissing
		return c
	case !ok:
		c.Verdict = tape.AuthMalformed
		return c
	}
	if known, ok := r.tokens.get(token); ok {
		return known
	}
	t := access.Read(token, func(id string) *access.Keys {
		i := r.Find(id)
		if i == nil {
			return nil
		}
		c.Integration = i
		return i.keys.Load()
	})
	c.Verdict, c.Token, c.Generation, c.Expires, c.life = t.Verdict, t.ID, t.Generation, t.Expires, t.Life
	if c.Verdict == tape.AuthValid {
		r.tokens.put(token, c)
		if r.Get(c.Integration.ID) != c.Integration { // it was deleted meanwhile
			r.tokens.forget()
		}
	}
	return c
}

// remembered tokens bound the cache; when it is full it starts again.
const rememberedTokens = 4096

// tokenCache remembers which tokens have proved good. A hash finds the place whose key
// nobody knows: without the token itself nobody comes to compare with it, so that how long
// that takes tells nothing.
type tokenCache struct {
	seed  maphash.Seed
	mu    sync.RWMutex
	known map[uint64]knownToken
}

type knownToken struct {
	token  string
	caller Caller
}

func (t *tokenCache) get(token string) (Caller, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	k, ok := t.known[maphash.String(t.seed, token)]
	if !ok || k.token != token {
		return Caller{}, false
	}
	return k.caller, true
}

func (t *tokenCache) put(token string, c Caller) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil || len(t.known) >= rememberedTokens {
		t.known = make(map[uint64]knownToken)
	}
	t.known[maphash.String(t.seed, token)] = knownToken{strings.Clone(token), c}
}

func (t *tokenCache) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.known = nil
}

// secrets are the words that are looked for in every entry, gathered anew when the
// webhook endpoints have changed. A secret that was rotated out stays one.
type secrets struct {
	of    *world.World
	state uint64
	secret.Values
}

// gather notes the secrets that there are now.
func (s *secrets) gather(w *world.World, o *Options) {
	if s.of != w {
		*s = secrets{of: w, Values: secret.NewValues(access.AnyHead)}
	}
	s.state = w.Webhooks().Changes()
	list := slices.AppendSeq([]string{o.ClientSecret, o.WebhookSecret, o.StatusKey}, w.Webhooks().Secrets)
	for _, e := range w.Webhooks().List() {
		list = append(list, secret.InAddress(e.URL)...)
	}
	s.Add(list...)
}

// Pack lists the secrets, in the order in which they became known.
func (s *secrets) Pack(k *kernel.Codec) {
	known := s.Known()
	kernel.PackEach(k, &known, 1, k.Str)
	if !k.Reading() {
		return
	}
	*s = secrets{Values: secret.NewValues(access.AnyHead)}
	s.Add(known...)
}

// known are the secrets that there are now.
func (i *Integration) known() *secrets {
	if s := &i.secrets; s.of != i.world || s.state != i.world.Webhooks().Changes() {
		s.gather(i.world, i.opts.Load())
	}
	return &i.secrets
}

// strike takes the integration's own secrets and access tokens out of an entry,
// wherever a caller or a receiver has put them: a tape is saved, shared and shown.
// Elsewhere secrets are masked by the names of their members; these are known by
// their value. It says whether an exchange held one that was written in another way. The
// request of the call in hand is looked at once, unless more secrets are known by then.
func (i *Integration) strike(e *tape.Entry) (disguised bool) {
	if e.Exchange == nil && e.Attempt == nil && e.Fetch == nil && e.Message == nil && e.Findings == nil {
		return false
	}
	known, x := i.known(), e.Exchange
	asked := askedOf(x, known)
	clear := x != nil && asked == i.scratch.clear
	for n, words := 0, known.Words(); n < len(words); n++ {
		if strike.Entry(e, &words[n], clear) && words[n].Encoded() {
			disguised = true
		}
	}
	for n, words := 0, i.scratch.passing.Words(); n < len(words); n++ {
		strike.Entry(e, &words[n], clear)
	}
	if x != nil && e.Exchange == x {
		i.scratch.clear = asked
	}
	return disguised
}

// asked is the request of an exchange, as it is held against so many secrets of a world.
type asked struct {
	path, query string
	header      *tape.Header
	body        *byte
	bytes       int
	of          *world.World
	secrets     int
}

func askedOf(x *tape.Exchange, known *secrets) (a asked) {
	if x == nil {
		return a
	}
	a = asked{path: x.Path, query: x.Query, bytes: len(x.Request.Body), of: known.of, secrets: len(known.Known())}
	if len(x.Request.Header) > 0 {
		a.header = &x.Request.Header[0]
	}
	if len(x.Request.Body) > 0 {
		a.body = &x.Request.Body[0]
	}
	return a
}

// struck is a text without the integration's own secrets.
func (i *Integration) struck(text string) string { return i.known().Text(text) }

// Betrayed says whether a text holds an access token or the client secret, which
// belong into the header Authorization and into the body of the token call alone.
func (i *Integration) Betrayed(text string) bool {
	own := i.opts.Load().ClientSecret
	return strings.Contains(text, access.TokenHead) || secret.Findable(own) && strings.Contains(text, own)
}
