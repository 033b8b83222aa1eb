package control

import (
	"net/http"
	"slices"
	"strings"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// Message is an e-mail or SMS that a simulated person was sent.
type Message struct {
	// Seq is the message's number on the tape, and At its virtual time.
	Seq uint64 `json:"seq" required:"true" example:"19"`
	At  string `json:"at" required:"true" format:"date-time" example:"2026-03-02T17:00:05Z"`
	// Channel is email or sms, To the address or the E.164 number.
	Channel string `json:"channel" required:"true" enum:"email,sms" example:"email"`
	To      string `json:"to" required:"true" example:"pat@example.com"`
	// Template names the text, Entity what it is about.
	Template string `json:"template" required:"true" example:"payment-request"`
	Entity   string `json:"entity" required:"true" example:"5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33"`
	// Subject and HTML are empty for an SMS.
	Subject string `json:"subject" required:"true" example:"Fit Gym asks you for $50.00"`
	Text    string `json:"text" required:"true" example:"Fit Gym asks you to pay $50.00."`
	HTML    string `json:"html" required:"true" example:"<p>Fit Gym asks you to pay $50.00.</p>"`
	// Links and Codes are in reading order.
	Links []string `json:"links" required:"true" nullable:"false" example:"[\"http://127.0.0.1:8484/pages/default/pay/5d8c9b8e-6f0a-4a53-8d3e-6f1f0e9d8c33\"]"`
	Codes []string `json:"codes" required:"true" nullable:"false"`
	// Bounced is true when the recipient is test data that never receives.
	Bounced bool `json:"bounced" required:"true" example:"false"`
}

// MessageList lists messages, oldest first.
type MessageList struct {
	Messages []Message `json:"messages" required:"true" nullable:"false"`
	// Gap is the stretch of the tape that has been dropped: messages may be
	// missing. Null when nothing is.
	Gap *Gap `json:"gap" required:"true"`
}

func listMessages(x *exchange, i *integration.Integration) (MessageList, error) {
	q := x.asked()
	to, template, label := recipient(q.text("to")), q.choice("template", shownNames()), q.text("label")
	since, wait := q.number("since"), q.wait()
	if err := q.err(); err != nil {
		return MessageList{}, err
	}
	ctx, cancel := x.waiting(wait)
	defer cancel()
	list := MessageList{Messages: []Message{}}
	f := tape.Filter{Kinds: []tape.Kind{tape.KindMessage}, Since: since, Label: label}
	for first := true; ; first = false {
		r := i.Read(ctx, f)
		if first {
			list.Gap = gapOf(r.Gap)
		}
		for n := range r.Entries {
			e := &r.Entries[n]
			f.Since = e.Seq
			if e.Message != nil && (to == "" || strings.EqualFold(to, e.Message.To)) && (template == "" || template == e.Message.Template) {
				list.Messages = append(list.Messages, messageView(e))
			}
		}
		if len(list.Messages) > 0 || ctx.Err() != nil {
			return list, nil
		}
	}
}

// recipient mends a phone number whose plus the query has turned into a space.
func recipient(to string) string {
	if rest, ok := strings.CutPrefix(to, " "); ok {
		return "+" + rest
	}
	return to
}

// shownNames are the templates that a caller may ask for.
func shownNames() []string {
	return slices.DeleteFunc(messageNames(), func(name string) bool { return name == unknownMessage })
}

func messageView(e *tape.Entry) Message {
	m, r := e.Message, Render(e.Message)
	v := Message{
		Seq: e.Seq, At: nanos(e.At), Channel: m.Channel, To: m.To, Template: m.Template,
		Subject: r.Subject, Text: r.Text, HTML: r.HTML, Links: r.Links, Codes: r.Codes,
		Bounced: slices.Contains(m.Params, tape.Param{Name: "bounced", Value: "true"}),
	}
	if len(e.Entities) > 0 {
		v.Entity = e.Entities[0]
	}
	return v
}

func messageRoutes() []*route {
	return []*route{
		row("listMessages", http.MethodGet, Prefix+"/integrations/{i}/messages", reads(listMessages), nil, MessageList{}).
			About("Messages", "List the e-mails and SMS that people were sent").
			With(
				queryParam("to", "pat@example.com", "Only messages to this address or number."),
				queryParam("template", "payment-request", "Only messages with this text: "+joined(shownNames())+"."),
				queryParam("label", "team-checkout", "Only messages that a call with this Sandbox-Label has brought."),
				queryParam("since", "120", "Leave out messages up to and with this number on the tape."),
				queryParam("wait", "10s", "Wait until there is such a message, at most so long (at most 60s)."),
			).Fails(http.StatusBadRequest),
	}
}
