package console

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"paysandbox/mockserver/console/cases"
	"paysandbox/mockserver/console/feed"
	"paysandbox/mockserver/console/readiness"
	"paysandbox/mockserver/tape"
)

// The bounds of files that are opened: of each in bytes, and how many are kept.
const (
	maxFile  = 100 << 20
	maxFiles = 4
	// maxReport is the size of what a case is made of, and caseFor how long that may take.
	// maxReports is how many files that may be.
	maxReport  = 16 << 20
	maxReports = 20
	caseFor    = time.Minute
)

// fileForm asks for a file.
func (v *visit) fileForm() { v.askFile(http.StatusOK, nil) }

// askFile shows the form, and what was wrong with a file.
func (v *visit) askFile(status int, wrong []string) {
	v.common("file", "Open a file")
	v.show(status, "file", struct {
		Wrong   []string
		Open    []openFile
		Cases   [][2]string
		Reports bool
		Stored  []*readiness.Stored
	}{wrong, v.console.files.list(), v.console.shelf.Open(), v.console.opts.Case != nil, v.console.stored.List()})
}

// common opens a page that belongs to no integration.
func (v *visit) common(screen, title string) {
	v.id = "default"
	v.on = v.console.opts.Registry.Default()
	v.frame.Stream = "-"
	v.open(screen, title)
	v.frame.Stream = ""
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
			v.take(part.FileName(), part, parts)
			return
		}
	}
	v.askFile(http.StatusBadRequest, []string{"No file came with the form."})
}

// take reads a file and leads to its screens; of several a case is made.
func (v *visit) take(name string, file io.Reader, more *multipart.Reader) {
	if v.r.PostForm == nil || !v.console.guard.ours(v.r) {
		v.refuse(http.StatusForbidden, "This form is not ours", "It did not come from this console. Nothing was opened: open the page again.")
		return
	}
	name = cases.ShortName(name)
	back, err := v.console.opts.Registry.Budget().Reserve(openWeight * max(v.r.ContentLength, 0))
	if err != nil || v.r.ContentLength < 0 { // browsers say how long a form is
		v.noRoom("open a file of this size")
		return
	}
	begun, unpacked := cases.Unpack(bufio.NewReader(file), tapeBegins, maxFile)
	again, err := v.console.opts.Registry.Budget().Reserve(openWeight * unpacked)
	if err != nil {
		back()
		v.noRoom("open a file of this size")
		return
	}
	kept := false
	defer func() {
		if !kept {
			back()
			again()
		}
	}()
	if first, _ := begun.Peek(len(bom)); string(first) == bom {
		_, _ = begun.Discard(len(bom))
	}
	if first, _ := begun.Peek(len(tapeBegins)); (v.console.opts.Case != nil || v.console.opts.Report != nil) && string(first) != tapeBegins {
		v.sent(name, begun, more)
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
	id := v.console.files.put(&opened{name: name, meta: meta, entries: entries, back: func() { back(); again() }})
	v.goTo(Prefix + "/" + id + "/live")
}

// openWeight is how many times its size a file takes while it is open, its world twice;
// caseWeight while a case is made of it: lists of empty things take the most, and what is not
// drawn here stays within what the budget leaves.
const (
	openWeight = 5
	caseWeight = 24
)

// tapeBegins is how a tape does.
const tapeBegins = `{"tape":`

// bom is what some editors and shells write in front of a text.
const bom = "\ufeff"

// sent makes the case of what a partner sent and leads to it, or keeps stored reports. The
// files together are bounded, and one case is made at a time.
func (v *visit) sent(name string, file io.Reader, more *multipart.Reader) {
	var list []cases.File
	left := int64(maxReport)
	for {
		raw, err := io.ReadAll(io.LimitReader(file, left+1))
		if left -= max(int64(len(raw)), cases.Unpacked(raw, left)); err != nil {
			v.askFile(http.StatusBadRequest, []string{"The file did not arrive whole. Send it again."})
			return
		} else if left < 0 || len(list) == maxReports {
			v.askFile(http.StatusRequestEntityTooLarge, []string{"Expected at most 20 files of 16 MiB together, received more.", "Fix: leave calls to other hosts out, or use `paysandbox replay FILE`."})
			return
		}
		list = append(list, cases.File{Name: name, Data: raw})
		part, err := more.NextPart()
		if err != nil {
			break
		}
		name, file = cases.ShortName(part.FileName()), part
	}
	switch told := slices.ContainsFunc(list, func(f cases.File) bool { return readiness.Is(f.Data) }); {
	case told && v.console.opts.Report != nil:
		v.keepReports(list)
	case v.console.opts.Case == nil:
		v.askFile(http.StatusBadRequest, []string{"The file is neither a tape nor a report that --format json wrote."})
	default:
		v.made(caseWeight*max(maxReport-left, v.r.ContentLength)-openWeight*v.r.ContentLength, func(ctx context.Context) (*cases.Case, error) { return v.console.opts.Case(ctx, list) })
	}
}

// made makes a case, which takes so many bytes meanwhile, and leads to it.
func (v *visit) made(takes int64, make func(ctx context.Context) (*cases.Case, error)) {
	if !v.console.cases.TryLock() {
		v.askFile(http.StatusServiceUnavailable, []string{"Another case is being made. Try again in a minute."})
		return
	}
	defer v.console.cases.Unlock()
	back, err := v.console.opts.Registry.Budget().Reserve(takes)
	if err != nil {
		v.noRoom("make a case of this size")
		return
	}
	defer back()
	ctx, cancel := context.WithTimeout(v.r.Context(), caseFor)
	defer cancel()
	switch made, err := make(ctx); {
	case ctx.Err() != nil:
		v.askFile(http.StatusServiceUnavailable, []string{"No case was made within a minute.", "Fix: use `paysandbox replay FILE`, which takes its time."})
	case err != nil:
		v.askFile(http.StatusBadRequest, []string{"No case can be made of this: " + err.Error() + "."})
	default:
		v.keep(made)
	}
}

// keep keeps a case, as far as there is memory for it, and leads to it.
func (v *visit) keep(c *cases.Case) {
	back, err := v.console.opts.Registry.Budget().Reserve(c.Bytes)
	if err != nil {
		v.noRoom("keep this case")
		return
	}
	v.goTo(common + "cases/" + v.console.shelf.Put(c, back))
}

// noRoom refuses what there is no memory for.
func (v *visit) noRoom(what string) {
	v.askFile(http.StatusInsufficientStorage, []string{"There is no memory left to " + what + ".", "Fix: reset or delete integrations, give the process more by --memory, or use `paysandbox replay FILE`."})
}

// found is the case that the address names, nil where there is none.
func (v *visit) found() *cases.Case {
	c := v.console.shelf.Get(v.r.PathValue("case"))
	if c == nil {
		v.refuse(http.StatusNotFound, "This case is not here any more", "The console keeps the last three cases, in memory only. Open the files again.")
	}
	return c
}

// theCase shows a case.
func (v *visit) theCase() {
	if c := v.found(); c != nil {
		v.common("file", "Case of "+c.Name)
		v.show(http.StatusOK, "case", struct {
			*cases.Case
			Root string
		}{c, common + "cases/" + v.r.PathValue("case")})
	}
}

// minimise makes the smallest case of one.
func (v *visit) minimise() {
	c := v.found()
	switch {
	case c == nil || !v.readForm():
	case v.console.guard.looksOnly(v.r):
		v.refuse(http.StatusForbidden, "You may look and move nothing", "The token that you signed in with makes no case. Nothing was changed.")
	case c.Minimise == nil:
		v.refuse(http.StatusConflict, "Nothing can be left out", "The case shows nothing that a smaller one could keep.")
	default:
		v.made(c.Bytes, c.Minimise)
	}
}

// download gives a case in a form.
func (v *visit) download() {
	c, form := v.found(), v.r.PathValue("form")
	if c == nil {
		return
	} else if !slices.Contains(c.Forms, form) {
		v.nowhere()
		return
	}
	content, name, err := c.Write(form)
	if err != nil {
		v.refuse(http.StatusConflict, "The case cannot be written so", err.Error())
		return
	}
	v.w.Header().Set("Content-Type", "application/octet-stream")
	v.w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	v.write(http.StatusOK, content)
}

// fileEntities lists the entities that a file's transitions tell of.
func (v *visit) fileEntities(world *slider) {
	asked := v.r.URL.Query()
	p := entitiesPage{World: world, Kind: asked.Get("kind"), Query: strings.TrimSpace(asked.Get("q")), Status: strings.TrimSpace(asked.Get("status")), Label: v.frame.Label}
	at := map[string]int{}
	for _, e := range v.from.Read(tape.Filter{Kinds: []tape.Kind{tape.KindTransition}, Label: p.Label}) {
		t := e.Transition
		if t == nil || p.Kind != "" && t.Machine != p.Kind || p.Query != "" && !strings.Contains(t.Entity, p.Query) {
			continue
		}
		moment := feed.RowOf(&e).Moment
		n, ok := at[t.Entity]
		if !ok {
			n = len(p.Entities)
			at[t.Entity] = n
			p.Entities = append(p.Entities, entityRow{Kind: t.Machine, ID: t.Entity, Machine: t.Machine})
		}
		p.Entities[n].Status, p.Entities[n].Changed = t.To, &moment
		p.Entities[n].Label = cmp.Or(e.Label, p.Entities[n].Label)
	}
	p.Any = len(p.Entities) > 0
	p.Entities = slices.DeleteFunc(p.Entities, func(e entityRow) bool { return p.Status != "" && !strings.EqualFold(e.Status, p.Status) })
	p.Total, p.Searched = len(p.Entities), len(p.Entities)
	if len(p.Entities) > feed.PageRows {
		p.Entities = p.Entities[len(p.Entities)-feed.PageRows:]
	}
	v.show(http.StatusOK, "entities", &p)
}
