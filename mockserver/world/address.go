package world

import (
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// Address is a postal address in the United States, as the service returns it.
type Address struct {
	StreetNumberAndName string `json:"streetNumberAndName" example:"415 Grand Ave"`
	ApartmentNumber     string `json:"apartmentNumber" example:"Suite 2"`
	City                string `json:"city" example:"Oakland"`
	ZipCode             string `json:"zipCode" example:"94610"`
	State               string `json:"state" example:"CA"`
	// Country is always US: the specification names no other.
	Country string `json:"country" example:"US"`
}

// addressRules are the rules of one kind of address.
type addressRules struct{ street, city, state, zip rule }

// rulesFor makes the address rules of a body; prefix names the clauses
// ("company.create", "company.create.owner").
func rulesFor(prefix string) addressRules {
	return addressRules{
		street: rule{prefix + ".street", kernel.Docs, "a street with its number", "send streetNumberAndName"},
		city:   rule{prefix + ".city", kernel.Docs, "a city", "send city"},
		state: rule{
			prefix + ".state", kernel.Spec, "a two-letter uppercase abbreviation",
			"send the state's abbreviation in capitals, for example CA",
		},
		zip: rule{
			prefix + ".zip", kernel.Spec, "five digits, optionally a hyphen and four more",
			"send a US zip code, for example 94610 or 94610-1234",
		},
	}
}

// address judges the address members that a company, its owner and a location
// share. at is the JSON pointer of the object that holds them.
func (c *check) address(at string, r *addressRules, street, city, state, zip string) {
	if blank(street) {
		c.wanted(at+"/streetNumberAndName", street, r.street)
	}
	if blank(city) {
		c.wanted(at+"/city", city, r.city)
	}
	if !validState(state) {
		c.refuse(at+"/state", kernel.Given(state), r.state)
	}
	if !validZip(zip, !c.w.is(latitude.ZipPlusFourOnly)) {
		c.refuse(at+"/zipCode", kernel.Given(zip), r.zip)
	}
}
