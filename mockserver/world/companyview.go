package world

import (
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// CompanyStatus is the answer to a company's status.
type CompanyStatus struct {
	// Status is Unverified, Verified or Rejected.
	Status string `json:"status" required:"true" enum:"Unverified,Verified,Rejected" example:"Verified"`
}

// CompanyStatus tells how a company's verification stands.
func (w *World) CompanyStatus(ref string) (CompanyStatus, error) {
	c, n, err := w.pathCompany(ref)
	if err != nil {
		return CompanyStatus{}, err
	}
	w.countRead(c, n)
	return CompanyStatus{Status: CompanyMachine.States[c.state]}, nil
}

// Verification tells how a company's verification stands, by reference or uuid and
// without counting as a read.
func (w *World) Verification(ref string) (CompanyStatus, error) {
	c, _, err := w.company(ref)
	if err != nil {
		return CompanyStatus{}, err
	}
	return CompanyStatus{Status: CompanyMachine.States[c.state]}, nil
}

// DefaultCompanyStatus is the answer of GET /company/status, whose members the
// specification writes in PascalCase.
type DefaultCompanyStatus struct {
	// CompanyID is the company that was meant.
	CompanyID string `json:"CompanyId" format:"uuid" required:"true" example:"7b0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c11"`
	// Status is Unverified, Verified or Rejected.
	Status string `json:"Status" required:"true" enum:"Unverified,Verified,Rejected" example:"Verified"`
}

// DefaultCompanyStatus tells the status of the company named by its uuid or
// reference, else of the integration's default company.
func (w *World) DefaultCompanyStatus(companyID, reference string) (DefaultCompanyStatus, error) {
	var c *company
	var n uint32
	var err error
	switch {
	case companyID != "":
		c, n, err = w.company(companyID)
	case reference != "":
		c, n, err = w.company(reference)
	default:
		c, n, err = w.defaultCompany()
	}
	if err != nil {
		return DefaultCompanyStatus{}, err
	}
	w.countRead(c, n)
	return DefaultCompanyStatus{CompanyID: c.id.String(), Status: CompanyMachine.States[c.state]}, nil
}

// defaultCompany is the first company of the integration, or its last where the
// ledger says so.
func (w *World) defaultCompany() (*company, uint32, error) {
	if w.companies.Len() == 0 {
		return nil, 0, &kernel.Error{Code: kernel.NotFound, Detail: "this integration has no company yet"}
	}
	n := uint32(1)
	if w.is(latitude.CompanyStatusTargetMostRecent) {
		n = w.companies.Len()
	}
	return w.companies.At(n), n, nil
}

// CompanyEntry is one line of the company list.
type CompanyEntry struct {
	ID          string `json:"id" format:"uuid" required:"true" example:"7b0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c11"`
	Name        string `json:"name" required:"true" example:"Fit Gym"`
	ReferenceID string `json:"referenceId" required:"true" example:"loc-001"`
}

// CompanyList is the answer to the company list.
type CompanyList struct {
	// Companies are all companies of the integration, oldest first.
	Companies []CompanyEntry `json:"companies" required:"true" nullable:"false"`
}

// ListCompanies lists all companies of the integration.
func (w *World) ListCompanies() CompanyList {
	list := CompanyList{Companies: make([]CompanyEntry, 0, w.companies.Len())}
	for _, c := range w.companies.All() {
		list.Companies = append(list.Companies, CompanyEntry{c.id.String(), w.texts.String(c.name), w.texts.String(c.reference)})
	}
	return CompanyList{Companies: ordered(w, list.Companies)}
}
