package hosted

import (
	"net/url"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

// portalPageSize is how many payments one page of the portal lists.
const portalPageSize = 25

// portalSheet is one page of a company's payments.
type portalSheet struct {
	Company world.CompanyEntry
	Rows    []portalRow
	// First and Next lead to other pages, "" where there is none.
	First, Next string
}

// portalRow is one line of the list.
type portalRow struct {
	world.PaymentView
	Price, Day, Payer, Address string
}

func showPortal(w *world.World, v *visit) (answer, error) {
	company, err := companyOf(w, v.Param("id"))
	if err != nil {
		return answer{}, err
	}
	after := v.Req.URL.Query().Get("after")
	list, err := w.CompanyPayments(company.ID, after, portalPageSize+1)
	if err != nil {
		return answer{}, err
	}
	data := portalSheet{Company: company}
	self := v.link(world.PagePortal, company.ID)
	if after != "" {
		data.First = self
	}
	if len(list) > portalPageSize {
		list = list[:portalPageSize]
		data.Next = self + "?after=" + url.QueryEscape(list[len(list)-1].ID)
	}
	for _, p := range list {
		data.Rows = append(data.Rows, portalRow{p, dollars(p.Amount), dayOf(p.Created), payerOf(p), self + "/payments/" + p.ID})
	}
	return sheetOf("portal", company.Name, data), nil
}

// payerOf names a payer as well as it can be.
func payerOf(p world.PaymentView) string {
	for _, name := range []string{p.PayerName, p.Email, p.Phone} {
		if name != "" {
			return name
		}
	}
	return "unknown"
}

// companyOf finds a company by its uuid. It asks for no status: that counts as a
// read of the partner's.
func companyOf(w *world.World, id string) (world.CompanyEntry, error) {
	found, err := w.CompanyID(id)
	if err != nil {
		return world.CompanyEntry{}, err
	}
	for _, c := range w.ListCompanies().Companies {
		if c.ID == found.String() {
			return c, nil
		}
	}
	return world.CompanyEntry{}, kernel.NoSuch("company", id)
}
