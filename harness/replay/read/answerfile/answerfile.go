// Package answerfile puts answers that are kept in files of their own, as VS Code's REST client saves them, to the calls of other files that
// they are of: by what they tell. It judges nothing.
package answerfile

import (
	"bufio"
	"bytes"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Format is that of a file which holds an answer alone, and was put to its call.
const Format = "answer"

// begins is the first line of an answer.
var begins = trail.Pattern(`^HTTP/[0-9.]+ ([1-5][0-9]{2})\b[^\n]*\r?\n`)

// Join puts the answers of files in which no call was found to the calls without one. A call that several are of was made as often,
// in the order of their Date. What may be of several calls stays where it is.
func Join(files []source.File, parts []*source.Part) {
	var all []kept
	for _, p := range parts {
		i := slices.IndexFunc(files, func(f source.File) bool { return f.Name == p.Source().Name })
		if i < 0 || p.Source().Format != recording.Unread {
			continue
		}
		if a, is := parse(files[i].Text()); is {
			all = append(all, kept{p, a, bytes.ToLower(a.Body)})
		}
	}
	slices.SortStableFunc(all, func(x, y kept) int { return dateOf(&x.a).Compare(dateOf(&y.a)) })
	given := map[recording.Place]bool{}
	for i := range all {
		p, n := callOf(parts, given, &all[i])
		if p == nil {
			continue
		}
		x := p.Exchanges[n]
		x.Answer, x.End, x.Also = all[i].a, dateOf(&all[i].a), []recording.Place{{Source: all[i].part.Source().Name, Line: 1}}
		x.Begin = x.End
		if given[x.Place] {
			p.Exchanges = append(p.Exchanges, x)
		} else {
			p.Exchanges[n] = x
		}
		given[x.Place] = true
		all[i].part.Source().Format, all[i].part.Skipped = Format, nil
	}
	Saved(files, parts)
}

// kept is an answer in a file, with its body in small letters, too.
type kept struct {
	part  *source.Part
	a     recording.Answer
	lower []byte
}

// mostCalls bounds among how many calls without an answer that of one is looked for.
const mostCalls = 2_000

// parse reads an answer: its status, headers, and body as it stands.
func parse(text []byte) (a recording.Answer, is bool) {
	found := begins().FindSubmatch(text)
	if found == nil {
		return a, false
	}
	a.Status, _ = strconv.Atoi(string(found[1]))
	head, body, _ := bytes.Cut(bytes.ReplaceAll(text[len(found[0]):], []byte("\r\n"), []byte("\n")), []byte("\n\n"))
	header, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(append(head, "\n\n"...)))).ReadMIMEHeader()
	if err != nil || len(header) > source.MaxHeader {
		return a, false
	}
	for name, values := range header {
		for _, value := range values {
			a.Header = append(a.Header, tape.Header{Name: name, Value: value})
		}
	}
	slices.SortFunc(a.Header, func(x, y tape.Header) int { return strings.Compare(x.Name, y.Name) })
	a.Known, a.Body = recording.Whole, bytes.TrimSpace(body)
	return a, true
}

// callOf is the one call without an answer, or to which such a file has given one, that an answer may be of; nil where none or several
// are.
func callOf(parts []*source.Part, given map[recording.Place]bool, a *kept) (of *source.Part, at int) {
	looked := 0
	for _, p := range parts {
		for n := range p.Exchanges {
			x := &p.Exchanges[n]
			if x.Answer.Known != recording.NotRecorded && !given[x.Place] {
				continue
			}
			if looked++; looked > mostCalls {
				return nil, 0
			}
			if !tells(x, a) {
				continue
			}
			if of != nil && (of != p || of.Exchanges[at].Place != x.Place) {
				return nil, 0
			}
			of, at = p, n
		}
	}
	return of, at
}

// tells says whether an answer may be that of a call: it names what its path names, and has the members that its operation answers with.
func tells(x *recording.Exchange, k *kept) bool {
	a, path := &k.a, strings.ToLower(x.Path)
	if _, ours := source.BasePath(x.Path); !ours || a.Status/100 != 2 {
		return false
	}
	id := trail.UUIDs().FindString(path)
	if id != "" && !bytes.Contains(k.lower, []byte(id)) {
		return false
	}
	if x.Method != "GET" {
		return id == "" && source.Beside(x.Path, a.Body) != nil
	}
	return reads(path, id, trail.ReadBody(a.Body))
}

// reads says whether an answer has the members that one to a path has which is read.
func reads(path, id string, b trail.Body) bool {
	details := b.Text("transferStatus") != ""
	switch last := path[strings.LastIndexByte(path, '/')+1:]; {
	case last == "status":
		return b.Text("status") != "" && !details && (id != "" || b.Text("id") == "")
	case last == "list" && strings.Contains(path, "company"):
		return b.Get("companies") != nil
	case last == "list":
		return b.Get("consents") != nil
	case last == "report":
		return b.Get("transactions") != nil
	case strings.Contains(path, "/transaction/paymentrequest/"):
		return details
	default:
		return id != "" && !details && b.Text("amount") == "" && b.Object("amount") == nil
	}
}

// dateOf is when the service answered, by the Date of its answer.
func dateOf(a *recording.Answer) time.Time { return source.Time(source.Header(a.Header, "Date")) }
