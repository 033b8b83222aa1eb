package console_test

import (
	"bytes"
	"context"
	"errors"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/browser"
	"paysandbox/mockserver"
	"paysandbox/mockserver/budget"
	"paysandbox/mockserver/console/cases"
	"paysandbox/mockserver/integration"
)

// sampleCase is a case with something of everything, of whatever is sent.
func sampleCase(_ context.Context, files []cases.File) (*cases.Case, error) {
	if string(files[0].Data) == "nonsense" {
		return nil, errors.New("it is in no known form <x>")
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	c := &cases.Case{
		Name: strings.Join(names, " and "), Side: "partner", Tone: "bad", Lines: []string{"Side: <the partner's>"}, Assumptions: []string{"the payer approved <it>"}, Notes: []string{"a note"},
		Timeline: []cases.Row{
			{At: "2026-03-02 17:00:00", Kind: "call", What: "POST /Company/Create", Recorded: "200", Replayed: "200"},
			{Kind: "people", What: "the payer approved", Assumed: true},
			{Kind: "call", What: "GET /<script>", Recorded: "200", Replayed: "400", Differs: []string{"unexplained: status was 200 <d>"}, Tone: "warn", Bodies: []cases.Body{
				{Name: "Sent", Lines: []cases.Line{{Text: "{"}, {Text: `  "a": "<b>"`, Tone: "bad"}}, Left: 7},
			}},
		},
		Forms: []string{"curl", "broken"},
		Write: func(form string) ([]byte, string, error) {
			if form == "broken" {
				return nil, "", errors.New("a plan cannot be written so")
			}
			return []byte("#!/bin/sh\n"), "case.sh", nil
		},
	}
	c.Minimise = func(context.Context) (*cases.Case, error) {
		small := *c
		small.Minimise, small.Timeline = nil, c.Timeline[2:]
		return &small, nil
	}
	return c, nil
}

// upload sends files in the form.
func (h *house) upload(texts ...string) page {
	h.t.Helper()
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	require.NoError(h.t, form.WriteField("csrf", h.csrf()))
	for _, text := range texts {
		file, err := form.CreateFormFile("file", `C:\tapes\<b>.har`)
		require.NoError(h.t, err)
		_, _ = file.Write([]byte(text))
	}
	require.NoError(h.t, form.Close())
	return h.send(h.request(http.MethodPost, "/console/-/file", b.String(), "Content-Type", form.FormDataContentType()))
}

// TestAPartnersFilesBecomeACase shows what the function that makes cases comes to,
// minimises and gives it, and leads a tape to its screens as before.
func TestAPartnersFilesBecomeACase(t *testing.T) {
	t.Parallel()
	h := houseWith(t, mockserver.Options{Case: sampleCase})
	at := h.upload(`{"log":{}}`, "curl x").header.Get("Location")
	require.Equal(t, "/console/-/cases/1", at)
	p := h.get(at)
	for _, words := range []string{
		"Side: &lt;the partner&#39;s&gt;", "status was 200 &lt;d&gt;", "the payer approved &lt;it&gt;", "a note", `<span class="badge bad" data-testid="side">partner</span>`,
		"&lt;b&gt;.har and &lt;b&gt;.har", "GET /&lt;script&gt;",
		`<mark class="bad">  &#34;a&#34;: &#34;&lt;b&gt;&#34;</mark>`, "… 7 bytes more",
	} {
		require.Contains(t, p.body, words)
	}
	got := h.get(at + "/download/curl")
	require.Equal(t, "#!/bin/sh\n", got.body)
	require.Equal(t, `attachment; filename=case.sh`, got.header.Get("Content-Disposition"))
	require.Equal(t, "application/octet-stream", got.header.Get("Content-Type"))
	require.Equal(t, http.StatusConflict, h.get(at+"/download/broken").status)
	require.Equal(t, http.StatusNotFound, h.get(at+"/download/feature").status)

	require.Equal(t, http.StatusForbidden, h.send(h.request(http.MethodPost, at+"/minimise", "csrf=x", "Content-Type", "application/x-www-form-urlencoded")).status)
	small := h.send(h.request(http.MethodPost, at+"/minimise", "csrf="+h.csrf(), "Content-Type", "application/x-www-form-urlencoded")).header.Get("Location")
	require.Equal(t, "/console/-/cases/2", small)
	require.False(t, h.get(small).shows("minimise"), "nothing is left to be left out")
	require.NotContains(t, h.get(small).body, "POST /Company/Create")
	require.Contains(t, h.get("/console/-/file").body, `href="/console/-/cases/2"`)

	p = h.upload("nonsense")
	require.Equal(t, http.StatusBadRequest, p.status)
	require.Contains(t, p.body, "it is in no known form &lt;x&gt;")
	require.Equal(t, "/console/file-1/live", h.upload(h.control(http.MethodGet, "/tape?end=true", "").body).header.Get("Location"))
	require.Contains(t, newHouse(t).upload(`{"log":{}}`).body, "cannot be read", "nobody makes cases here")
}

// TestWhatAStrangerCanMakeUsHoldIsBounded: the files of a case together, how many they
// are, and how many cases are kept.
func TestWhatAStrangerCanMakeUsHoldIsBounded(t *testing.T) {
	t.Parallel()
	h := houseWith(t, mockserver.Options{Case: sampleCase})
	half := strings.Repeat("x", 8<<20)
	require.Equal(t, http.StatusRequestEntityTooLarge, h.upload(half, half, "x").status)
	require.Equal(t, http.StatusSeeOther, h.upload(half, half).status)
	many := make([]string, 21)
	require.Equal(t, http.StatusRequestEntityTooLarge, h.upload(many...).status)
	for range 3 {
		require.Equal(t, http.StatusSeeOther, h.upload(many[1:]...).status)
	}
	require.Equal(t, http.StatusNotFound, h.get("/console/-/cases/1").status)
	require.Equal(t, http.StatusOK, h.get("/console/-/cases/4").status)
}

// TestAttackCasesAreCountedInTheMemory: what is kept of a partner's files is drawn from
// the bytes of the process, and given back when another case takes its place.
func TestAttackCasesAreCountedInTheMemory(t *testing.T) {
	t.Parallel()
	memory := budget.New(8 << 20)
	weighs := int64(1 << 20)
	h := houseWith(t, mockserver.Options{Integration: integration.Options{Budget: memory}, Case: func(ctx context.Context, files []cases.File) (*cases.Case, error) {
		c, err := sampleCase(ctx, files)
		c.Bytes = weighs
		return c, err
	}})
	before := memory.Used()
	for range 5 {
		require.Equal(t, http.StatusSeeOther, h.upload(`{"log":{}}`).status)
	}
	require.InDelta(t, 3<<20, memory.Used()-before, 64<<10, "three are kept")
	weighs = 32 << 20
	p := h.upload(`{"log":{}}`)
	require.Equal(t, http.StatusInsufficientStorage, p.status)
	require.Contains(t, p.body, "There is no memory left to keep this case")
	weighs = 1 << 10
	p = h.upload(`{"log":{}}` + strings.Repeat(" ", 400<<10))
	require.Equal(t, http.StatusInsufficientStorage, p.status)
	require.Contains(t, p.body, "There is no memory left to make a case of this size", "what is made of it takes many times its size")
	require.Equal(t, http.StatusOK, h.get("/console/-/cases/5").status, "the others stay")
}

// TestAttackPagesThatNobodyReads: a long page is refused while those that nobody has read
// take what there is for answers.
func TestAttackPagesThatNobodyReads(t *testing.T) {
	t.Parallel()
	memory := budget.New(8 << 20)
	h := houseWith(t, mockserver.Options{Integration: integration.Options{Budget: memory}})
	h.fill(60)
	require.Greater(t, len(h.get("/console/default/live").body), 16<<10)
	require.True(t, memory.Answer(2<<20), "somebody does not read")
	p := h.get("/console/default/live")
	require.Equal(t, http.StatusServiceUnavailable, p.status)
	require.Equal(t, "10", p.header.Get("Retry-After"))
	memory.Answered(2 << 20)
	require.Equal(t, http.StatusOK, h.get("/console/default/live").status)
}

// TestWhoOnlyLooksSeesACase and minimises none.
func TestWhoOnlyLooksSeesACase(t *testing.T) {
	t.Parallel()
	h := houseWith(t, mockserver.Options{ControlToken: controlToken, ReadToken: readToken, Case: sampleCase})
	require.Equal(t, http.StatusUnauthorized, h.get("/console/-/cases/1").status)
	require.Equal(t, http.StatusSeeOther, h.signIn(controlToken).status)
	at := h.upload(`{"log":{}}`).header.Get("Location")
	require.True(t, h.get(at).shows("minimise"))
	require.Equal(t, http.StatusSeeOther, h.signIn(readToken).status)
	p := h.get(at)
	require.True(t, p.shows("timeline"))
	require.False(t, p.shows("minimise"))
	require.Equal(t, http.StatusOK, h.get(at+"/download/curl").status)
	refused := h.send(h.request(http.MethodPost, at+"/minimise", "csrf="+h.csrf(), "Content-Type", "application/x-www-form-urlencoded"))
	require.Equal(t, http.StatusForbidden, refused.status)
	require.Contains(t, refused.body, "You may look and move nothing")
}

// TestFilesAreDropped on the page: the case comes, is minimised by a click, and axe finds
// nothing in it.
func TestFilesAreDropped(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t, 1280, "the case")
	source := browser.Axe(t)
	h := houseWith(t, mockserver.Options{Case: sampleCase})
	b := &tab{t, browser.Tab(chromium, t, true)}
	b.open(h.url + "/console/-/file")
	b.js(`(() => {
		const files = new DataTransfer();
		files.items.add(new File(["{}"], "a.har"));
		files.items.add(new File(["{}"], "hooks.jsonl"));
		document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: files, bubbles: true, cancelable: true}));
	})()`)
	b.comes(`location.pathname`, "/console/-/cases/1")
	b.comes(`document.querySelectorAll("[data-testid=timeline] tbody tr").length`, "3")
	require.Equal(t, "partner", b.reads("side"))
	require.Contains(t, b.js(`document.querySelector("h1").textContent`), "a.har and hooks.jsonl")
	for _, l := range browser.Looks() {
		l.Put(b.ctx, t)
		require.Empty(t, l.Violations(b.ctx, t, source, "case"))
	}
	b.press("minimise")
	require.Equal(t, "1", b.js(`document.querySelectorAll("[data-testid=timeline] tbody tr").length`))
	require.Equal(t, "null", b.js(`document.querySelector("[data-testid=minimise]")`))
}
