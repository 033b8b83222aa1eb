package read

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/answerfile"
	"paysandbox/harness/replay/read/excerpt"
	"paysandbox/harness/replay/read/handout"
	"paysandbox/harness/replay/read/join"
	"paysandbox/harness/replay/read/mention"
	"paysandbox/harness/replay/read/moment"
	"paysandbox/harness/replay/read/price"
	"paysandbox/harness/replay/read/receiver"
	"paysandbox/harness/replay/read/record"
	"paysandbox/harness/replay/read/redirect"
	"paysandbox/harness/replay/read/rerun"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/read/tree"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// Options say what the files do not. The zero value finds everything out.
type Options struct {
	// Services are the service's addresses: a host, with its port if it is not the usual
	// one, and with what stands before the operations' paths if anything does
	// ("api.example.com/v1"). Empty: they are found.
	Services []string
	// Formats say what files are, by their names. What is not said is found.
	Formats map[string]string
	// Variables fill what files leave open ({{name}}, $NAME); values that files say
	// themselves come before them.
	Variables map[string]string
	// WebhookSecret is the secret of the partner's endpoint; empty leaves signatures
	// unchecked.
	WebhookSecret string
	// ReceivedComplete says that the files hold every webhook that arrived.
	ReceivedComplete bool
}

// ErrNoService means that the files hold calls, and none that the service is known by.
var ErrNoService = errors.New("no call to the service was found")

// Files reads files from the disk. See [Contents].
func Files(names []string, o Options) (recording.Recording, error) {
	files := make([]source.File, 0, len(names))
	for _, name := range names {
		data, err := contents(name)
		if err != nil {
			return recording.Recording{}, fmt.Errorf("read %s: %w", name, err)
		}
		files = append(files, source.File{Name: name, Data: data})
	}
	return Contents(files, o)
}

func contents(name string) ([]byte, error) {
	f, err := os.Open(name) //nolint:gosec // the file that the user named
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, source.MaxFile+1))
	if err == nil && len(data) > source.MaxFile {
		err = fmt.Errorf("it is larger than %d bytes; give a part of it", source.MaxFile)
	}
	return data, err
}

// Contents makes one recording of files. The error is a *[source.Error] for a file that
// cannot be read at all; what of a file cannot be read stands in the recording's
// Skipped. With ErrNoService the recording is whole, but for its exchanges.
func Contents(files []source.File, o Options) (recording.Recording, error) {
	files = slices.Clone(files)
	texts := make([][]byte, len(files))
	for i := range files {
		texts[i] = tree.Axios(source.Unzipped(files[i].Data))
	}
	for i, text := range moment.Dated(texts) {
		files[i].Data = text
	}
	parts, err := partsOf(files, o)
	if parts, err = mention.Beside(files, parts, err); err != nil {
		return recording.Recording{}, err
	}
	for _, p := range parts {
		settled(p, o)
	}
	join.SetClocks(parts)
	join.DropUnrun(parts)
	r, others := recording.Recording{}, []recording.Exchange{}
	services, found := findServices(parts, o.Services)
	pages := redirect.Pages(parts)
	for _, p := range parts {
		others = append(others, keepServices(p, services, pages)...)
		join.TakeHeads(p, parts)
		r.Sources, r.Skipped = append(r.Sources, p.Sources...), append(r.Skipped, p.Skipped...)
	}
	rounds := []recording.Skipped(nil)
	r.Exchanges, rounds = join.Rounds(join.Calls(parts))
	r.Skipped, r.Received = append(r.Skipped, rounds...), join.Received(parts)
	mention.Answered(&r)
	r.Skipped = append(r.Skipped, source.FillOpen(r.Exchanges)...)
	r.Services = counted(services, r.Exchanges)
	receiver.Signed(files, &r)
	if secret := cmp.Or(o.WebhookSecret, secretIn(files, &r)); secret != "" {
		checkSignatures(&r, secret)
		receiver.OtherDigests(files, &r, secret)
	}
	receiver.Read(files, others, &r)
	price.Read(files, &r)
	besides(files, others, &r)
	record.Restore(parts, &r)
	return r, found
}

// partsOf reads each file for itself, and puts the answers to the calls of others that lie in files of their own.
func partsOf(files []source.File, o Options) ([]*source.Part, error) {
	parts, err := readMails(files, o)
	answerfile.Join(files, parts)
	for _, p := range parts {
		dropUnsendable(p)
		dropMisread(p)
		source.OpenEnvelopes(p)
		source.JoinStruck(p)
		takeWebhooks(p)
		join.DropListed(p)
		join.Halves(p) // of which one has shown its answer in an envelope
		noneSent(p)
	}
	return parts, err
}

// besides notes what files tell besides the calls, of which others are those to other hosts.
func besides(files []source.File, others []recording.Exchange, r *recording.Recording) {
	excerpt.Read(files, r)
	redirect.Read(files, others, r)
	rerun.Read(files, r)
	handout.Read(files, r)
}

// readMails reads files, and of mails what they hold. A part of a mail in which no call
// stands, as its text often is, is told.
func readMails(files []source.File, o Options) ([]*source.Part, error) {
	all := unpacked(files)
	if len(all) == len(files) {
		return readAll(all, o)
	}
	var kept []source.File
	var told []*source.Part
	for _, f := range all {
		_, err := formatOf(&f, o.Formats[f.Name])
		if err != nil && !slices.ContainsFunc(files, func(given source.File) bool { return given.Name == f.Name && bytes.Equal(given.Data, f.Data) }) {
			p := source.NewPart(&f, "mail")
			p.Skip(p.Line(1), "a part of the mail in which no call stands")
			told = append(told, p)
			continue
		}
		kept = append(kept, f)
	}
	if len(kept) == 0 {
		return readAll(files, o)
	}
	parts, err := readAll(kept, o)
	return append(parts, told...), err
}

// dropUnsendable leaves out what no HTTP client could have sent, and what a shell would
// take for more than a word when the case is written out.
func dropUnsendable(p *source.Part) {
	p.Exchanges = slices.DeleteFunc(p.Exchanges, func(x recording.Exchange) bool {
		why := ""
		if strings.Trim(x.Method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || x.Method == "" {
			why = "a call whose method is no word of letters"
		} else if strings.ContainsAny(x.Path+x.Query, "\r\n\x00 ") {
			why = "a call whose address holds a space or the end of a line"
		} else if slices.ContainsFunc(x.Header, func(h tape.Header) bool {
			return strings.ContainsAny(h.Name, " \t\r\n\x00") || strings.ContainsAny(h.Value, "\r\n\x00")
		}) {
			why = "a call with a header that goes over the end of its line"
		}
		if why != "" {
			p.Skipped = append(p.Skipped, recording.Skipped{Place: x.Place, Why: why + ": it was never sent so"})
		}
		return why != ""
	})
}

// shortened is a body that a logger has cut, and says so.
var shortened = trail.Pattern(`^\s*[{\[][\s\S]*(?:…|\.\.\.|(?:…|\.\.\.)\s*[(\[<]\s*\+?[0-9][^)\]>]{0,40}[)\]>]|[(\[<]\s*(?i:truncated|cut|omitted)[^)\]>]{0,40}[)\]>])\s*$`)

func isShortened(body []byte) bool { return shortened().Match(body) && !json.Valid(body) }

// breaksOff says whether a body is an object that ends before its end, with no word of that.
func breaksOff(body []byte) bool {
	var value json.RawMessage
	return bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) && !shortened().Match(body) && errors.Is(json.NewDecoder(bytes.NewReader(body)).Decode(&value), io.ErrUnexpectedEOF)
}

// noneSent makes answers whole whose headers tell that their body is empty.
func noneSent(p *source.Part) {
	for i := range p.Exchanges {
		if a := &p.Exchanges[i].Answer; a.Known == recording.WithoutBody && length(a) == 0 {
			a.Known = recording.Whole
		}
	}
}

// length is how long an answer's body is by its headers, -1 where they do not tell it.
func length(a *recording.Answer) int {
	n, err := strconv.Atoi(source.Header(a.Header, "Content-Length"))
	if err != nil {
		return -1
	}
	return n
}

// dropMisread keeps of a body that was cut what is whole of it, and leaves out that of an answer that is said to be JSON and is
// none, nor as long as it is said to be: something else was taken for it.
func dropMisread(p *source.Part) {
	for i := range p.Exchanges {
		x, a := &p.Exchanges[i], &p.Exchanges[i].Answer
		a.Body = source.Unbroken(a.Body)
		for _, body := range []*[]byte{&x.Body, &a.Body} {
			if made := excerpt.Bridge(*body); made != nil {
				*body = made
				p.SkipKind(recording.OfCall, x.Place, "what a body leaves out, of which the file shows both ends")
			}
		}
		if isShortened(x.Body) {
			x.Body = excerpt.Begun(x.Body)
			x.BodyMissing = x.Body == nil
			p.SkipKind(recording.OfCall, x.Place, "the body of a call that the file shows in part")
		}
		dropMisreadAnswer(p, x)
	}
}

func dropMisreadAnswer(p *source.Part, x *recording.Exchange) {
	a := &x.Answer
	if a.Known != recording.Whole {
		return
	}
	n := length(a)
	if breaksOff(a.Body) && slices.Contains(byLoggers, p.Source().Format) && n != len(a.Body) {
		a.Body = append(bytes.Clone(a.Body), "…"...)
	}
	if isShortened(a.Body) {
		if a.Body = excerpt.Begun(a.Body); a.Body == nil {
			a.Known = recording.WithoutBody
		}
		p.SkipKind(recording.OfCall, x.Place, "the body of an answer that the file shows in part")
	} else if len(a.Body) > 0 && n >= 0 && n != len(a.Body) && strings.Contains(source.Header(a.Header, "Content-Type"), "json") && !json.Valid(a.Body) {
		a.Known, a.Body = recording.WithoutBody, nil
		p.SkipKind(recording.OfCall, x.Place, "the body of an answer that is not as long as the answer says")
	}
}

// formatOf is what a file is: what was said, or what it looks like.
func formatOf(f *source.File, said string) (*format, error) {
	all, content := formats(), f.Text()
	if err := ofOurs(f, content); said == "" && err != nil {
		return nil, err
	}
	for i := range all {
		if said == all[i].name || said == "" && all[i].is(content) {
			return &all[i], nil
		}
	}
	e := &source.Error{
		File: f.Name, Format: "a recording", Err: errors.New("it is in no known form"),
		Expected: "one of " + strings.Join(Formats(), ", "), Fix: "say which it is with --as, or turn it into JSON lines",
	}
	switch {
	case said != "":
		e.Err = fmt.Errorf("there is no format %q", said)
	case len(content) == 0:
		e.Err, e.Fix = errors.New("the file is empty"), "ask for it once more"
	case strings.HasPrefix(string(content[:min(4, len(content))]), "PK\x03\x04"):
		e.Err, e.Fix = errors.New("it is a zip archive"), "unpack it and give the files in it; from Fiddler (.saz) export HTTPArchive, a HAR"
	}
	return nil, e
}
