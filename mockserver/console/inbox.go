package console

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/tape"
)

// Letter is a message as its reader gets it: Subject and HTML are empty for an SMS, Links and
// Codes are in reading order.
type Letter struct {
	Subject, Text, HTML string
	Links, Codes        []string
}

// mail is a message that a person was sent.
type mail struct {
	Letter
	Seq                              uint64
	When, Channel, To, Entity, Label string
	Bounced                          bool
}

// Ways are its links with what they lead to.
func (m *mail) Ways() (list []feed.Fact) {
	for _, link := range m.Links {
		name := "link"
		if _, page, ok := strings.Cut(link, "/pages/"); ok {
			if words := strings.Split(page, "/"); len(words) > 1 {
				name = strings.ReplaceAll(words[1], "-", " ") + " page"
			}
		}
		list = append(list, feed.Fact{Name: name, Value: link})
	}
	return list
}

// Said is the text in pieces: a piece that is one of its links has it for a value. Nothing
// but an address of a page becomes a link.
func (m *mail) Said() (list []feed.Fact) {
	rest := m.Text
	for rest != "" {
		at, link := len(rest), ""
		for _, l := range m.Links {
			if i := strings.Index(rest, l); i >= 0 && (i < at || i == at && len(l) > len(link)) && isPage(l) {
				at, link = i, l
			}
		}
		if at > 0 {
			list = append(list, feed.Fact{Name: rest[:at]})
		}
		if link != "" {
			list = append(list, feed.Fact{Name: link, Value: link})
		}
		rest = rest[at+len(link):]
	}
	return list
}

func isPage(link string) bool {
	return strings.HasPrefix(link, "http://") || strings.HasPrefix(link, "https://")
}

// inboxPage is what the screen Inbox shows.
type inboxPage struct {
	Text  string
	Mails []*mail
	feed.List
	Older string
}

// maxMails bounds the messages of one page.
const maxMails = 50

// inbox shows what people were sent, newest first.
func (v *visit) inbox() {
	v.open("inbox", "Inbox")
	asked := v.r.URL.Query()
	if asked.Get("q") == "" {
		asked.Set("q", asked.Get("to"))
	}
	q := v.query(url.Values{"q": asked["q"], "before": asked["before"], "label": {v.frame.Label}, "kind": {tape.KindMessage.String()}})
	p := inboxPage{Text: q.Text, List: feed.Read(v.from, q)}
	if len(p.Rows) > maxMails {
		p.Rows, p.More = p.Rows[:maxMails], true
		p.Reached = p.Rows[maxMails-1].Seq
	}
	for _, r := range p.Rows {
		if e, ok := v.from.Entry(r.Seq); ok && e.Message != nil {
			p.Mails = append(p.Mails, v.mailOf(&e))
		}
	}
	asked.Del("did")
	asked.Set("before", strconv.FormatUint(p.Reached, 10))
	p.Older = v.root() + "/inbox?" + asked.Encode()
	v.show(http.StatusOK, "inbox", &p)
}

// query reads what is asked for; a text is searched for in what people were sent, too.
func (v *visit) query(asked url.Values) feed.Query {
	q := feed.ParseQuery(asked)
	q.Reads = func(e *tape.Entry) []string {
		if e.Message == nil {
			return nil
		}
		m := v.console.opts.Letter(e.Message)
		return []string{m.Subject, m.Text}
	}
	return q
}

// mailOf is a message as its reader gets it.
func (v *visit) mailOf(e *tape.Entry) *mail {
	m := mail{
		Letter: v.console.opts.Letter(e.Message), Seq: e.Seq, When: time.Unix(0, e.At).UTC().Format(time.DateTime), Channel: e.Message.Channel, To: e.Message.To, Label: e.Label,
		Bounced: slices.Contains(e.Message.Params, tape.Param{Name: "bounced", Value: "true"}),
	}
	if len(e.Entities) > 0 {
		m.Entity = e.Entities[0]
	}
	return &m
}

// mail shows the HTML of one e-mail, as its reader sees it, in a frame of its own.
func (v *visit) mail() {
	seq, _ := strconv.ParseUint(v.r.PathValue("seq"), 10, 63)
	e, ok := v.from.Entry(seq)
	if !ok || e.Message == nil || e.Message.Channel != tape.ChannelEmail {
		v.nowhere()
		return
	}
	h := v.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	_, _ = v.w.Write([]byte(`<base target="_blank">` + v.mailOf(&e).HTML))
}

// openMail adds the text of a message to its entry.
func (v *visit) openMail(p *entryPage, e *tape.Entry) {
	m := v.mailOf(e)
	p.Links, p.Codes = m.Links, m.Codes
	p.Out = &feed.Message{Title: m.Subject, Body: feed.Body{Text: m.Text, Size: len(m.Text)}}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
