package hosted

import (
	"net/http"
	"slices"
	"strings"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/hosted/form"
	"paysandbox/mockserver/world"
)

// route is one method of a page.
type route = door.Row[*page]

// page is one kind of page.
type page struct {
	// fields are what its form may hold; the rest of a form is not looked at.
	fields []form.Field
	// show answers a look at the page; it changes nothing.
	show func(w *world.World, v *visit) (answer, error)
	// act answers a posted form; nil when the page has no form.
	act func(w *world.World, v *visit) (answer, error)
}

// question is a page that asks somebody something, as long as it waits for an
// answer, and later tells how things stand. V is what it shows of the world.
type question[V any] struct {
	view func(w *world.World, v *visit) (V, error)
	// open says whether the page waits for an answer.
	open func(v *visit, view V) bool
	// ask is the page with its form, and tell what it says afterwards.
	ask  func(w *world.World, v *visit, view V, wrong problems) answer
	tell func(v *visit, view V) answer
	// take acts on the form of an open page.
	take func(w *world.World, v *visit, view V) (answer, error)
}

// page makes the page of a question; its form has these fields. A form that comes
// when nothing is asked any more changes nothing.
func (q question[V]) page(fields ...form.Field) *page {
	return &page{fields: fields, show: func(w *world.World, v *visit) (answer, error) {
		view, err := q.view(w, v)
		switch {
		case err != nil:
			return answer{}, err
		case !q.open(v, view):
			return q.tell(v, view), nil
		case v.expired(w):
			return expiredLink(w), nil
		}
		return q.ask(w, v, view, nil), nil
	}, act: func(w *world.World, v *visit) (answer, error) {
		view, err := q.view(w, v)
		switch {
		case err != nil:
			return answer{}, err
		case !q.open(v, view):
			a := q.tell(v, view)
			return a.with(max(a.status, http.StatusConflict)), nil
		case v.expired(w):
			return expiredLink(w), nil
		}
		return q.take(w, v, view)
	}}
}

// expired says whether the link that led here has expired.
func (v *visit) expired(w *world.World) bool {
	kind := strings.TrimPrefix(v.Call.Exchange.Operation, "pages.")
	return w.LinkExpired(kind, v.Param("id"))
}

// table lists every page.
func table() []*route {
	const payment = world.PagePortal + "/{id}/payments/{payment}"
	return slices.Concat(
		rows("pages.register", world.PageRegister+"/{id}", registerPage()),
		rows("pages.pay", world.PagePay+"/{id}", payPage()),
		rows("pages.card", world.PageCard+"/{id}", cardPage()),
		rows("pages.debit", world.PageDebit+"/{id}", debitPage()),
		rows("pages.consent", world.PageConsent+"/{id}", consentPage()),
		rows("pages.bank-link", world.PageBankLink+"/{id}", bankLinkPage()),
		rows("pages.portal", world.PagePortal+"/{id}", &page{show: showPortal}),
		rows("pages.portal-payment", payment, portalPaymentPage()),
		rows("pages.portal-attachment", payment+"/attachments/{file}", &page{show: showAttachment}),
	)
}

// rows are the methods of a page, whose path lies below the integration's.
func rows(operation, path string, p *page) []*route {
	list := []*route{door.NewRow(operation, http.MethodGet, Prefix+"{integration}/"+path, p, nil, nil)}
	if p.act != nil {
		list = append(list, door.NewRow(operation, http.MethodPost, list[0].Path, p, nil, nil))
	}
	return list
}
