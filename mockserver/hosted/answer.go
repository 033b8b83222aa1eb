package hosted

import (
	"log/slog"
	"net/http"
	"strings"

	"paysandbox/mockserver/kernel"
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
	e := v.Refusal(err)
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
		v.house.opts.Log.Error("a page failed", slog.String("operation", v.Call.Exchange.Operation), slog.Any("error", err))
		return brokenPage()
	}
}

// describe writes the status and the headers that go on the tape.
func (v *visit) describe() {
	v.Number()
	v.Status = v.answer.status
	switch a := &v.answer; {
	case a.location != "":
		v.Put("Location", a.location)
	case a.file != nil:
		v.Say(fileType(a.file), a.file.Data)
		v.Put("Content-Disposition", fileDisposition(a.file))
	default:
		v.Put("Content-Type", "text/html; charset=utf-8")
	}
	if v.wrong {
		v.Put("Allow", strings.Join(v.allow, ", "))
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
