package hosted

import (
	"errors"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"

	"paysandbox/mockserver/hosted/form"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

func portalPaymentPage() *page {
	return &page{show: showPortalPayment, act: postRefund, fields: []form.Field{{Name: "amount"}, {Name: "reason"}}}
}

// portalPayment is one payment with its refunds.
type portalPayment struct {
	world.PaymentView
	Price, Payer, Portal, Tone string
	Facts                      []fact
	Files                      []link
	Refunds                    []portalRefund
	// Left is what can still be refunded, in words; "" when nothing can.
	Left string
}

// portalRefund is one line of the list of refunds.
type portalRefund struct {
	world.RefundView
	Price, Day string
	Files      []link
}

// portalView finds the payment that the address names within its company.
func portalView(w *world.World, v *visit) (world.CompanyEntry, world.PaymentView, error) {
	company, err := companyOf(w, v.Param("id"))
	if err != nil {
		return company, world.PaymentView{}, err
	}
	view, err := w.PaymentView(v.Param("payment"))
	if err == nil && view.CompanyID != company.ID {
		err = &kernel.Error{Code: kernel.NotFound, Detail: "no payment request " + view.ID + " of this company"}
	}
	if err == nil {
		v.Call.Entities = []string{view.ID, company.ID}
	}
	return company, view, err
}

func showPortalPayment(w *world.World, v *visit) (answer, error) {
	company, view, err := portalView(w, v)
	if err != nil {
		return answer{}, err
	}
	return portalPaymentSheet(w, v, company, view, nil)
}

func portalPaymentSheet(w *world.World, v *visit, company world.CompanyEntry, view world.PaymentView, wrong problems) (answer, error) {
	refunds, err := w.RefundsOf(view.ID)
	if err != nil {
		return answer{}, err
	}
	portal := v.link(world.PagePortal, company.ID)
	files := portal + "/payments/" + view.ID + "/attachments/"
	data := portalPayment{PaymentView: view, Price: world.Dollars(view.Amount), Payer: payerOf(view), Portal: portal, Tone: toneOf(view.Status), Facts: portalFacts(view)}
	data.Files = fileLinks(files, view.Attachments)
	for _, r := range refunds {
		data.Refunds = append(data.Refunds, portalRefund{r, world.Dollars(r.Amount), dayOf(r.Created), fileLinks(files, r.Attachments)})
	}
	if left := view.Amount - view.Refunded; view.Status == "Paid" && left > 0 {
		data.Left = world.Dollars(left)
	}
	return sheetOf("portalpayment", "Payment of "+data.Price, data).after(wrong, ""), nil
}

func portalFacts(view world.PaymentView) []fact {
	list := []fact{{"payer", "Payer", payerOf(view)}, {"created", "Requested", timeOf(view.Created)}}
	list = append(list, fact{"description", "For", view.ShortDescription})
	list = append(list, markFacts(view)...)
	list = known(append(list, maskFact(view), fact{"fee-payer", "Fee paid by", view.FeePayer}))
	if !view.Due.IsZero() {
		list = append(list, fact{"due", "Due", day(view.Due)})
	}
	if view.Refunded > 0 {
		list = append(list, fact{"refunded", "Refunded", world.Dollars(view.Refunded)})
	}
	return append(list, fact{"payment-id", "Payment request", view.ID})
}

func fileLinks(under string, files []world.AttachmentInfo) []link {
	list := []link{}
	for _, f := range files {
		list = append(list, link{"attachment", fileName(f.Name), under + f.ID})
	}
	return list
}

// postRefund gives money back.
func postRefund(w *world.World, v *visit) (answer, error) {
	company, view, err := portalView(w, v)
	if err != nil {
		return answer{}, err
	}
	cents, ok := readDollars(v.form.Get("amount"))
	if !ok || cents == 0 {
		return portalPaymentSheet(w, v, company, view, problems{{"amount", unread(v.form.Get("amount"))}})
	}
	err = w.RefundPayment(view.ID, &world.NewRefund{Amount: &cents, Description: v.form.Get("reason")})
	var e *kernel.Error
	switch {
	case errors.As(err, &e) && e.Code == kernel.Invalid:
		return portalPaymentSheet(w, v, company, view, refundProblems(e))
	case err != nil:
		return answer{}, err
	}
	return goTo(v.done()), nil
}

// refundProblems puts what the world says beside the amount.
func refundProblems(e *kernel.Error) problems {
	var wrong problems
	for _, f := range e.Findings {
		message := "Refund " + strings.TrimPrefix(f.Expected, "at most ") + ": " + f.Fix + "."
		if f.Pointer == "/amount" {
			message = "This is more than what is left of the payment."
		}
		wrong.add("amount", message)
	}
	return wrong
}

// showAttachment gives a file of a payment or of one of its refunds.
func showAttachment(w *world.World, v *visit) (answer, error) {
	_, view, err := portalView(w, v)
	if err != nil {
		return answer{}, err
	}
	refunds, err := w.RefundsOf(view.ID)
	if err != nil {
		return answer{}, err
	}
	known := slices.Clone(view.Attachments)
	for _, r := range refunds {
		known = append(known, r.Attachments...)
	}
	file, err := w.AttachmentOf(v.Param("file"))
	if err != nil {
		return answer{}, err
	}
	if !slices.ContainsFunc(known, func(f world.AttachmentInfo) bool { return f.ID == file.ID }) {
		return answer{}, &kernel.Error{Code: kernel.NotFound, Detail: "no attachment " + file.ID + " of this payment"}
	}
	v.Call.Entities = append(v.Call.Entities, file.ID)
	if file.Waiting || file.Problem != "" || file.Lost != "" {
		return missingFile(file), nil
	}
	return answer{status: http.StatusOK, file: &file}, nil
}

func missingFile(file world.AttachmentFile) answer {
	n := notice{ID: "no-file", Tone: toneBad, Status: "Waiting", Text: []string{"The file is still being fetched from the partner. Open this page again later."}}
	if file.Problem != "" {
		n.Status, n.Text = "Missing", []string{"The file could not be fetched from the partner: " + file.Problem + "."}
	}
	if file.Lost != "" {
		n.Status, n.Text = "Lost", []string{"The sandbox cannot give the file that it kept on its disk: " + file.Lost + "."}
	}
	return tell("The file is not here", n).with(http.StatusNotFound)
}

// fileName is a name that is safe to save under.
func fileName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, name)
	if name = path.Base(strings.Trim(name, ". ")); name == "." || name == "/" {
		return "attachment"
	}
	return name
}

// fileType lets no file pass for a page.
func fileType(f *world.AttachmentFile) string {
	switch f.ContentType {
	case "application/pdf", "image/png", "image/jpeg":
		return f.ContentType
	default:
		return "application/octet-stream"
	}
}

func fileDisposition(f *world.AttachmentFile) string {
	return mime.FormatMediaType("attachment", map[string]string{"filename": fileName(f.Name)})
}
