package world

import (
	"strconv"
	"strings"

	"paysandbox/fixtures"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// NewCompany is the body of a company's creation. Specification, Company.
type NewCompany struct {
	// CompanyReferenceID is the caller's own name for the company, unique in
	// the integration.
	CompanyReferenceID  string `json:"companyReferenceId" required:"true" example:"loc-001"`
	Name                string `json:"name" example:"Fit Gym"`
	EmailAddress        string `json:"emailAddress" required:"true" format:"email" example:"office@fitgym.example.com"`
	TaxID               string `json:"taxId" mask:"true" example:"12-3456789"`
	TaxIDType           string `json:"taxIdType" known:"EIN,TIN,SSN" example:"EIN"`
	StreetNumberAndName string `json:"streetNumberAndName" example:"415 Grand Ave"`
	ApartmentNumber     string `json:"apartmentNumber" example:"Suite 2"`
	ZipCode             string `json:"zipCode" required:"true" pattern:"^[0-9]{5}(-([0-9]{4})?)?$" example:"94610"`
	City                string `json:"city" example:"Oakland"`
	State               string `json:"state" required:"true" pattern:"^[A-Z]{2}$" example:"CA"`
	ContactNumber       string `json:"contactNumber" required:"true" example:"+12025550123"`
	WebsiteURL          string `json:"websiteUrl" example:"https://fitgym.example.com"`
	// CompanyType is matched whatever its case.
	CompanyType string        `json:"companyType" required:"true" known:"SoleProprietorship,NonProfit,ForProfit,Corporation,LLC,Partnership" example:"ForProfit"`
	Owner       *Owner        `json:"owner" required:"true"`
	Employees   []Employee    `json:"employees"`
	Locations   []NewLocation `json:"locations"`
}

// Owner is the person who owns a company.
type Owner struct {
	Name           string `json:"name" example:"Dana Reyes"`
	EmailAddress   string `json:"emailAddress" required:"true" format:"email" example:"dana@fitgym.example.com"`
	ContactNumber  string `json:"contactNumber" required:"true" example:"+12025550124"`
	Title          string `json:"title" example:"Owner"`
	DocumentNumber string `json:"documentNumber" mask:"true" example:"D1234567"`
	DocumentType   string `json:"documentType" known:"DriverLicense,Passport,StateId" example:"DriverLicense"`
	// SSN is the last four digits of the social security number.
	SSN                 string `json:"ssn" mask:"true" required:"true" pattern:"^[0-9]{4}$" example:"6789"`
	DateOfBirth         string `json:"dateOfBirth" format:"date" example:"1980-02-29"`
	StreetNumberAndName string `json:"streetNumberAndName" example:"12 Lake St"`
	ApartmentNumber     string `json:"apartmentNumber" example:"4B"`
	ZipCode             string `json:"zipCode" required:"true" pattern:"^[0-9]{5}(-([0-9]{4})?)?$" example:"94606"`
	City                string `json:"city" example:"Oakland"`
	State               string `json:"state" required:"true" pattern:"^[A-Z]{2}$" example:"CA"`
}

// Employee is a person who works for a company. All four members are required.
type Employee struct {
	Name          string `json:"name" required:"true" example:"Lee Chan"`
	EmailAddress  string `json:"emailAddress" required:"true" format:"email" example:"lee@fitgym.example.com"`
	ContactNumber string `json:"contactNumber" required:"true" example:"+12025550125"`
	Title         string `json:"title" required:"true" example:"Manager"`
}

// Pack writes or reads the texts that are kept. What is struck from the tape is not:
// whoever applies the call again sees it struck, and must come to the same.
func (c *NewCompany) Pack(k *kernel.Codec) {
	k.Strs(&c.EmailAddress, &c.TaxIDType, &c.StreetNumberAndName, &c.ApartmentNumber, &c.ZipCode,
		&c.City, &c.State, &c.ContactNumber, &c.WebsiteURL, &c.CompanyType)
	if k.Reading() {
		c.Owner = &Owner{}
	}
	o := c.Owner
	k.Strs(&o.Name, &o.EmailAddress, &o.ContactNumber, &o.Title, &o.DocumentType, &o.DateOfBirth,
		&o.StreetNumberAndName, &o.ApartmentNumber, &o.ZipCode, &o.City, &o.State)
	kernel.PackList(k, &c.Employees)
}

// Pack writes or reads the texts that are kept.
func (e *Employee) Pack(k *kernel.Codec) {
	k.Strs(&e.Name, &e.EmailAddress, &e.ContactNumber, &e.Title)
}

// The accepted values of a company's members. The company types beside
// ForProfit and the tax id types were published outside the specification.
var (
	companyTypes = []string{"SoleProprietorship", "NonProfit", "ForProfit", "Corporation", "LLC", "Partnership"}
	taxIDTypes   = []string{"EIN", "TIN", "SSN"}
)

var (
	companyAddress = rulesFor("company.create")
	ownerAddress   = rulesFor("company.create.owner")

	ruleReference     = rule{"company.create.reference", kernel.Spec, "your own name for the company", "send companyReferenceId; it is required"}
	ruleReferenceOnce = rule{"company.create.reference-unique", kernel.Docs, "a reference that no other company of yours has", "choose another companyReferenceId, or use the company that has this one"}
	ruleName          = rule{"company.create.name", kernel.Docs, "the company's name", "send name"}
	ruleKYBPrefix     = rule{"company.create.kyb-prefix", kernel.Assumed, "a known test prefix", "use a documented prefix, or a name that does not start with KYB"}
	ruleCompanyEmail  = rule{"company.create.email", kernel.Spec, "a valid e-mail address", "send an address such as office@example.com"}
	ruleCompanyPhone  = rule{"company.create.contact-number", kernel.Spec, "a valid telephone number", "send the number with its prefix, for example +12025550123"}
	ruleCompanyType   = rule{"company.create.type", kernel.Spec, "SoleProprietorship, NonProfit, ForProfit, Corporation, LLC or Partnership, in any case", "send one of the accepted company types"}
	ruleTaxID         = rule{"company.create.tax-id", kernel.Docs, "the company's tax id", "send taxId"}
	ruleTaxIDType     = rule{"company.create.tax-id-type", kernel.Docs, "EIN, TIN or SSN", "send one of the three types"}
	ruleOwner         = rule{"company.create.owner", kernel.Spec, "an owner object", "send owner with its members"}
	ruleOwnerName     = rule{"company.create.owner-name", kernel.Docs, "the owner's name", "send owner.name"}
	ruleOwnerEmail    = rule{"company.create.owner-email", kernel.Spec, "a valid e-mail address", "send an address such as owner@example.com"}
	ruleOwnerUnique   = rule{"company.create.owner-email-unique", kernel.Spec, "an address that no employee has", "give the owner or the employee another address"}
	ruleOwnerPhone    = rule{"company.create.owner-contact-number", kernel.Spec, "a valid telephone number", "send the number with its prefix, for example +12025550123"}
	ruleOwnerSSN      = rule{"company.create.owner-ssn", kernel.Spec, "exactly four digits", "send the last four digits of the social security number as a string"}
	ruleOwnerBirth    = rule{"company.create.owner-date-of-birth", kernel.Spec, "a date of the calendar as YYYY-MM-DD", "send a day that exists, for example 1980-02-29"}
	ruleOwnerBorn     = rule{"company.create.owner-date-of-birth-required", kernel.Docs, "the owner's date of birth", "send owner.dateOfBirth as YYYY-MM-DD"}
	ruleEmployeeField = rule{"company.create.employee-fields", kernel.Spec, "a text: an employee has name, emailAddress, contactNumber and title", "send all four members, or leave the employee out"}
	ruleEmployeeEmail = rule{"company.create.employee-email", kernel.Spec, "a valid e-mail address", "send an address such as lee@example.com"}
	ruleEmployeeOnce  = rule{"company.create.employee-email-unique", kernel.Spec, "an address that no other employee has", "give each employee an address of their own"}
	ruleEmployeePhone = rule{"company.create.employee-contact-number", kernel.Spec, "a valid telephone number", "send the number with its prefix, for example +12025550123"}
)

// checkCompany judges every member of a new company.
func (w *World) checkCompany(req *NewCompany, noted []kernel.Finding) error {
	c := w.check(noted)
	c.companyItself(req)
	c.address("", &companyAddress, req.StreetNumberAndName, req.City, req.State, req.ZipCode)
	if req.Owner == nil {
		c.required("/owner", "", ruleOwner)
	} else {
		c.owner(req.Owner)
	}
	seen := make(map[string]bool, len(req.Employees))
	for i := range req.Employees {
		c.employee(req, i, seen)
	}
	for i := range req.Locations {
		c.location("/locations/"+strconv.Itoa(i), &req.Locations[i])
	}
	return c.Err("the company")
}

func (c *check) companyItself(req *NewCompany) {
	c.named("/companyReferenceId", req.CompanyReferenceID, ruleReference)
	if _, n := c.w.companyByReference(req.CompanyReferenceID); n != 0 {
		code := kernel.Invalid
		if c.w.is(latitude.DuplicateReferenceConflict) {
			code = kernel.Conflict
		}
		c.refuseAs(code, "/companyReferenceId", kernel.Quote(req.CompanyReferenceID), ruleReferenceOnce)
	}
	c.wanted("/name", req.Name, ruleName)
	if _, err := fixtures.KYBOutcome(req.Name); err != nil {
		c.refuse("/name", kernel.Quote(req.Name), taught(ruleKYBPrefix, err))
	}
	c.email("/emailAddress", req.EmailAddress, ruleCompanyEmail)
	c.phone("/contactNumber", req.ContactNumber, ruleCompanyPhone)
	c.wanted("/taxId", req.TaxID, ruleTaxID)
	if _, ok := kernel.OneOf(req.TaxIDType, taxIDTypes); !ok {
		c.advise("/taxIdType", kernel.Given(req.TaxIDType), ruleTaxIDType)
	}
	if _, ok := kernel.OneOf(req.CompanyType, companyTypes); !ok {
		c.refuse("/companyType", kernel.Given(req.CompanyType), ruleCompanyType)
	}
}

func (c *check) owner(o *Owner) {
	c.wanted("/owner/name", o.Name, ruleOwnerName)
	c.email("/owner/emailAddress", o.EmailAddress, ruleOwnerEmail)
	c.phone("/owner/contactNumber", o.ContactNumber, ruleOwnerPhone)
	if len(o.SSN) != 4 || !allDigits(o.SSN) {
		received := ""
		if o.SSN != "" {
			received = kernel.Masked
		}
		c.refuse("/owner/ssn", received, ruleOwnerSSN)
	}
	c.wanted("/owner/dateOfBirth", o.DateOfBirth, ruleOwnerBorn)
	c.date("/owner/dateOfBirth", o.DateOfBirth, ruleOwnerBirth)
	c.address("/owner", &ownerAddress, o.StreetNumberAndName, o.City, o.State, o.ZipCode)
}

func (c *check) employee(req *NewCompany, i int, seen map[string]bool) {
	e := &req.Employees[i]
	at := func(member string) string { return "/employees/" + strconv.Itoa(i) + "/" + member }
	if strings.TrimSpace(e.Name) == "" {
		c.named(at("name"), e.Name, ruleEmployeeField)
	}
	if strings.TrimSpace(e.Title) == "" {
		c.named(at("title"), e.Title, ruleEmployeeField)
	}
	if e.ContactNumber == "" {
		c.refuse(at("contactNumber"), "", ruleEmployeeField)
	} else if !c.w.validPhone(e.ContactNumber) {
		c.refuse(at("contactNumber"), kernel.Quote(e.ContactNumber), ruleEmployeePhone)
	}
	switch {
	case e.EmailAddress == "":
		c.refuse(at("emailAddress"), "", ruleEmployeeField)
	case !validEmail(e.EmailAddress):
		c.refuse(at("emailAddress"), kernel.Quote(e.EmailAddress), ruleEmployeeEmail)
	default:
		c.employeeEmail(req, i, seen)
	}
}

// employeeEmail compares an employee's address with the owner's and with those
// seen before; letter case makes no difference.
func (c *check) employeeEmail(req *NewCompany, i int, seen map[string]bool) {
	email := req.Employees[i].EmailAddress
	if req.Owner != nil && strings.EqualFold(email, req.Owner.EmailAddress) {
		c.refuse("/owner/emailAddress", kernel.Quote(req.Owner.EmailAddress), ruleOwnerUnique)
	}
	key := strings.ToLower(email)
	if seen[key] {
		c.refuse("/employees/"+strconv.Itoa(i)+"/emailAddress", kernel.Quote(email), ruleEmployeeOnce)
	}
	seen[key] = true
}
