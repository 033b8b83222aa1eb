package hosted

import (
	"net/url"
	"slices"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/world"
)

// portalPageSize is how many payments one page of the portal lists.
const portalPageSize = 25

// portalSheet is one page of a company's payments.
type portalSheet struct {
	Company world.CompanyEntry
	Rows    []portalRow
	// Filters lead to the payments of one status; the first is all.
	Filters []portalFilter
	// Status is the filter, "" for all.
	Status string
	// First and Next lead to other pages, "" where there is none.
	First, Next string
}

// portalRow is one line of the list.
type portalRow struct {
	world.PaymentView
	Price, Time, Payer, Tone, Address string
}

// portalFilter is one choice of which payments are listed.
type portalFilter struct {
	Text, Address string
	Chosen        bool
}

// statusTones are the tones of the badges; what is not listed is plain.
var statusTones = map[string]string{
	"Paid": "good", "Failed": "bad", "Refunded": "warn", "Denied": "warn", "Pending": "info", "Processing": "info", "Scheduled": "info",
	"Queued": "info", "InReview": "info",
}

func toneOf(status string) string {
	if tone := statusTones[status]; tone != "" {
		return tone
	}
	return tonePlain
}

// portalFilters are the states that payments can be in.
func portalFilters(self, chosen string) []portalFilter {
	list := []portalFilter{{"All", self, chosen == ""}}
	for _, status := range world.PaymentMachine.States[1:] {
		list = append(list, portalFilter{status, self + "?status=" + url.QueryEscape(status), status == chosen})
	}
	return list
}

func showPortal(w *world.World, v *visit) (answer, error) {
	company, err := companyOf(w, v.Param("id"))
	if err != nil {
		return answer{}, err
	}
	before, status := v.Req.URL.Query().Get("before"), v.Req.URL.Query().Get("status")
	if !slices.Contains(world.PaymentMachine.States[1:], status) {
		status = ""
	}
	list, err := w.CompanyPayments(company.ID, status, before, portalPageSize+1)
	if err != nil {
		return answer{}, err
	}
	self := v.link(world.PagePortal, company.ID)
	data := portalSheet{Company: company, Status: status, Filters: portalFilters(self, status)}
	kept := url.Values{}
	if status != "" {
		kept.Set("status", status)
	}
	if before != "" {
		data.First = self + "?" + kept.Encode()
	}
	if len(list) > portalPageSize {
		list = list[:portalPageSize]
		kept.Set("before", list[len(list)-1].ID)
		data.Next = self + "?" + kept.Encode()
	}
	for _, p := range list {
		data.Rows = append(data.Rows, portalRow{p, world.Dollars(p.Amount), timeOf(p.Created), payerOf(p), toneOf(p.Status), self + "/payments/" + p.ID})
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
