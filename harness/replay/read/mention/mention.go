// Package mention finds the webhooks of which a receiver's log tells in words of its own: by the name of the event, by what it is
// about, and by its status. Their bodies and signatures are not shown.
package mention

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/replay/read/moment"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

var (
	name = trail.Pattern(`\b(?:PAYMENT_STATUS_CHANGED|COMPANY_VERIFICATION_STATUS_CHANGED)\b`)
	// pair is a member with its value, as key=value, as JSON, or as JSON within a table or a text.
	pair = trail.Pattern(`(?i)\b(payment[_.-]?(?:request[_.-]?)?id|payment|company[_.-]?id|company|registration[_.-]?id|registration|status|amount|event[_.-]?time(?:stamp)?)["'\\]{0,3}\s*[:=]\s*["'\\]{0,3}([^\s"'\\,;}\])]+)`)
	// arrival is what a log calls what came in, and later what is done when it has.
	arrival = trail.Pattern(`(?i)\b(?:web-?hooks?|hooks?|callbacks?|notifications?|incoming|inbound|received|deliver(?:y|ed))\b|\bPOST /`)
	later   = trail.Pattern(`(?i)\b(?:jobs?|workers?|queued?|enqueued?|publish(?:ed)?|emit(?:ted)?|consumers?|polls?|polled|expect(?:ed)?|wait(?:ing)?|missing|never|not|no)\b`)
	// hook is a webhook whose event a log does not name: one of a payment, where it tells the payment's id and state.
	hook = trail.Pattern(`(?i)\b(?:web-?hook|callback)s?\b[^\n]{0,400}\bpayment[_.-]?(?:request[_.-]?)?id\b`)
	// call is a line of a call, which is none.
	call = trail.Pattern(`(?i)"(?:method|url|uri)\\*"\s*:|\b(?:GET|POST|PUT|DELETE) \S|https?://`)
	// answered is the status that a receiver gave it.
	answered = trail.Pattern(`\bPOST /\S* (?:HTTP/[0-9.]+"? )?(?:[-=]> ?)?([1-5][0-9]{2})\b`)
)

// statuses are those that events tell, by the names of events.
var statuses = map[string][]string{
	trail.PaymentEvent: {"Processing", "Paid", "Failed", "Denied", "Canceled", "Expired"},
	trail.CompanyEvent: {"Verified", "Rejected"},
}

const (
	// mostLines and longest bound what is looked through.
	mostLines, longest = 200_000, 16 << 10
	// once is within which time a log tells of one arrival: it may do so in several lines.
	once = 3 * time.Second
)

// Beside adds to what was read of files the webhooks that they mention, where no body of one was found in any of them: a log may tell
// of the same arrivals. err is why nothing was read, and stays where they mention none, either.
func Beside(files []source.File, parts []*source.Part, err error) ([]*source.Part, error) {
	if slices.ContainsFunc(parts, func(p *source.Part) bool { return len(p.Received) > 0 }) {
		return parts, err
	}
	for i := range files {
		f := &files[i]
		if !mayTell(string(f.Text())) {
			continue
		}
		at := slices.IndexFunc(parts, func(p *source.Part) bool { return p.Source().Name == f.Name })
		p := source.NewPart(f, "log")
		if at >= 0 {
			p = parts[at]
		}
		if read(f, p); len(p.Received) == 0 {
			continue
		}
		if err = nil; at < 0 {
			parts = append(parts, p)
		} else if p.Source().Format == recording.Unread || p.Source().Format == recording.Words {
			p.Source().Format = "log"
		}
	}
	return parts, err
}

// mayTell says whether a text has a word without which it tells of no webhook.
func mayTell(text string) bool {
	return slices.ContainsFunc([]string{trail.PaymentEvent, trail.CompanyEvent, "webhook", "Webhook", "WebHook", "web-hook", "callback", "Callback"}, func(word string) bool {
		return strings.Contains(text, word)
	})
}

// read takes what a file mentions.
func read(f *source.File, p *source.Part) {
	if table(f, p); len(p.Received) == 0 {
		lines(f, p)
	}
	if len(p.Received) == 0 {
		return
	}
	source.OldestFirst(p.Received, func(w recording.Received) time.Time { return w.At })
	p.SkipKind(recording.OfCall, p.Received[0].Place, "the bodies of webhooks of which a log tells the event, what it is about and its status: no more is known of them")
}

// lines takes those that its lines tell of.
func lines(f *source.File, p *source.Part) {
	newest := map[string]time.Time{}
	n := 0
	for line := range strings.Lines(string(f.Text())) {
		if n++; n > mostLines || p.Full(p.Line(n)) {
			break
		}
		w, said := of(line)
		if w.Body == nil {
			continue
		}
		w.Place, w.At, w.Reprinted, w.Mentioned = p.Line(n), timeOf(line), true, true
		if was, known := newest[said]; known && (w.At.Sub(was).Abs() < once || !name().MatchString(line)) { // what is done with it later names it, too
			continue
		}
		newest[said] = w.At
		p.Received = append(p.Received, w)
	}
}

// of is the webhook that a line tells of, without a body where it tells of none, and what it says.
func of(line string) (w recording.Received, said string) {
	event := eventOf(line)
	if event == "" {
		return w, ""
	}
	data := members(line, event)
	about := "PaymentId"
	if event == trail.CompanyEvent {
		about = "CompanyId"
	}
	if data[about] == nil || data["Status"] == nil {
		return w, ""
	}
	if m := answered().FindStringSubmatch(line); m != nil {
		w.Status, _ = strconv.Atoi(m[1])
	}
	w.Body = trail.Quote(map[string]any{"Event": event, "Data": data})
	return w, strings.Join([]string{event, data[about].(string), data["Status"].(string)}, " ") //nolint:forcetypeassert // they were just set
}

// eventOf is the event of which a line tells that it arrived, "" for none.
func eventOf(line string) string {
	if len(line) > longest || !mayTell(line) || !trail.UUIDs().MatchString(line) || later().MatchString(line) || !arrival().MatchString(line) {
		return ""
	}
	if event := name().FindString(line); event != "" || !hook().MatchString(line) || call().MatchString(line) {
		return event
	}
	return trail.PaymentEvent
}

// members are those of an event that a line tells, each once.
func members(line, event string) map[string]any {
	data := map[string]any{}
	for _, m := range pair().FindAllStringSubmatch(line, 32) {
		member, value := memberOf(m[1]), m[2]
		if _, known := data[member]; known {
			continue
		}
		switch member {
		case "PaymentId", "CompanyId", "RegistrationId":
			if trail.IsUUID(value) {
				data[member] = value
			}
		case "Status":
			if i := slices.IndexFunc(statuses[event], func(s string) bool { return strings.EqualFold(s, value) }); i >= 0 {
				data[member] = statuses[event][i]
			}
		case "Timestamp":
			if _, err := time.Parse(time.RFC3339Nano, value); err == nil {
				data[member] = value
			}
		case "Amount":
			if cents, err := strconv.ParseInt(value, 10, 64); err == nil {
				data[member] = cents
			}
		}
	}
	return data
}

// memberOf is the service's name of a member, "" for one that is not taken.
func memberOf(key string) string {
	switch key = strings.ToLower(strings.NewReplacer("_", "", ".", "", "-", "").Replace(key)); key {
	case "paymentid", "paymentrequestid", "payment":
		return "PaymentId"
	case "companyid", "company":
		return "CompanyId"
	case "registrationid", "registration":
		return "RegistrationId"
	case "status":
		return "Status"
	case "amount":
		return "Amount"
	case "eventtime", "eventtimestamp":
		return "Timestamp"
	default:
		return ""
	}
}

// within is a moment that a line holds as a member.
var within = trail.Pattern(`(?i)["']?@?(?:time|timestamp|ts)\\?["']?\s*[:=]\s*\\?["']?([0-9]{4}-[0-9T:.Z+ -]{15,32})`)

// timeOf is when a line was written.
func timeOf(line string) time.Time {
	at, _ := moment.Of(line)
	if at.IsZero() {
		if m := within().FindStringSubmatch(line); m != nil {
			at = source.Time(strings.TrimSpace(m[1]))
		}
	}
	return at
}
