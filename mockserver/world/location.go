package world

import (
	"slices"

	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// location is the row of a location; its texts are packed.
type location struct {
	id            uuid.UUID
	company, next uint32
	texts         kernel.Text
}

// Pack lists the fields of a location.
func (l *location) Pack(k *kernel.Codec) {
	k.ID(&l.id)
	k.Rows(toCompany, &l.company)
	k.Later(toLocation, &l.next)
	k.Texts(&l.texts)
}

// NewLocation is the body that adds a location to a company.
type NewLocation struct {
	Name                string `json:"name" example:"Downtown"`
	StreetNumberAndName string `json:"streetNumberAndName" example:"100 Main St"`
	ApartmentNumber     string `json:"apartmentNumber" example:"Floor 1"`
	ZipCode             string `json:"zipCode" required:"true" pattern:"^[0-9]{5}(-([0-9]{4})?)?$" example:"94607"`
	City                string `json:"city" example:"Oakland"`
	State               string `json:"state" required:"true" pattern:"^[A-Z]{2}$" example:"CA"`
}

// Pack writes or reads the texts that are kept.
func (l *NewLocation) Pack(k *kernel.Codec) {
	k.Strs(&l.Name, &l.StreetNumberAndName, &l.ApartmentNumber, &l.ZipCode, &l.City, &l.State)
}

var (
	locationAddress  = rulesFor("location")
	ruleLocationName = rule{"location.name", kernel.Docs, "the location's name", "send name"}
)

// location judges one location; at is its JSON pointer.
func (c *check) location(at string, l *NewLocation) {
	if blank(l.Name) {
		c.wanted(at+"/name", l.Name, ruleLocationName)
	}
	c.address(at, &locationAddress, l.StreetNumberAndName, l.City, l.State, l.ZipCode)
}

// LocationCreated is the answer to a new location.
type LocationCreated struct {
	LocationID string `json:"locationId" format:"uuid" required:"true" example:"0d9b6f9e-6a0a-4a53-8d3e-6f1f0e9d8c22"`
}

// AddLocation adds a location to a company.
func (w *World) AddLocation(ref string, req *NewLocation, noted ...kernel.Finding) (LocationCreated, error) {
	c := w.check(noted)
	_, n, err := w.pathCompany(ref)
	if err != nil {
		return LocationCreated{}, c.Stop(err)
	}
	c.location("", req)
	if err := c.Err("the location"); err != nil {
		return LocationCreated{}, err
	}
	return LocationCreated{LocationID: w.addLocation(n, req).String()}, nil
}

// addLocation keeps a location that has been judged.
func (w *World) addLocation(company uint32, req *NewLocation) uuid.UUID {
	id := w.core.NewID("location")
	_, n := w.locations.Add(id, location{id: id, company: company, texts: w.texts.KeepPacked(req)})
	c := w.companies.At(company)
	kernel.Chain(&c.firstLocation, &c.lastLoc, n, func(row uint32) *uint32 { return &w.locations.At(row).next })
	return id
}

// LocationEntry is one location as the service returns it.
type LocationEntry struct {
	ID      string  `json:"id" format:"uuid" required:"true" example:"0d9b6f9e-6a0a-4a53-8d3e-6f1f0e9d8c22"`
	Name    string  `json:"name" required:"true" example:"Downtown"`
	Address Address `json:"address" required:"true"`
}

// LocationList is the answer to the list of a company's locations.
type LocationList struct {
	// Locations are the company's locations, oldest first.
	Locations []LocationEntry `json:"locations" required:"true" nullable:"false"`
}

// ListLocations lists the locations of a company.
func (w *World) ListLocations(ref string) (LocationList, error) {
	c, _, err := w.pathCompany(ref)
	if err != nil {
		return LocationList{}, err
	}
	count := 0
	for n := c.firstLocation; n != 0; n = w.locations.At(n).next {
		count++
	}
	list := LocationList{Locations: make([]LocationEntry, 0, count)}
	for n := c.firstLocation; n != 0; n = w.locations.At(n).next {
		list.Locations = append(list.Locations, w.locationEntry(w.locations.At(n)))
	}
	return LocationList{Locations: ordered(w, list.Locations)}, nil
}

func (w *World) locationEntry(l *location) LocationEntry {
	var t NewLocation
	w.texts.Unpack(l.texts, &t)
	return LocationEntry{ID: l.id.String(), Name: t.Name, Address: Address{
		StreetNumberAndName: t.StreetNumberAndName, ApartmentNumber: t.ApartmentNumber,
		City: t.City, ZipCode: t.ZipCode, State: t.State, Country: country,
	}}
}

// country of every address; latitude, country.
const country = "US"

// ordered gives a list in the order that the ledger chooses.
func ordered[T any](w *World, list []T) []T {
	if w.is(latitude.ListOrderReversed) {
		slices.Reverse(list)
	}
	return list
}
