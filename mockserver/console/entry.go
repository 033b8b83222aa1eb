package console

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

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
	Differences []difference
	Notes       []remark
}

// difference is one place where two entries are not the same.
type difference struct{ Where, Here, There string }

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
			p.Compare, p.CompareTo, p.Differences = true, other, differences(&e, &o)
		}
	}
	p.Notes = v.notes(seq)
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

// differences compares two entries member by member.
func differences(a, b *tape.Entry) (list []difference) {
	here, there := leaves(a), leaves(b)
	all := maps.Clone(here)
	maps.Copy(all, there)
	for _, where := range slices.Sorted(maps.Keys(all)) {
		if where == "/seq" || where == "/at" || where == "/cause" || here[where] == there[where] {
			continue
		}
		if list = append(list, difference{where, here[where], there[where]}); len(list) == maxDifferences {
			break
		}
	}
	return list
}

// maxDifferences bounds what is compared.
const maxDifferences = 200

// leaves are the values of an entry by their pointers; bodies in JSON are taken apart
// too, headers stand under their names.
func leaves(e *tape.Entry) map[string]string {
	out := map[string]string{}
	text, err := json.Marshal(e)
	var v any
	if err != nil || json.Unmarshal(text, &v) != nil {
		return out
	}
	walk(out, "", v)
	return out
}

func walk(out map[string]string, at string, v any) {
	switch x := v.(type) {
	case map[string]any:
		for name, member := range x {
			walk(out, at+"/"+name, member)
		}
	case []any:
		for n, member := range x {
			if h, ok := member.(map[string]any); ok && len(h) == 2 && h["name"] != nil && h["value"] != nil {
				name, _ := h["name"].(string)
				walk(out, at+"/"+name, h["value"])
				continue
			}
			walk(out, at+"/"+strconv.Itoa(n), member)
		}
	case string:
		var inner any
		if strings.HasPrefix(x, "{") && json.Unmarshal([]byte(x), &inner) == nil {
			walk(out, at, inner)
			return
		}
		out[at] = x
	default:
		text, _ := json.Marshal(x) //nolint:errchkjson // it came out of JSON
		out[at] = string(text)
	}
}
