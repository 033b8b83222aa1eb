package world

import (
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// placeRules are the rules of how a body names location and company.
type placeRules struct {
	location, locationKnown, company, companyKnown, reference, same, none, verified rule
}

// placeRulesFor makes them for one operation.
func placeRulesFor(prefix string) placeRules {
	return placeRules{
		location:      rule{prefix + ".location-id", kernel.Spec, "a uuid", "send the id of a location"},
		locationKnown: rule{prefix + ".location-id-known", kernel.Assumed, "a location of this integration", "send the id of a location that one of your companies has"},
		company:       rule{prefix + ".company-id", kernel.Docs, "a uuid", "send the companyId that the company's creation answered"},
		companyKnown:  rule{prefix + ".company-id-known", kernel.Assumed, "a company of this integration", "send the companyId that the company's creation answered"},
		reference:     rule{prefix + ".company-reference-known", kernel.Assumed, "the reference of a company of this integration", "send the companyReferenceId with which the company was created"},
		same:          rule{prefix + ".company-same", kernel.Assumed, "the same company in locationId, companyId and companyReferenceId", "name one company, or leave all but one of the three out"},
		verified:      rule{prefix + ".company-verified", kernel.Assumed, "a company that is Verified", "wait for the verification: the event or the company's status tells"},
		none:          rule{prefix + ".company", kernel.Docs, "a company of this integration", "create a company first"},
	}
}

// place finds the company of a payment and whether it can collect; latitude,
// collect-unverified.
func (c *check) place(r *placeRules, locationID, companyID, reference string) (company, location uint32) {
	company, location = c.placed(r, locationID, companyID, reference)
	at := "/companyId"
	switch {
	case locationID != "":
		at = "/locationId"
	case companyID == "" && reference != "":
		at = "/companyReferenceId"
	}
	if company != 0 {
		c.verified(at, company, r.verified)
	}
	return company, location
}

// verified judges that a company can collect.
func (c *check) verified(at string, company uint32, r rule) {
	state := c.w.companies.At(company).state
	if state == CompanyVerified {
		return
	}
	if state == CompanyRejected {
		r.Fix = "no event will follow: a rejected company stays so; create it again, with data that can be verified"
	}
	if c.w.is(latitude.CollectUnverifiedRefused) {
		c.refuse(at, kernel.Quote(CompanyMachine.States[state]), r)
	} else {
		c.advise(at, kernel.Quote(CompanyMachine.States[state]), r)
	}
}

// placed finds the company of a payment: the location's, else the one that is
// named, else the default. Latitude, payment-company.
func (c *check) placed(r *placeRules, locationID, companyID, reference string) (company, location uint32) {
	if locationID == "" && companyID == "" && reference == "" {
		return c.defaultPlace(r), 0
	}
	if locationID != "" {
		if location = c.locationID(r, locationID); location != 0 {
			company = c.w.locations.At(location).company
		}
	}
	if companyID != "" {
		company = c.agree("/companyId", companyID, company, c.companyID(r, companyID), r.same)
	}
	if reference != "" {
		company = c.agree("/companyReferenceId", reference, company, c.companyReference(r, reference), r.same)
	}
	return company, location
}

// agree refuses a second company that is not the first; 0 is not known.
func (c *check) agree(pointer, value string, first, second uint32, same rule) uint32 {
	if first == 0 {
		return second
	}
	if second != 0 && second != first {
		c.refuse(pointer, kernel.Quote(value), same)
	}
	return first
}

func (c *check) defaultPlace(r *placeRules) uint32 {
	_, n, err := c.w.defaultCompany()
	if err != nil {
		c.refuse("/companyId", "", r.none)
	}
	return n
}

func (c *check) locationID(r *placeRules, value string) uint32 {
	return knownRow(c, &c.w.locations, "/locationId", value, r.location, r.locationKnown)
}

func (c *check) companyID(r *placeRules, value string) uint32 {
	return knownRow(c, &c.w.companies.Table, "/companyId", value, r.company, r.companyKnown)
}

func (c *check) companyReference(r *placeRules, value string) uint32 {
	_, n := c.w.companyByReference(value)
	if n == 0 {
		c.unknownID("/companyReferenceId", value, r.reference)
	}
	return n
}
