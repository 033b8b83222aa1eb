package hosted

import (
	"bytes"
	"html"
	"log/slog"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/hosted/form"
	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/wire"
	"paysandbox/mockserver/world"
)

// The verdicts on a visit ([tape.Exchange].Auth), beside tape.AuthNoneNeeded. A
// replay takes them as they are recorded.
const (
	// verdictGood: the form could be read and brought the page's token.
	verdictGood = "csrf-ok"
	// verdictForged: the form's token is missing or another page's.
	verdictForged = "csrf-wrong"
	// verdictMedia: the body does not say that it is a plain form.
	verdictMedia = "form-unsupported"
	// verdictLarge: the form is larger than form.Max.
	verdictLarge = "form-too-large"
	// verdictBroken: the form ended early or cannot be decoded.
	verdictBroken = "form-malformed"
	// verdictFull: the process has no memory left for what the form would make.
	verdictFull = "no-room"
	// verdictStray: the address names no integration; the visit is on the tape
	// of the default one.
	verdictStray = "integration-unknown"
	// verdictLost: nothing of the integration lies at the address.
	verdictLost = "page-unknown"
)

// visit is one request on its way through the pages.
type visit struct {
	door.Exchange
	house *Hosted
	// page is what lies at the address, nil for nothing; allow are its methods, and
	// wrong says that the request has none of them.
	page  *page
	allow []string
	wrong bool

	verdict string
	token   string
	form    form.Form
	answer  answer
}

// Identify finds the page, and the integration on whose tape the visit goes.
func (v *visit) Identify() {
	route, at := v.house.table.Find(v.Req, &v.Vars)
	name, below, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(v.Req.URL.Path, Prefix), "/"), "/")
	v.verdict = tape.AuthNoneNeeded
	if v.Again != nil {
		v.On, v.verdict = v.Again.Integration, v.Again.Auth
	} else if v.On = v.house.opts.Registry.Find(name); v.On == nil {
		v.On, v.verdict = v.house.opts.Registry.Default(), verdictStray
	}
	v.Call.Base = wire.PageBase(v.Req, v.On.ID)
	defer v.meetStranger()
	if len(at) == 0 || v.verdict == verdictStray {
		return
	}
	v.page, v.allow, v.wrong = at[0].Endpoint, door.Allow(at), route == nil
	v.token = form.Token(v.On.Options().ClientSecret, v.On.ID, below)
	v.Call.Exchange.Operation = at[0].ID
	if id, ok := kernel.ParseID(v.Param("id")); ok {
		v.Call.Entities = []string{id.String()}
	}
}

// meetStranger finds out whether the visit is of somebody who was sent no link: whoever
// knows an address of the integration has got it from its owner.
func (v *visit) meetStranger() {
	kind := strings.TrimPrefix(v.Call.Exchange.Operation, "pages.")
	if v.Again == nil && v.verdict == tape.AuthNoneNeeded && (v.page == nil || !v.On.Asks(func(w *world.World) bool { return w.HasPage(kind, v.Param("id")) })) {
		v.verdict = verdictLost
	}
	v.Call.Stranger = v.verdict == verdictStray || v.verdict == verdictLost
}

// posted says whether the visit brings a form that the page takes.
func (v *visit) posted() bool {
	return v.page != nil && v.page.act != nil && v.Req.Method == http.MethodPost
}

// isForm says whether the body says that it is a plain form.
func (v *visit) isForm() bool {
	media, _, err := mime.ParseMediaType(v.Req.Header.Get("Content-Type"))
	return err == nil && media == "application/x-www-form-urlencoded"
}

// Limit admits a body where a form is expected.
func (v *visit) Limit() int64 {
	if !v.posted() || !v.isForm() {
		return 0
	}
	return form.Max
}

// Decode takes in a posted form.
func (v *visit) Decode() {
	if v.Call.Judged.Auth = v.verdict; !v.posted() {
		if v.page != nil {
			v.form, _ = form.Read([]byte(v.Req.URL.RawQuery), v.page.fields) // a query that is no form fills in nothing
		}
		return
	}
	verdict := v.readForm()
	if v.Again == nil && !v.Call.Stranger {
		v.verdict = verdict
	}
	v.Call.Judged.Auth = v.verdict
	v.Call.Exchange.Request.Body = v.form.Encode()
}

// readForm gives the verdict on the form.
func (v *visit) readForm() string {
	switch {
	case !v.isForm():
		return verdictMedia
	case v.Unread.Why == door.TooLarge:
		return verdictLarge
	case v.Unread.Why == door.NoRoom, v.Unread.Why == "" && v.Again == nil && v.house.opts.Registry.Budget().Spent():
		return verdictFull
	case v.Unread.Why != "":
		return verdictBroken
	}
	var same bool
	var err error
	v.form, same, err = form.ReadWithToken(v.Body.Bytes(), v.page.fields, v.token)
	for name, value := range v.form.Unmasked(v.page.fields) {
		v.Call.Advice = wire.Personal(v.Call.Advice, "form:"+name, value)
	}
	switch {
	case err != nil:
		return verdictBroken
	case !same:
		return verdictForged
	}
	return verdictGood
}

// Act comes to the answer under the lock and fills in what goes on the tape. Of
// posted forms alone the answer's body does, without the form's token and the secrets of
// partners' addresses.
func (v *visit) Act(w *world.World, _ *integration.Call) {
	v.answer = v.decide(w)
	v.describe()
	e := &v.Call.Exchange
	e.Auth = v.verdict
	if v.posted() {
		v.render()
		e.Response.Body = struckLinks(form.HideToken(v.Out, v.token))
	}
	e.Response.Status, e.Response.Header = v.Status, v.taped()
}

// taped are the answer's headers as they go on the tape: where the payer is sent back to
// may have a secret of the partner's in it.
func (v *visit) taped() []tape.Header {
	if len(secret.InAddress(v.answer.location)) == 0 {
		return v.Header
	}
	list := slices.Clone(v.Header)
	for n := range list {
		if list[n].Name == "Location" {
			list[n].Value = secret.Address(list[n].Value)
		}
	}
	return list
}

// leading are the links of a page that lead to a partner.
var leading = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`href="https?://[^"]*"`) })

// struckLinks is a page as it goes on the tape: without the secrets in the addresses that
// it leads to.
func struckLinks(page []byte) []byte {
	const begins = `href="`
	return leading().ReplaceAllFunc(page, func(link []byte) []byte {
		address := html.UnescapeString(string(link[len(begins) : len(link)-1]))
		if len(secret.InAddress(address)) == 0 {
			return link
		}
		return []byte(begins + html.EscapeString(secret.Address(address)) + `"`)
	})
}

// decide comes to the answer.
func (v *visit) decide(w *world.World) answer {
	switch {
	case v.page == nil:
		return unknownAddress()
	case v.wrong:
		return wrongMethod(v.allow)
	}
	a, err := v.step(w)
	if err != nil {
		a = v.failed(w, err)
	}
	return a
}

// step shows the page or acts on its form. A form without a verdict in its
// favour changes nothing; an address that leads nowhere says so first.
func (v *visit) step(w *world.World) (answer, error) {
	if !v.posted() {
		return v.page.show(w, v)
	}
	if v.verdict == verdictGood {
		return v.page.act(w, v)
	}
	if _, err := v.page.show(w, v); err != nil {
		return answer{}, err
	}
	return refused(v.verdict, v.self()), nil
}

// render makes the body, once, of a page that is shown.
func (v *visit) render() {
	if v.Out != nil || v.answer.sheet == "" {
		return
	}
	var b bytes.Buffer
	if err := parsed().render(&b, v.sheet()); err != nil {
		v.house.opts.Log.Error("a page could not be rendered", slog.String("sheet", v.answer.sheet), slog.Any("error", err))
		b.Reset()
		b.WriteString("the sandbox has made a mistake; its log says more\n")
	}
	v.Out = b.Bytes()
}

// Send sends the answer with the headers that guard a browser.
func (v *visit) Send(flush bool) {
	v.render()
	h := v.Writer.Header()
	h.Set("Content-Security-Policy", v.policy())
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", v.keep())
	v.Write(v.Writer, flush)
}

// self is the address of the page that is visited, without the host.
func (v *visit) self() string {
	return v.root() + v.Req.URL.EscapedPath()[len(Prefix)+len(v.Param("integration")):]
}

// keep says what browsers may keep. A form with mistakes is a page of its own in
// their history: where it could not be shown again, Back would end in an error.
func (v *visit) keep() string {
	if v.posted() && v.answer.sheet != "" {
		return "private, no-cache"
	}
	return "no-store"
}

// didName is the query parameter that names the posted form, by its number on the
// tape, which led to a page.
const didName = "did"

// done is the page itself, which tells what came of the form.
func (v *visit) done() string {
	return v.self() + "?" + didName + "=" + strconv.FormatUint(v.Call.Seq, 10)
}

// did is the number on the tape of the form that led here, "" for none.
func (v *visit) did() string {
	number := v.Req.URL.Query().Get(didName)
	if n, err := strconv.ParseUint(number, 10, 64); err != nil || strconv.FormatUint(n, 10) != number {
		return ""
	}
	return number
}

// root is the address under which the integration's pages lie.
func (v *visit) root() string { return Prefix + v.On.ID }

// link is the address of another page of the integration.
func (v *visit) link(kind, id string) string { return v.root() + "/" + kind + "/" + id }
