package hosted_test

import (
	"encoding/base64"
	"net/http"
	"regexp"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/world"
)

func TestPortalPagesThroughThePayments(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	require.True(t, h.get(h.address("portal", h.company)).shows("no-payments"))
	all := map[string]bool{}
	for range 60 {
		all[h.payment(world.NewPayment{Purpose: world.Purpose{ShortDescription: "Visit"}})] = true
	}
	h.payment(world.NewPayment{CompanyID: h.newCompany("Another Gym")})
	row := regexp.MustCompile(`<tr data-testid="payment-([^"]+)"`)
	next := regexp.MustCompile(`href="([^"]+)" data-testid="next"`)
	address, pages := h.address("portal", h.company), 0
	for address != "" {
		r := h.get(address)
		require.Equal(t, http.StatusOK, r.status)
		require.Equal(t, pages > 0, r.shows("first"))
		pages++
		for _, m := range row.FindAllStringSubmatch(r.body, -1) {
			require.True(t, all[m[1]], "each payment once, of this company only")
			delete(all, m[1])
		}
		address = ""
		if m := next.FindStringSubmatch(r.body); m != nil {
			address = h.url + m[1]
		}
	}
	require.Empty(t, all)
	require.Equal(t, 3, pages)
	require.Equal(t, http.StatusNotFound, h.get(h.address("portal", h.company)+"?before="+nobody).status)
}

// paid is a payment that has arrived, with an attachment.
func (h *house) paid(file string) (id, page string) {
	h.tb.Helper()
	id = h.payment(world.NewPayment{Purpose: world.Purpose{ShortDescription: "Visit"}, Attachment: base64.StdEncoding.EncodeToString([]byte(file))})
	h.do(func(w *world.World) {
		require.NoError(h.tb, w.MovePayment(id, "approve", world.PaymentMove{}))
		require.NoError(h.tb, w.MovePayment(id, "pay", world.PaymentMove{}))
	})
	return id, h.address("portal", h.company, "payments", id)
}

func TestPortalRefunds(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id, page := h.paid("%PDF-1.4")
	require.Contains(t, h.get(page).body, "At most $1,234.50.")
	for name, amount := range map[string]string{"nothing": "", "words": "ten", "zero": "0", "three decimals": "1.234", "negative": "-5", "too much": "1234.51", "huge": "99999999999999999999"} {
		r := h.post(page, "amount", amount, "reason", "Kept <b>")
		require.Equal(t, http.StatusBadRequest, r.status, name)
		require.True(t, r.shows("error-amount"), name)
		require.Contains(t, r.body, "Kept &lt;b&gt;", name)
	}
	token := h.tokenOf(page)
	require.Equal(t, http.StatusSeeOther, h.post(page, "amount", "$1,000.5", "reason", "Two classes").status)
	r := h.get(page)
	require.Contains(t, r.body, "$1,000.50")
	require.Contains(t, r.body, "Two classes")
	require.Contains(t, r.body, "At most $234.00.")
	require.Equal(t, http.StatusSeeOther, h.post(page, "amount", "234").status)
	require.NotContains(t, h.get(page).body, `data-testid="refund"`, "nothing is left")
	require.Equal(t, http.StatusBadRequest, h.postAs(page, token, "amount", "1").status)
	h.do(func(w *world.World) {
		list, err := w.RefundsOf(id)
		require.NoError(t, err)
		require.Len(t, list, 2)
	})
	pending := h.address("portal", h.company, "payments", h.payment(world.NewPayment{}))
	require.NotContains(t, h.get(pending).body, `data-testid="refund"`)
}

func TestPortalKeepsCompaniesApart(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id, _ := h.paid("%PDF-1.4")
	other := h.newCompany("Another Gym")
	require.Equal(t, http.StatusNotFound, h.get(h.address("portal", other, "payments", id)).status)
	require.Equal(t, http.StatusNotFound, h.postAs(h.address("portal", other, "payments", id), "x", "amount", "1").status)
}

func TestPortalAttachments(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	_, page := h.paid("%PDF-1.4 invoice")
	_, second := h.paid("<html><script>alert(1)</script>")
	href := regexp.MustCompile(`href="([^"]+)" data-testid="attachment"`)
	find := func(page string) string {
		m := href.FindStringSubmatch(h.get(page).body)
		require.NotNil(t, m)
		return h.url + m[1]
	}
	r := h.get(find(page))
	require.Equal(t, http.StatusOK, r.status)
	require.Equal(t, "%PDF-1.4 invoice", r.body)
	require.Equal(t, "application/pdf", r.header.Get("Content-Type"))
	require.Equal(t, "attachment; filename=attachment.pdf", r.header.Get("Content-Disposition"))
	require.Equal(t, "nosniff", r.header.Get("X-Content-Type-Options"))
	require.Contains(t, r.header.Get("Content-Security-Policy"), "sandbox")
	require.Empty(t, h.last().Exchange.Response.Body)
	require.Equal(t, "application/octet-stream", h.get(find(second)).header.Get("Content-Type"))

	stolen := page + "/attachments/" + find(second)[len(find(second))-36:]
	require.Equal(t, http.StatusNotFound, h.get(stolen).status, "a file belongs to its payment")
}

func TestPortalFetchedAttachments(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id := h.payment(world.NewPayment{Attachment: `https://partner.example.com/a"b%0d%0aé.pdf`})
	var file string
	h.do(func(w *world.World) {
		view, err := w.PaymentView(id)
		require.NoError(t, err)
		file = view.Attachments[0].ID
	})
	address := h.address("portal", h.company, "payments", id, "attachments", file)
	r := h.get(address)
	require.Equal(t, http.StatusNotFound, r.status)
	require.Contains(t, r.body, "still being fetched")
	h.do(func(w *world.World) {
		require.NoError(t, w.AttachmentFetched(world.FetchedAttachment{ID: uuid.MustParse(file), ContentType: "text/html", Data: []byte("<b>")}))
	})
	r = h.get(address)
	require.Equal(t, http.StatusOK, r.status)
	require.Equal(t, "application/octet-stream", r.header.Get("Content-Type"))
	require.Equal(t, "attachment; filename*=utf-8''a_b__%C3%A9.pdf", r.header.Get("Content-Disposition"))
}

func TestPortalShowsWhyAFileIsMissing(t *testing.T) {
	t.Parallel()
	h := houseWith(t, integration.Options{Seed: 9, Clock: integration.Manual})
	id := h.payment(world.NewPayment{Attachment: "https://partner.example.com/a.pdf"})
	var file string
	h.do(func(w *world.World) {
		view, err := w.PaymentView(id)
		require.NoError(t, err)
		file = view.Attachments[0].ID
		require.NoError(t, w.AttachmentFetched(world.FetchedAttachment{ID: uuid.MustParse(file), Problem: "the server answered 404"}))
	})
	r := h.get(h.address("portal", h.company, "payments", id, "attachments", file))
	require.Equal(t, http.StatusNotFound, r.status)
	require.Contains(t, r.body, "the server answered 404")
}
