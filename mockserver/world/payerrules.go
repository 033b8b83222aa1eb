package world

import (
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// NewRegistration is the body that registers a payer. Specification, User
// registration.
type NewRegistration struct {
	// RedirectURL is where the payer goes after the registration.
	RedirectURL string `json:"redirectUrl" required:"true" format:"uri" example:"https://partner.example.com/welcome"`
	// MobileNumber is E.164: a plus and at most 15 digits.
	MobileNumber string `json:"mobileNumber" pattern:"^\\+[1-9][0-9]{2,14}$" example:"+12025551234"`
	Email        string `json:"email" format:"email" example:"pat@example.com"`
	// ShortDescription is the purpose of the payment.
	ShortDescription string `json:"shortDescription" example:"Membership"`
	// Amount is in cents.
	Amount *int64 `json:"amount" unit:"cents" minimum:"1" example:"5000"`
	// Period is the payment frequency; once makes a single payment when the
	// registration is completed.
	Period string `json:"period" example:"once"`
}

// periodOnce is the only period whose meaning is known.
const periodOnce = "once"

var (
	ruleRedirect    = rule{"user.register.redirect-url", kernel.Spec, "the address where the payer goes after registration", "send redirectUrl; it is required"}
	ruleRedirectURL = rule{"user.register.redirect-url-form", kernel.Assumed, "an absolute http or https URL, or an app link, of at most 2,048 bytes", "send an address such as https://partner.example.com/welcome"}
	ruleMobile      = rule{"user.register.mobile-number", kernel.Spec, "an E.164 number: a plus and at most 15 digits", "send the number with its country code, for example +12025551234"}
	rulePayerEmail  = rule{"user.register.email", kernel.Assumed, "a valid e-mail address", "send an address such as pat@example.com, or leave email out"}
	ruleAmount      = rule{"user.register.amount", kernel.Assumed, "a whole number of cents, 1 or more", "send the amount in cents, or leave it out"}
	ruleCollects    = rule{"user.register.company-verified", kernel.Assumed, "a company that is Verified, to which the single payment can go", "wait for the verification: the event or the company's status tells"}
	rulePeriod      = rule{"user.register.period", kernel.Assumed, "once, the only period whose meaning is known", "send once for a single payment, or leave period out"}

	ruleOutcome = rule{"control.registration.outcome", kernel.Assumed, OutcomeRegistered + " or " + OutcomeKYCFailed, "send one of the two outcomes"}
	ruleBank    = rule{"control.registration.bank", kernel.Assumed, "a bank account of the test data with the four last digits of its number", "choose a bank persona or an account number of the test data"}
)

// knownEvent refuses the name of an event that a machine does not have.
func knownEvent(m *kernel.Machine, event string) error {
	events := m.Events()
	if slices.Contains(events, event) {
		return nil
	}
	return invalid("path:event", kernel.Given(event), rule{
		"control.event", kernel.Assumed, "an event of the " + m.Name + ": " + strings.Join(events, ", "), "send one of the events",
	})
}

// checkRegistration judges every member of a registration.
func (w *World) checkRegistration(req *NewRegistration, noted []kernel.Finding) error {
	c := w.check(noted)
	c.required("/redirectUrl", req.RedirectURL, ruleRedirect)
	c.browsable("/redirectUrl", req.RedirectURL, ruleRedirectURL)
	if req.MobileNumber != "" && !w.e164(req.MobileNumber) {
		c.refuse("/mobileNumber", kernel.Quote(req.MobileNumber), ruleMobile)
	}
	if req.Email != "" && !validEmail(req.Email) {
		c.advise("/email", kernel.Quote(req.Email), rulePayerEmail)
	}
	if req.Amount != nil && *req.Amount < 1 {
		c.refuse("/amount", number(*req.Amount), ruleAmount)
	}
	if req.Period != "" && req.Period != periodOnce {
		c.advise("/period", kernel.Quote(req.Period), rulePeriod)
	}
	if _, company, err := w.defaultCompany(); err == nil && w.paysItself(req.Amount, req.Period) {
		c.verified("/amount", company, ruleCollects)
	}
	return c.Err("the registration")
}

// number shows a received whole number.
func number(n int64) string { return strconv.FormatInt(n, 10) }

// browsable refuses an optional address that a browser cannot be sent to: neither a
// page nor an app.
func (c *check) browsable(pointer, value string, r rule) {
	if _, ok := kernel.WebAddress(value); value != "" && !ok && !kernel.AppLink(value) {
		c.refuse(pointer, kernel.GivenAddress(value), r)
	}
}

// unknownID refuses the id of something that this integration does not own, as
// Invalid or as NotFound; latitude, unknown-body-ids.
func (c *check) unknownID(pointer, value string, r rule) {
	code := kernel.Invalid
	if c.w.is(latitude.UnknownBodyIDsNotFound) {
		code = kernel.NotFound
	}
	c.refuseAs(code, pointer, kernel.Quote(value), r)
}

// bodyPayer finds the payer whom a body names.
func (c *check) bodyPayer(pointer, value string, form, known rule) uint32 {
	return knownRow(c, &c.w.payers.Table, pointer, value, form, known)
}

// knownRow finds the row that a body names by its id. 0 means that none is named, or
// that the check has a finding more.
func knownRow[T any](c *check, t *kernel.Table[T], pointer, value string, form, known rule) uint32 {
	id := c.id(pointer, value, form)
	_, n := t.Find(id)
	if n == 0 && id != uuid.Nil {
		c.unknownID(pointer, value, known)
	}
	return n
}
