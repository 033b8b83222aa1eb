// Package handout finds in tables of sent messages, and in logs of what sends them, that the link of one payer's registration went to
// another payer.
package handout

import (
	"fmt"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Bounds of what is looked at: bytes of a file and of one record, registrations, and links within a record.
const (
	mostText   = 4 << 20
	mostRecord = 4000
	mostPayers = 2000
	mostLinks  = 8
)

// payer is who was registered by a call, with what the call told of them.
type payer struct {
	call         int // from 0
	id           string
	phone, email string // "" where it is not told
}

// Read notes it at the calls that registered the payers whose links went astray.
func Read(files []source.File, r *recording.Recording) {
	b := bookOf(r)
	if len(b.payers) < 2 {
		return
	}
	for i := range files {
		if f := &files[i]; !b.written[f.Name] {
			b.search(f, r)
		}
	}
}

// Is says whether a text is one that Read notes.
func Is(text string) bool { return len(text) < 400 && noted().MatchString(text) }

var noted = trail.Pattern(`^[^\x00-\x1f<>]+ line [0-9]{1,9}, to the (?:mobileNumber|email) of the payer [0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// To is the registration of the payer whom a noted link went to.
func To(text string) string { return text[strings.LastIndexByte(text, ' ')+1:] }

// book is who is known, by their ids and by what reaches them, how links begin, and what of the files is no evidence.
type book struct {
	payers  []payer
	byID    map[string]int
	phones  map[string][]int
	emails  map[string][]int
	heads   []string
	written map[string]bool // what somebody wrote: they may be wrong about it
	calls   map[recording.Place]bool
}

func bookOf(r *recording.Recording) *book {
	b := &book{byID: map[string]int{}, phones: map[string][]int{}, emails: map[string][]int{}, written: map[string]bool{}, calls: map[recording.Place]bool{}}
	twice := map[string]bool{}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		b.calls[x.Place] = true
		for _, at := range x.Also {
			b.calls[at] = true
		}
		p, head := registered(x)
		if p.id == "" || len(b.payers) >= mostPayers {
			continue
		}
		if n, known := b.byID[p.id]; known && other(&b.payers[n], &p) { // the service gave two payers one id
			twice[p.id] = true
		} else if known {
			continue
		}
		p.call = i
		b.byID[p.id] = len(b.payers)
		if b.payers = append(b.payers, p); !slices.Contains(b.heads, head) && len(b.heads) < mostLinks {
			b.heads = append(b.heads, head)
		}
	}
	for n := range b.payers {
		if p := &b.payers[n]; twice[p.id] {
			delete(b.byID, p.id)
		} else {
			put(b.phones, p.phone, n)
			put(b.emails, p.email, n)
		}
	}
	for i := range r.Sources {
		b.written[r.Sources[i].Name] = r.Sources[i].Format == recording.Words
	}
	return b
}

func put(list map[string][]int, contact string, n int) {
	if contact != "" {
		list[contact] = append(list[contact], n)
	}
}

// registered is whom a call registered, and how its link begins, up to the id; nobody where the service's answer is not of one piece.
func registered(x *recording.Exchange) (p payer, head string) {
	if x.Method != "POST" || x.Answer.Status/100 != 2 || !strings.HasSuffix(strings.ToLower(x.Path), "/user/register") {
		return p, ""
	}
	sent, got := trail.ReadBody(x.Body), trail.ReadBody(x.Answer.Body)
	id, link := strings.ToLower(got.Text("registrationId")), got.Text("registrationUrl")
	at := strings.Index(strings.ToLower(link), id)
	if !trail.IsUUID(id) || at < 0 {
		return p, ""
	}
	_, head, _ = strings.Cut(link[:at], "://")
	if !strings.Contains(head, "/") {
		return p, ""
	}
	p.id, p.phone, p.email = id, digits(sent.Text("mobileNumber")), strings.ToLower(sent.Text("email"))
	if !emails().MatchString(p.email) {
		p.email = ""
	}
	return p, head
}

// other says whether two are surely not one person: both told how they are reached, and nothing of it is the same.
func other(a, b *payer) bool {
	phone, email := a.phone != "" && b.phone != "", a.email != "" && b.email != ""
	return (phone || email) && (!phone || a.phone != b.phone) && (!email || a.email != b.email)
}

// search looks through the records of a file, which may be the rows of a table.
func (b *book) search(f *source.File, r *recording.Recording) {
	text := string(f.Head(mostText))
	if unescaped := plain(text); !slices.ContainsFunc(b.heads, func(head string) bool { return strings.Contains(unescaped, head) }) {
		return
	}
	for record := range records(text) {
		place := recording.Place{Source: f.Name, Line: record.line}
		if len(record.text) > mostRecord || b.calls[place] {
			continue
		}
		if from, to, by := b.astray(plain(record.text)); by != "" && (record.row || sends().MatchString(record.text)) {
			x := &r.Exchanges[b.payers[from].call]
			if note := fmt.Sprintf("%s, to the %s of the payer %s", place.Text(), by, b.payers[to].id); x.SentTo == "" && Is(note) {
				x.SentTo = note
			}
		}
	}
}

// plain is a text without the sign that JSON may put before a slash.
func plain(text string) string { return strings.ReplaceAll(text, `\/`, "/") }

// sends is how a log's line says that it is about a message to somebody.
var sends = trail.Pattern(`(?i)(?:\b|_)(?:sms|texts?|e-?mail(?:s|ed)?|mail|messages?|msg_?to|invit\w*|sent|send\w*|deliver\w*|notif\w*|whatsapp|twilio|sendgrid|recipient|link)(?:\b|_)`)

// astray finds in a record the link of one payer beside what reaches another; by is "" where it has none, or those of several.
func (b *book) astray(text string) (from, to int, by string) {
	if from = b.linked(text); from < 0 {
		return 0, 0, ""
	}
	to = -1
	for n, kind := range b.reached(text) {
		switch {
		case !other(&b.payers[from], &b.payers[n]), to >= 0: // its own, too, or it went to several
			return 0, 0, ""
		default:
			to, by = n, kind
		}
	}
	return from, max(to, 0), by
}

// linked is the one payer whose link stands in a record, -1 for none, and for several.
func (b *book) linked(text string) int {
	found := -1
	for _, head := range b.heads {
		rest := text
		for range mostLinks {
			_, after, is := strings.Cut(rest, head)
			if !is {
				break
			}
			rest = after
			n, known := b.byID[strings.ToLower(after[:min(len(after), 36)])]
			if !known || found >= 0 && n != found {
				return -1
			}
			found = n
		}
	}
	return found
}

var (
	emails  = trail.Pattern(`(?i)[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+`)
	numbers = trail.Pattern(`\+?\(?[0-9][0-9 ().-]{7,20}[0-9]`)
)

// reached are the payers whom what stands in a record reaches, with the member that tells so. Who registered twice is one.
func (b *book) reached(text string) map[int]string {
	found := map[int]string{}
	add := func(list []int, kind string) {
		for _, n := range list {
			if !slices.ContainsFunc(list[:slices.Index(list, n)], func(before int) bool { return !other(&b.payers[before], &b.payers[n]) }) {
				found[n] = kind
			}
		}
	}
	for _, said := range numbers().FindAllString(text, 2*mostLinks) {
		add(b.phones[digits(said)], "mobileNumber")
		add(b.phones["1"+digits(said)], "mobileNumber") // as it is written at home
	}
	for _, said := range emails().FindAllString(text, 2*mostLinks) {
		add(b.emails[strings.ToLower(said)], "email")
	}
	return found
}

// digits are those of a telephone number, "" for what is too short to be one, or is struck out in part.
func digits(said string) string {
	var list []byte
	for i := range len(said) {
		switch c := said[i]; {
		case c >= '0' && c <= '9':
			list = append(list, c)
		case !strings.ContainsRune("+ ().-", rune(c)):
			return ""
		}
	}
	if len(list) < 8 {
		return ""
	}
	return string(list)
}
