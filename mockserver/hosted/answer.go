package hosted

import (
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"paysandbox/fixtures"
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
	// wait is after how many seconds the browser looks again; 0 is never.
	wait int
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
		if a.wait > 0 {
			v.Put("Refresh", strconv.Itoa(a.wait)+"; url="+v.self()+"?"+looksName+"="+strconv.Itoa(v.looks()+1))
		}
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
	return "default-src 'none'; style-src 'self'; img-src 'self'; form-action " + action +
		"; base-uri 'none'; frame-ancestors *"
}

// The tones of a notice.
const (
	toneGood  = "good"
	toneBad   = "bad"
	tonePlain = "plain"
)

// fact is one line of what a page shows.
type fact struct{ ID, Label, Value string }

// known leaves out the lines that have no value.
func known(list []fact) []fact {
	return slices.DeleteFunc(list, func(f fact) bool { return f.Value == "" })
}

// link is one way on from a page.
type link struct{ ID, Text, Address string }

// notice is a page that only tells: how something stands, or what went wrong.
type notice struct {
	// ID is the notice's data-testid, Status the word in its badge.
	ID, Tone, Status string
	Text             []string
	Facts            []fact
	Links            []link
}

// tell makes a notice with status 200.
func tell(title string, n notice) answer {
	if n.Tone == "" {
		n.Tone = tonePlain
	}
	return sheetOf("notice", title, n)
}

func unknownAddress() answer {
	return tell("Page not found", notice{ID: "not-found", Tone: toneBad, Text: []string{
		"There is no page at this address.", "Check that the link was copied completely.",
	}}).with(http.StatusNotFound)
}

func unknownLink() answer {
	return tell("We do not know this link", notice{ID: "not-found", Tone: toneBad, Text: []string{
		"Nothing in this sandbox belongs to this link.",
		"Check that it was copied completely. A sandbox that was reset or started again forgets its old links.",
	}}).with(http.StatusNotFound)
}

// expiredLink is the page of a link that was good once.
func expiredLink(w *world.World) answer {
	return tell("This link has expired", notice{ID: "expired", Tone: toneBad, Status: "Expired", Text: []string{
		"It was good for " + w.LinkLife() + ".",
		"Nothing was changed and nothing was charged. Ask whoever sent you the link for a new one.",
	}}).with(http.StatusGone)
}

func wrongMethod(allow []string) answer {
	return tell("This page cannot do that", notice{ID: "method-not-allowed", Tone: toneBad, Text: []string{
		"The page answers " + strings.Join(allow, ", ") + ".",
	}}).with(http.StatusMethodNotAllowed)
}

func brokenPage() answer {
	return tell("Something went wrong", notice{ID: "internal-error", Tone: toneBad, Text: []string{
		"The sandbox has made a mistake; its log says more.", "Nothing was charged.",
	}}).with(http.StatusInternalServerError)
}

// changedMeanwhile tells why something cannot be done any more.
func changedMeanwhile(e *kernel.Error, self string) answer {
	return tell("This is not possible any more", notice{
		ID: "conflict", Tone: toneBad, Status: e.State, Links: []link{{"retry", "Open the page again", self}},
		Text: []string{"Nothing was changed: " + e.Detail + "."},
	}).with(http.StatusConflict)
}

// refusedInput tells the world's own words about input that a page let through.
func refusedInput(e *kernel.Error, self string) answer {
	n := notice{ID: "invalid", Tone: toneBad, Text: []string{"Nothing was changed."}, Links: []link{{"retry", "Back to the page", self}}}
	for _, f := range e.Findings {
		n.Text = append(n.Text, "Expected "+f.Expected+": "+f.Fix+".")
	}
	return tell("This was not accepted", n).with(http.StatusBadRequest)
}

// refused answers a form that was not acted upon.
func refused(verdict, self string) answer {
	n := notice{ID: "form-refused", Tone: toneBad, Links: []link{{"retry", "Open the page again", self}}}
	title, status := "This form could not be read", http.StatusBadRequest
	switch verdict {
	case verdictForged:
		title, status = "This form is not ours", http.StatusForbidden
		n.Text = []string{"The form did not come from this page, or its page is out of date.", "Nothing was changed. Open the page again and repeat your answer."}
	case verdictLarge:
		title, status = "This form is too large", http.StatusRequestEntityTooLarge
		n.Text = []string{"A form may have 64 KiB at most.", "Nothing was changed."}
	case verdictFull:
		title, status = "The sandbox has no memory left", http.StatusInsufficientStorage
		n.Text = []string{"Whoever runs it can reset or delete integrations, or give it more by --memory.", "Nothing was changed."}
	case verdictMedia:
		status = http.StatusUnsupportedMediaType
		n.Text = []string{"Forms are sent as application/x-www-form-urlencoded.", "Nothing was changed."}
	default:
		n.Text = []string{"It is incomplete or not coded as it should be.", "Nothing was changed."}
	}
	return tell(title, n).with(status)
}

// dataProblem says in words for a page what is wrong with a piece of test data.
func dataProblem(err error) string {
	var e *fixtures.UnknownError
	if !errors.As(err, &e) {
		return "This is not accepted."
	}
	return "Unknown " + e.What + ". Expected " + e.Expected + ". Nearest: " + strings.Join(e.Nearest, ", ") + "."
}
