package hosted

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"

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
	// verdictLarge: the form is larger than maxForm.
	verdictLarge = "form-too-large"
	// verdictBroken: the form ended early or cannot be decoded.
	verdictBroken = "form-malformed"
	// verdictStray: the address names no integration; the visit is on the tape
	// of the default one.
	verdictStray = "integration-unknown"
)

// visit is one request on its way through the pages.
type visit struct {
	house *Hosted
	req   *http.Request
	again *integration.Again
	on    *integration.Integration
	at    place
	page  *page
	call  integration.Call

	verdict string
	token   string
	form    form

	answer answer
	header []tape.Header
	out    []byte
}

// begin fills in what the request line and headers tell.
func (h *Hosted) begin(r *http.Request) *visit {
	v := &visit{house: h, req: r, at: readPlace(r.URL.Path), again: integration.AgainFrom(r.Context())}
	v.verdict = tape.AuthNoneNeeded
	v.page = h.find(v.at)
	v.identify()
	v.token = token(v.on, v.at)
	v.call = integration.Call{Kind: tape.KindPage, Base: wire.PageBase(r, v.on.ID)}
	v.call.Exchange = tape.Exchange{Method: r.Method, Path: r.URL.EscapedPath(), Query: secret.Query(r.URL.RawQuery)}
	v.call.Exchange.Request.Header = captured(r)
	if v.page != nil {
		v.call.Exchange.Operation = v.page.operation
	}
	if id, ok := kernel.ParseID(v.at.id); ok && v.page != nil {
		v.call.Entities = []string{id.String()}
	}
	if v.again != nil {
		v.call.At = v.again.At
	}
	return v
}

// identify finds the integration on whose tape the visit goes.
func (v *visit) identify() {
	if v.again != nil {
		v.on, v.verdict = v.again.Integration, v.again.Auth
	} else if v.on = v.house.opts.Registry.Get(v.at.integration); v.on == nil {
		v.on, v.verdict = v.house.opts.Registry.Default(), verdictStray
	}
	if v.verdict == verdictStray {
		v.page = nil
	}
}

// posted says whether the visit brings a form that the page takes.
func (v *visit) posted() bool {
	return v.page != nil && v.page.act != nil && v.req.Method == http.MethodPost
}

// read takes in a posted form, before the lock.
func (v *visit) read(w http.ResponseWriter) {
	if !v.posted() {
		return
	}
	verdict := v.readForm(w)
	if v.again == nil {
		v.verdict = verdict
	}
	v.call.Exchange.Request.Body = v.form.encode()
}

// readForm gives the verdict on the form. The token is hidden once it has been
// compared.
func (v *visit) readForm(w http.ResponseWriter) string {
	media, _, err := mime.ParseMediaType(v.req.Header.Get("Content-Type"))
	if err != nil || media != "application/x-www-form-urlencoded" {
		return verdictMedia
	}
	var body bytes.Buffer
	_, err = body.ReadFrom(http.MaxBytesReader(w, v.req.Body, maxForm))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return verdictLarge
	case err != nil && !errors.Is(err, io.EOF):
		return verdictBroken
	}
	fields := append([]field{{name: csrfField}}, v.page.fields...)
	if v.form, err = readForm(body.Bytes(), fields); err != nil {
		return verdictBroken
	}
	given := v.form.get(csrfField)
	if len(v.form) > 0 && v.form[0].name == csrfField {
		v.form[0].value = maskToken(given)
	}
	if !sameToken(given, v.token) {
		return verdictForged
	}
	return verdictGood
}

// run acts under the lock and fills in what goes on the tape.
func (v *visit) run(w *world.World, _ *integration.Call) {
	v.answer = v.decide(w)
	v.describe()
	e := &v.call.Exchange
	e.Auth = v.verdict
	if v.posted() {
		v.render()
		e.Response.Body = hideToken(v.out, v.token)
	}
	e.Response.Status, e.Response.Header = v.answer.status, v.header
}

// decide comes to the answer.
func (v *visit) decide(w *world.World) answer {
	switch {
	case v.page == nil:
		return unknownAddress()
	case !v.page.admits(v.req.Method):
		return wrongMethod(v.page)
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

// self is the address of the page that is visited, without the host.
func (v *visit) self() string {
	return v.root() + v.req.URL.EscapedPath()[len(Prefix)+len(v.at.integration):]
}

// root is the address under which the integration's pages lie.
func (v *visit) root() string { return Prefix + v.on.ID }

// link is the address of another page of the integration.
func (v *visit) link(kind, id string) string { return v.root() + "/" + kind + "/" + id }
