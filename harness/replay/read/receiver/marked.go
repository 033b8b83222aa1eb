package receiver

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// skewed is how far clocks of two files may be apart.
const skewed = 2 * time.Minute

// Marked reads from calls to hosts that are not the service's for which payments, shown as under way, the partner's own systems were
// told that they are paid. It is noted at the answers that had shown them.
func Marked(foreign []recording.Exchange, r *recording.Recording) {
	if len(foreign) == 0 {
		return
	}
	names, looks, paid := paymentNames(r), looksByID(r), paidEvents(r)
	for i := range foreign {
		x := &foreign[i]
		said, id := saysPaid(x.Body), paymentIn(x.Body, names)
		if said == "" || id == "" || !done(x) {
			continue
		}
		if at, told := paid[id]; told && at.Before(x.Begin.Add(skewed)) {
			continue
		}
		if l := before(looks[id], x.Begin); slices.Contains(underWay, l.status) && r.Exchanges[l.n].TooSoon == "" {
			r.Exchanges[l.n].TooSoon = fmt.Sprintf("the %s of %s, to another host, says %s", x.Method, x.Place.Text(), said)
		}
	}
}

// IsTooSoon says whether a text is one that [Declined] or [Marked] notes.
func IsTooSoon(text string) bool { return len(text) < 400 && tooSoon().MatchString(text) }

var tooSoon = trail.Pattern(`^the log says behind it "[^"\x00-\x1f<>]+" \(line [0-9]{1,9}\)$|^the [A-Z]{3,7} of [^\x00-\x1f<>]+, to another host, says [^\x00-\x1f<>]+$`)

// done says whether a call, at a time that is shown, has changed something.
func done(x *recording.Exchange) bool {
	return x.Answer.Status/100 == 2 && !x.Begin.IsZero() && slices.Contains([]string{"POST", "PUT", "PATCH"}, x.Method)
}

// before is the last look before a time, the one that showed Paid where one did; without a status where there is none.
func before(looks []look, at time.Time) (last look) {
	for _, l := range looks {
		if l.at.Before(at) && last.status != "Paid" {
			last = l
		}
	}
	return last
}

// look is an answer that shows the state of a payment.
type look struct {
	n      int
	at     time.Time
	status string
}

func looksByID(r *recording.Recording) map[string][]look {
	looks := map[string][]look{}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		b := trail.ReadBody(x.Answer.Body)
		if id := strings.ToLower(b.Text("id")); id != "" && b.Text("status") != "" && !x.Begin.IsZero() {
			looks[id] = append(looks[id], look{i, x.Begin, b.Text("status")})
		}
	}
	return looks
}

// paidEvents are when events first told that payments are Paid, zero where that is not shown.
func paidEvents(r *recording.Recording) map[string]time.Time {
	paid := map[string]time.Time{}
	for i := range r.Received {
		d := trail.ReadBody(r.Received[i].Body).Object("Data")
		id := strings.ToLower(d.Text("PaymentId"))
		if was, known := paid[id]; d.Text("Status") == "Paid" && (!known || r.Received[i].At.Before(was)) {
			paid[id] = r.Received[i].At
		}
	}
	return paid
}

// paymentNames are the ids of payments, and the references that one payment alone has, with the ids.
func paymentNames(r *recording.Recording) map[string]string {
	names := map[string]string{}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		id := strings.ToLower(trail.ReadBody(x.Answer.Body).Text("paymentRequestId"))
		if id == "" {
			continue
		}
		names[id] = id
		if reference := strings.ToLower(trail.ReadBody(x.Body).Text("reference")); len(reference) > 3 {
			if was, known := names[reference]; known && was != id {
				id = "" // whose it is cannot be told
			}
			names[reference] = id
		}
	}
	return names
}

// saysPaid is what a body says of being paid, "" for nothing.
func saysPaid(body []byte) (said string) {
	correlate.Walk(body, func(path []string, v any) {
		name := ""
		if len(path) > 0 {
			name = strings.ToLower(path[len(path)-1])
		}
		text, _ := v.(string)
		switch {
		case v == true && slices.Contains([]string{"paid", "ispaid", "is_paid"}, name):
			said = "that it is paid"
		case strings.EqualFold(text, "paid") && (strings.HasSuffix(name, "status") || strings.HasSuffix(name, "state")):
			said = "that its state is paid"
		}
	})
	return said
}

// paymentIn is the payment that a body names by its id or its reference, "" for none or several.
func paymentIn(body []byte, names map[string]string) (id string) {
	several := false
	correlate.Walk(body, func(_ []string, v any) {
		text, _ := v.(string)
		if found := names[strings.ToLower(text)]; text != "" && found != "" {
			several = several || id != "" && id != found
			id = found
		}
	})
	if several {
		return ""
	}
	return id
}
