package console

import (
	"net/http"
	"strconv"
	"strings"

	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/tape"
)

// mail is a message that a person was sent, as the control API tells it.
type mail struct {
	Seq                                                    uint64
	At, Channel, To, Template, Entity, Subject, Text, HTML string
	Links, Codes                                           []string
	Bounced                                                bool
}

// When is its time for people.
func (m mail) When() string { return shown(m.At) }

// Ways are its links with what they lead to.
func (m mail) Ways() (list []feed.Fact) {
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
func (m mail) Said() (list []feed.Fact) {
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
	To    string
	Mails []mail
	More  bool
	Older string
}

// inbox shows what people were sent, newest first.
func (v *visit) inbox() {
	if v.on == nil {
		v.nowhere()
		return
	}
	v.open("inbox", "Inbox")
	p := inboxPage{To: v.r.URL.Query().Get("to")}
	q := feed.Query{Kinds: []tape.Kind{tape.KindMessage}, Text: p.To, Label: v.frame.Label}
	q.Before, _ = strconv.ParseUint(v.r.URL.Query().Get("before"), 10, 63)
	list := feed.Read(v.from, q)
	if len(list.Rows) == 0 {
		p.More = list.More
	} else {
		wanted := map[uint64]bool{}
		for _, r := range list.Rows[:min(len(list.Rows), maxMails)] {
			wanted[r.Seq] = true
			list.Reached = r.Seq
		}
		p.More = list.More || len(list.Rows) > maxMails
		for _, m := range v.mails(list.Reached - 1) {
			if wanted[m.Seq] {
				p.Mails = append([]mail{m}, p.Mails...)
			}
		}
	}
	older := v.r.URL.Query()
	older.Set("before", strconv.FormatUint(list.Reached, 10))
	p.Older = v.root() + "/inbox?" + older.Encode()
	v.show(http.StatusOK, "inbox", &p)
}

// maxMails bounds the messages of one page.
const maxMails = 50

// mails asks for the messages behind an entry.
func (v *visit) mails(since uint64) []mail {
	var list struct{ Messages []mail }
	_ = v.get("/messages?since="+strconv.FormatUint(since, 10), &list) // the screen says that there are none
	return list.Messages
}

// mail shows the HTML of one e-mail, as its reader sees it, in a frame of its own.
func (v *visit) mail() {
	seq, err := strconv.ParseUint(v.r.PathValue("seq"), 10, 63)
	if err != nil || v.on == nil {
		v.nowhere()
		return
	}
	m, ok := v.mailAt(seq)
	if !ok || m.HTML == "" {
		v.nowhere()
		return
	}
	h := v.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	_, _ = v.w.Write([]byte(`<base target="_blank">` + m.HTML))
}

// mailAt asks for one message.
func (v *visit) mailAt(seq uint64) (mail, bool) {
	for _, m := range v.mails(seq - 1) {
		if m.Seq == seq {
			return m, true
		}
	}
	return mail{}, false
}

// openMail adds the text of a message to its entry.
func (v *visit) openMail(p *entryPage, seq uint64) {
	if v.on == nil {
		return
	}
	if m, ok := v.mailAt(seq); ok {
		p.Links, p.Codes = m.Links, m.Codes
		p.Out = &feed.Message{Title: m.Subject, Body: feed.Body{Text: m.Text, Size: len(m.Text)}}
	}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
