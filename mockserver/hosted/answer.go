package hosted

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/tape"
	"paysandbox/mockserver/world"
)

// answer is what a page has come to: a sheet to render, an address to go to, or
// a file.
type answer struct {
	status int
	// sheet names the template, title is the page's heading, data what the
	// template shows.
	sheet, title string
	data         any
	problems     problems
	// away says that the page's form may lead to a partner's address.
	away bool
	// location is where a 303 leads.
	location string
	// file is a download.
	file *world.AttachmentFile
	// allow is the header of a 405.
	allow string
}

// sheetOf is a page with status 200.
func sheetOf(name, title string, data any) answer {
	return answer{status: http.StatusOK, sheet: name, title: title, data: data}
}

// goTo leads to another address.
func goTo(location string) answer { return answer{status: http.StatusSeeOther, location: location} }

// with gives the same answer with another status.
func (a answer) with(status int) answer {
	a.status = status
	return a
}

// failed turns an error of the world into an answer. What the page's state does
// not admit is explained by the page itself, when it only tells how things stand.
func (v *visit) failed(w *world.World, err error) answer {
	var e *kernel.Error
	if !errors.As(err, &e) {
		v.house.opts.Log.Error("a page failed", slog.String("operation", v.call.Exchange.Operation), slog.Any("error", err))
		return brokenPage()
	}
	switch e.Code {
	case kernel.NotFound:
		return unknownLink()
	case kernel.IllegalTransition, kernel.Conflict:
		if a, err := v.page.show(w, v); err == nil && a.sheet == "notice" {
			return a.with(max(a.status, http.StatusConflict))
		}
		return changedMeanwhile(e, v.self())
	case kernel.Invalid, kernel.Malformed:
		return refusedInput(e, v.self())
	default:
		v.house.opts.Log.Error("a page failed", slog.String("operation", v.call.Exchange.Operation), slog.Any("error", err))
		return brokenPage()
	}
}

// describe writes the headers that go on the tape.
func (v *visit) describe() {
	add := func(name, value string) { v.header = append(v.header, tape.Header{Name: name, Value: value}) }
	add("Sandbox-Exchange", strconv.FormatUint(v.call.Seq, 10))
	add("Sandbox-Time", v.call.Time.Format(time.RFC3339))
	switch a := &v.answer; {
	case a.location != "":
		add("Location", a.location)
	case a.file != nil:
		add("Content-Type", fileType(a.file))
		add("Content-Disposition", fileDisposition(a.file))
	default:
		add("Content-Type", "text/html; charset=utf-8")
	}
	if v.answer.allow != "" {
		add("Allow", v.answer.allow)
	}
}

// render makes the body, once.
func (v *visit) render() {
	switch a := &v.answer; {
	case v.out != nil || a.location != "":
	case a.file != nil:
		v.out = a.file.Data
	default:
		var b bytes.Buffer
		if err := parsed().render(&b, v.sheet()); err != nil {
			v.house.opts.Log.Error("a page could not be rendered", slog.String("sheet", a.sheet), slog.Any("error", err))
			b.Reset()
			b.WriteString("the sandbox has made a mistake; its log says more\n")
		}
		v.out = b.Bytes()
	}
}

// write sends the answer: headers, status and body once. flush makes sure that
// it has left before the events that it has caused.
func (v *visit) write(w http.ResponseWriter, flush bool) {
	v.render()
	h := w.Header()
	for i := range v.header {
		h[v.header[i].Name] = []string{v.header[i].Value}
	}
	h.Set("Date", v.call.Time.Format(http.TimeFormat))
	h.Set("Content-Length", strconv.Itoa(len(v.out)))
	h.Set("Content-Security-Policy", v.policy())
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(v.answer.status)
	if v.req.Method != http.MethodHead {
		if _, err := w.Write(v.out); err != nil { //nolint:gosec // G705: html/template has escaped it.
			return
		}
	}
	if flush && !v.on.Settings().Is(latitude.EventBeforeResponseYes) {
		_ = http.NewResponseController(w).Flush()
	}
}

// policy is the Content-Security-Policy: the page's own style and nothing else.
// Partners may embed the pages. Browsers hold the whole chain of redirects
// behind a form to form-action, and a partner's address often leads on to
// another one: so a form that may lead away may lead to any web address.
func (v *visit) policy() string {
	if v.answer.file != nil {
		return "default-src 'none'; sandbox"
	}
	action := "'self'"
	if v.answer.away {
		action += " http: https:"
	}
	return "default-src 'none'; style-src '" + parsed().styleHash + "'; form-action " + action +
		"; base-uri 'none'; frame-ancestors *"
}
