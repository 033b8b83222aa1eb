package console

import (
	"bufio"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"paysandbox/mockserver/tape"
)

// The bounds of files that are opened: of each in bytes, and how many are kept.
const (
	maxFile  = 100 << 20
	maxFiles = 4
	// maxReport is the size of what a case is made of, and caseFor how long that may take.
	maxReport = 16 << 20
	caseFor   = time.Minute
)

// MakeCase makes a case of a file that a partner sent: HAR, curl lines, a collection and
// what else `paysandbox replay` reads. cmd hands it in. Its error says what is wrong with
// the file.
type MakeCase func(ctx context.Context, name string, file []byte) (Case, error)

// Case is what a partner's file comes to.
type Case struct {
	// Side is whose fault it is, Tone its colour (good, warn or bad).
	Side, Tone string
	// Lines are five lines to paste; the others are told below them.
	Lines, Differences, Assumptions, Notes []string
}

// files are the tapes that were opened in the console, in memory only.
type files struct {
	mu    sync.Mutex
	next  int
	order []string
	byID  map[string]*opened
}

func (f *files) get(id string) *opened {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.byID[id]
}

// put keeps a tape; the oldest one makes room.
func (f *files) put(o *opened) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.byID == nil {
		f.byID = map[string]*opened{}
	}
	if len(f.order) >= maxFiles {
		f.byID[f.order[0]].back()
		delete(f.byID, f.order[0])
		f.order = slices.Delete(f.order, 0, 1)
	}
	f.next++
	id := "file-" + strconv.Itoa(f.next)
	f.order = append(f.order, id)
	f.byID[id] = o
	return id
}

// list names the files that are open, newest first.
func (f *files) list() (list []openFile) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, id := range slices.Backward(f.order) {
		list = append(list, openFile{f.byID[id].name, Prefix + "/" + id + "/live", len(f.byID[id].entries)})
	}
	return list
}

// openFile is a file that is open.
type openFile struct {
	Name, Address string
	Entries       int
}

// fileForm asks for a file.
func (v *visit) fileForm() { v.askFile(http.StatusOK, nil) }

func (v *visit) askFile(status int, wrong []string) { v.fileScreen(status, wrong, "", nil) }

// fileScreen shows the form, what was wrong with a file, and the case that one came to.
func (v *visit) fileScreen(status int, wrong []string, name string, made *Case) {
	v.id = "default"
	v.on = v.console.opts.Registry.Default()
	v.frame.Stream = "-"
	v.open("file", "Open a file")
	v.frame.Stream = ""
	v.show(status, "file", struct {
		Wrong   []string
		Open    []openFile
		Reports bool
		Name    string
		Case    *Case
	}{wrong, v.console.files.list(), v.console.opts.Case != nil, name, made})
}

// openFile reads a tape that was sent in a form, part by part: the form's token has
// to come before the file.
func (v *visit) openFile() {
	v.r.Body = http.MaxBytesReader(v.w, v.r.Body, maxFile+(1<<20))
	media, _, _ := mime.ParseMediaType(v.r.Header.Get("Content-Type"))
	if media != "multipart/form-data" {
		v.refuse(http.StatusUnsupportedMediaType, "This form could not be read", "A file comes as multipart/form-data. Nothing was opened.")
		return
	}
	parts, err := v.r.MultipartReader()
	for err == nil {
		part, next := parts.NextPart()
		if err = next; err != nil {
			break
		}
		switch part.FormName() {
		case "csrf":
			token, _ := io.ReadAll(io.LimitReader(part, 200))
			v.r.PostForm = map[string][]string{"csrf": {string(token)}}
		case "file":
			v.take(part.FileName(), part)
			return
		}
	}
	v.askFile(http.StatusBadRequest, []string{"No file came with the form."})
}

// take reads a file and leads to its screens.
func (v *visit) take(name string, file io.Reader) {
	if v.r.PostForm == nil || !v.console.guard.ours(v.r) {
		v.refuse(http.StatusForbidden, "This form is not ours", "It did not come from this console. Nothing was opened: open the page again.")
		return
	}
	name = shortName(name)
	back, err := v.console.opts.Registry.Budget().Reserve(openWeight * max(v.r.ContentLength, 0))
	if err != nil || v.r.ContentLength < 0 { // browsers say how long a form is
		v.askFile(http.StatusInsufficientStorage, []string{"There is no memory left to open a file of this size: reset or delete integrations, or give the process more by --memory."})
		return
	}
	kept := false
	defer func() {
		if !kept {
			back()
		}
	}()
	begun := bufio.NewReader(file)
	if first, _ := begun.Peek(len(tapeBegins)); v.console.opts.Case != nil && string(first) != tapeBegins {
		v.report(name, begun)
		return
	}
	meta, entries, err := tape.ReadWith(begun, tape.ReadOptions{FileBytes: maxFile})
	var line *tape.LineError
	switch {
	case errors.As(err, &line):
		v.askFile(http.StatusBadRequest, []string{
			"Line " + strconv.Itoa(line.Line) + " cannot be read: " + line.Err.Error() + ".", "Expected " + line.Expected + ", received " + line.Received + ".", "Fix: " + line.Fix + ".",
		})
		return
	case err != nil:
		v.askFile(http.StatusBadRequest, []string{"The file cannot be read: " + err.Error() + "."})
		return
	}
	kept = true
	id := v.console.files.put(&opened{name: name, meta: meta, entries: entries, back: back})
	v.goTo(Prefix + "/" + id + "/live")
}

// openWeight is how many times its size a file takes while it is open.
const openWeight = 4

// tapeBegins is how a tape does.
const tapeBegins = `{"tape":`

// shortName is a file's name without where it was.
func shortName(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	if len(name) > 100 {
		name = strings.ToValidUTF8(name[:100], "")
	}
	return name
}

// report makes the case of what a partner sent and shows it; nothing of it is kept. One
// is made at a time.
func (v *visit) report(name string, file io.Reader) {
	raw, err := io.ReadAll(io.LimitReader(file, maxReport+1))
	switch {
	case err != nil:
		v.askFile(http.StatusBadRequest, []string{"The file did not arrive whole. Send it again."})
		return
	case len(raw) > maxReport:
		v.askFile(http.StatusRequestEntityTooLarge, []string{"Expected at most 16 MiB, received more.", "Fix: leave calls to other hosts out, or use `paysandbox replay FILE`."})
		return
	case !v.console.cases.TryLock():
		v.askFile(http.StatusServiceUnavailable, []string{"Another file is being looked at. Open this one again in a minute."})
		return
	}
	defer v.console.cases.Unlock()
	ctx, cancel := context.WithTimeout(v.r.Context(), caseFor)
	defer cancel()
	made, err := v.console.opts.Case(ctx, name, raw)
	switch {
	case ctx.Err() != nil:
		v.askFile(http.StatusServiceUnavailable, []string{"No case was made of the file within a minute.", "Fix: use `paysandbox replay FILE`, which takes its time."})
	case err != nil:
		v.askFile(http.StatusBadRequest, []string{"No case can be made of the file: " + err.Error() + "."})
	default:
		v.fileScreen(http.StatusOK, nil, name, &made)
	}
}
