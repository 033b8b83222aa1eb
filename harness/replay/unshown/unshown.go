// Package unshown tells what a recording's files leave out: bodies, headers, webhooks, whole files, and what their form never shows.
// It judges nobody.
package unshown

import (
	"bytes"
	"cmp"
	"net/url"
	"slices"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Clause says whether a clause is about what the recording's format leaves out, or puts
// in: a HAR is recorded in a browser, whoever makes the calls elsewhere.
func Clause(r *recording.Recording, id string) bool {
	switch id {
	case "partner.client.user-agent":
		return agentsUnshown(r)
	case "partner.webhook.unsigned": // a log that shows no signature at all leaves them out
		return !slices.ContainsFunc(r.Received, func(w recording.Received) bool {
			_, has := trail.Header(w.Header, "X-HMAC-Signature")
			return has || len(w.Header) >= WholeHead
		})
	case "partner.token.server-side":
		return (slices.ContainsFunc(r.Sources, func(s recording.Source) bool { return s.Format == "har" }) || ofOwnPage(r)) && !ofForeignPage(r)
	default:
		return false
	}
}

// WholeHead is how many headers a webhook shows where its receiver has written down all of them.
const WholeHead = 4

// ofForeignPage says whether a page of another host than the service's fetched a token:
// that is the partner's own, and no tool's.
func ofForeignPage(r *recording.Recording) bool {
	return slices.ContainsFunc(r.Exchanges, func(x recording.Exchange) bool {
		origin, _ := trail.Header(x.Header, "Origin")
		referer, _ := trail.Header(x.Header, "Referer") // which recorders leave out less often
		_, host, _ := strings.Cut(cmp.Or(origin, referer), "://")
		host, _, _ = strings.Cut(host, "/")
		return host != "" && x.Host != "" && !strings.EqualFold(host, x.Host) && bytes.Contains(bytes.ToLower(x.Body), []byte(`"clientsecret"`))
	})
}

// ofOwnPage says whether a page of the service's own host fetched a token.
func ofOwnPage(r *recording.Recording) bool {
	return slices.ContainsFunc(r.Exchanges, func(x recording.Exchange) bool {
		from, _ := trail.Header(x.Header, "Referer")
		page, err := url.Parse(from)
		return err == nil && x.Host != "" && strings.EqualFold(page.Host, x.Host) && bytes.Contains(bytes.ToLower(x.Body), []byte(`"clientsecret"`))
	})
}

// agentsUnshown says whether the recording shows of most calls no User-Agent: an error that a log prints with its
// headers says nothing of the other calls.
func agentsUnshown(r *recording.Recording) bool {
	shown, others := 0, 0
	for i := range r.Exchanges {
		if _, has := trail.Header(r.Exchanges[i].Header, "User-Agent"); !has {
			others++
		} else if !trail.HandTool(r.Exchanges[i].Header) { // by which an application does not name itself
			shown++
		}
	}
	return shown == 0 || shown < others
}

// Headed says whether a call is shown with headers, and not with that of its body alone.
func Headed(x *recording.Exchange) bool {
	return slices.ContainsFunc(x.Header, func(h tape.Header) bool { return !strings.EqualFold(h.Name, "Content-Type") })
}

// LittleRead says whether most of what the files hold was not read: that nothing is found wrong proves nobody innocent then.
func LittleRead(r *recording.Recording) bool {
	read, unread := 0, 0
	for i := range r.Sources {
		switch s := &r.Sources[i]; s.Format {
		case recording.Unread:
			unread += s.Size
		default:
			read += s.Size
		}
	}
	return unread > read
}

// WhatWasAsked says whether of calls that ask for money the files show no body, and of no other call both sides: what was asked for is
// not known then.
func WhatWasAsked(r *recording.Recording, run *play.Run) bool {
	return Shown(r) == 0 && slices.ContainsFunc(run.Answers, func(a play.Answered) bool {
		return a.N >= 0 && r.Exchanges[a.N].BodyMissing && trail.OperationNamed(a.Operation).Charges
	})
}

// InPart says whether the file shows a part of a body, and says so.
func InPart(x *recording.Exchange) bool {
	return correlate.Shortened(x.Body) || correlate.Shortened(x.Answer.Body)
}

// Shown counts the calls that are shown with what was sent and answered.
func Shown(r *recording.Recording) (n int) {
	for i := range r.Exchanges {
		if x := &r.Exchanges[i]; x.Answer.Known == recording.Whole && !x.BodyMissing && !InPart(x) {
			n++
		}
	}
	return n
}

// Refused says whether a call was refused for what it sent, and that is not shown.
func Refused(x *recording.Exchange) bool {
	switch x.Answer.Status {
	case 400:
		bodiless := x.Method == "GET" || x.Method == "PUT" && source.MethodOf(x.Path) == "PUT" // a cancellation sends none
		return x.BodyMissing || len(x.Body) == 0 && !bodiless && x.Answer.Known == recording.WithoutBody
	case 401, 404, 429:
		return false
	default:
		return x.BodyMissing && x.Answer.Status > 400 && x.Answer.Status < 500
	}
}
