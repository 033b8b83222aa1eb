package world_test

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

// attached is the attachment of a payment.
func (x *shop) attached(t *testing.T, payment string) world.AttachmentFile {
	t.Helper()
	v, err := x.PaymentView(payment)
	require.NoError(t, err)
	require.Len(t, v.Attachments, 1)
	f, err := x.AttachmentOf(v.Attachments[0].ID)
	require.NoError(t, err)
	return f
}

func TestAttachmentInBase64(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	pdf := []byte("%PDF-1.7 hello")
	id := x.pay(t, func(r *world.NewPayment) { r.Attachment = base64.StdEncoding.EncodeToString(pdf) })
	got := x.attached(t, id)
	require.Equal(t, world.AttachmentFile{ID: got.ID, Name: "attachment.pdf", ContentType: "application/pdf", Data: pdf}, got)
	got.Data[0] = 'x'
	require.Equal(t, pdf, x.attached(t, id).Data, "the caller has a copy")
	id = x.pay(t, func(r *world.NewPayment) { r.Attachment = base64.StdEncoding.EncodeToString([]byte("hello")) })
	require.Equal(t, "application/octet-stream", x.attached(t, id).ContentType)
	_, effects := x.Take()
	require.Empty(t, effects)
}

func TestAttachmentBehindAnAddress(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	id := x.pay(t, func(r *world.NewPayment) { r.Attachment = "https://files.example.com/invoices/1001.pdf?x=1" })
	_, effects := x.Take()
	require.Len(t, effects, 1)
	require.Equal(t, kernel.FetchAttachment, effects[0].Kind)
	require.Equal(t, "https://files.example.com/invoices/1001.pdf?x=1", effects[0].URL)
	require.Equal(t, world.AttachmentFile{ID: effects[0].ID.String(), Name: "1001.pdf", Waiting: true}, x.attached(t, id))
	fetched := world.FetchedAttachment{ID: effects[0].ID, ContentType: "application/pdf; charset=binary", Data: []byte("%PDF")}
	require.NoError(t, x.AttachmentFetched(fetched))
	require.Equal(t, world.AttachmentFile{
		ID: effects[0].ID.String(), Name: "1001.pdf", ContentType: "application/pdf", Data: []byte("%PDF"),
	}, x.attached(t, id))
	require.Equal(t, kernel.Conflict, codeOf(t, x.AttachmentFetched(fetched)), "once")
	require.Equal(t, kernel.NotFound, codeOf(t, x.AttachmentFetched(world.FetchedAttachment{ID: uuid.MustParse(unknownPayer)})))
}

// TestFilesAreKeptOnceAndBounded: the same file takes its room once, however often and
// on whichever way it comes; what would take more than 64 MiB is refused, and what was
// refused takes none.
func TestFilesAreKeptOnceAndBounded(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	one := bytes.Repeat([]byte("%PDF-"), 2<<20) // 10 MiB
	first := base64.StdEncoding.EncodeToString(one)
	pay := func(text string) error {
		_, err := x.CreatePayment(&world.NewPayment{Amount: ptr(int64(5000)), RegistrationID: x.payer, Attachment: text})
		return err
	}
	for range 8 {
		require.NoError(t, pay(first), "the same file")
	}
	var id string
	for n := range 5 {
		one[0] = byte(n)
		text := base64.StdEncoding.EncodeToString(one)
		wrong := world.NewPayment{Amount: ptr(int64(-1)), RegistrationID: x.payer, Attachment: base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{byte(n)}, 10<<20))}
		_, err := x.CreatePayment(&wrong)
		planError(t, err, kernel.Invalid)
		id = x.pay(t, func(r *world.NewPayment) { r.Attachment = text })
	}
	one[0] = 99
	require.Equal(t, one[1:], x.attached(t, id).Data[1:])
	full := planError(t, pay(base64.StdEncoding.EncodeToString(one)), kernel.TooLarge)
	require.Contains(t, full.Detail, "more than 64 MiB")
	require.NoError(t, pay(first), "there is room for what is there")
	id = x.pay(t, func(r *world.NewPayment) { r.Attachment = "https://p.example.com/a.pdf" })
	_, effects := x.Take()
	require.NoError(t, x.AttachmentFetched(world.FetchedAttachment{ID: effects[0].ID, Data: one}))
	require.Contains(t, x.attached(t, id).Problem, "more than 64 MiB")
}

// TestAddressesThatAreNotCalled: an attachment's address is kept and called, so it is
// of bearable length and holds nothing that is not sent; what people are sent to has
// a bound too.
func TestAddressesThatAreNotCalled(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	long := "https://p.example.com/" + strings.Repeat("x", 10<<20-100)
	for address, want := range map[string]string{
		long: `"https://p.example.com/`, "https://u:hush@p.example.com/a.pdf": kernel.Masked, "HTTPS://u:hush@p.example.com/a.pdf": kernel.Masked,
		"https://p.example.com/a.pdf#page=1": `"https://p.example.com/a.pdf#page=1"`, "ftp://p.example.com/a.pdf": `"ftp://p.example.com/a.pdf"`,
	} {
		r := world.NewPayment{Amount: ptr(int64(5000)), RegistrationID: x.payer}
		r.Attachment = address
		_, err := x.CreatePayment(&r)
		f := planError(t, err, kernel.Invalid).Findings[0]
		require.Equal(t, "/attachment", f.Pointer)
		require.True(t, strings.HasPrefix(f.Received, want), f.Received)
		require.Less(t, len(f.Received), 200)
		require.Contains(t, f.Expected, "at most 2,048 bytes, without user information and without a fragment")
	}
	r := world.NewPayment{Amount: ptr(int64(5000)), RegistrationID: x.payer, ReturnURL: long}
	_, err := x.CreatePayment(&r)
	require.Equal(t, "/returnUrl", planError(t, err, kernel.Invalid).Findings[0].Pointer)
	_, effects := x.Take()
	require.Empty(t, effects, "nothing is called")
}

func TestAttachmentThatCannotBeFetched(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	id := x.pay(t, func(r *world.NewPayment) { r.Attachment = "http://127.0.0.1:9/" })
	_, effects := x.Take()
	large := world.FetchedAttachment{ID: effects[0].ID, Data: make([]byte, 10<<20+1)}
	require.Equal(t, kernel.TooLarge, codeOf(t, x.AttachmentFetched(large)))
	require.NoError(t, x.AttachmentFetched(world.FetchedAttachment{ID: effects[0].ID, Problem: "connection refused"}))
	require.Equal(t, world.AttachmentFile{ID: effects[0].ID.String(), Name: "attachment", Problem: "connection refused"}, x.attached(t, id))
}

func TestAttachmentSize(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	for _, tt := range []struct {
		size int
		want kernel.Code
	}{{10 << 20, ""}, {10<<20 + 1, kernel.TooLarge}, {10<<20 + 2, kernel.TooLarge}, {11 << 20, kernel.TooLarge}} {
		data := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("%PDF-"), tt.size/5+1)[:tt.size])
		_, err := x.CreatePayment(request(x, func(r *world.NewPayment) { r.Attachment = data }))
		require.Equal(t, tt.want, codeOf(t, err), "%d", tt.size)
	}
	list, err := x.CompanyPayments("loc-001", "", "", 0)
	require.NoError(t, err)
	require.Len(t, list, 1)
	paid := x.paid(t, nil)
	err = x.RefundPayment(paid, &world.NewRefund{Amount: ptr(int64(1)), Attachment: &world.RefundAttachment{
		FileName: "a.pdf", FileType: "application/pdf", FileData: base64.StdEncoding.EncodeToString(make([]byte, 10<<20+1)),
	}})
	require.Equal(t, kernel.TooLarge, codeOf(t, err))
	require.Empty(t, x.refunds(t, paid))
}

func TestUnknownAttachment(t *testing.T) {
	t.Parallel()
	x := newShop(t, goodBank(t))
	for _, id := range []string{unknownPayer, "", "x"} {
		_, err := x.AttachmentOf(id)
		require.Equal(t, kernel.NotFound, codeOf(t, err))
	}
}
