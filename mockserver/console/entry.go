package console

import (
	"encoding/json"
	"net/http"
	"strconv"

	"paysandbox/mockserver/console/call"
	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/tape"
)

// entryPage is one entry in full.
type entryPage struct {
	feed.Detail
	Root      string
	Signature *feed.Signature
	// Compare says that the entry stands beside another one.
	Compare     bool
	CompareTo   uint64
	CompareWith string
	Differences []feed.Difference
	Notes       []remark
	// Changes are the members that it has changed; NoChanges says why they are not
	// known, and MayChange that they are told when asked for.
	Changes   []changed
	NoChanges string
	MayChange bool
}

// remark is what somebody has noted about an entry.
type remark struct {
	Seq  uint64
	Text string
}

// entry shows one entry.
func (v *visit) entry() {
	seq, err := strconv.ParseUint(v.r.PathValue("seq"), 10, 63)
	e, ok := v.from.Entry(seq)
	if err != nil || !ok {
		v.missing(seq)
		return
	}
	v.open("entries", "Entry #"+strconv.FormatUint(seq, 10))
	p := entryPage{Root: v.root(), Detail: feed.DetailOf(v.from, e, call.Base(v.r)), CompareWith: v.r.URL.Query().Get("with")}
	if e.Attempt != nil {
		s := feed.SignatureOf(e.Attempt, v.secretOf(e.Attempt.Endpoint))
		p.Signature = &s
	}
	if e.Message != nil {
		v.openMail(&p, seq)
	}
	if other, err := strconv.ParseUint(p.CompareWith, 10, 63); err == nil {
		if o, ok := v.from.Entry(other); ok {
			p.Compare, p.CompareTo, p.Differences = true, other, feed.Differences(&e, &o)
		}
	}
	p.Notes = v.notes(seq)
	v.changesOf(&p, &e)
	v.show(http.StatusOK, "entry", &p)
}

// missing says why an entry is not there; it never claims that there was none.
func (v *visit) missing(seq uint64) {
	first, last := v.from.Bounds()
	switch {
	case seq > 0 && seq < first:
		v.refuse(http.StatusGone, "This entry has been dropped", "The tape keeps what fits, and has dropped everything before entry "+strconv.FormatUint(first, 10)+".",
			"Give the integration a longer tape (tapeEntries, tapeBytes) to keep more.")
	default:
		v.refuse(http.StatusNotFound, "There is no such entry", "The newest entry is "+strconv.FormatUint(last, 10)+".")
	}
}

// secretOf asks for the secret of a webhook endpoint.
func (v *visit) secretOf(endpoint string) string {
	if v.on == nil {
		return ""
	}
	for _, e := range v.endpoints() {
		if e.ID == endpoint {
			return e.Secret
		}
	}
	return ""
}

// notes finds what was noted about an entry.
func (v *visit) notes(seq uint64) (list []remark) {
	for _, e := range v.from.Read(tape.Filter{Kinds: []tape.Kind{tape.KindControl}, Operation: "addNote", Since: seq}) {
		if e.Exchange == nil || len(list) == maxNotes {
			continue
		}
		var n struct {
			Text string
			Data struct{ Entry uint64 }
		}
		if json.Unmarshal(e.Exchange.Request.Body, &n) == nil && n.Data.Entry == seq {
			list = append(list, remark{e.Seq, n.Text})
		}
	}
	return list
}

// maxNotes bounds the notes that are shown of an entry.
const maxNotes = 50
