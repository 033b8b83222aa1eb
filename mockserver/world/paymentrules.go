package world

import (
	"slices"
	"time"

	"paysandbox/mockserver/kernel"
)

// feePayer says who bears the fee of a payment.
type feePayer uint8

// The fee payers; client is meant when nothing was sent.
const (
	feeClient feePayer = iota
	feePartner
	feeAsk // the payer chooses on the page
)

var feePayers = []string{"client", "partner", "ask"}

// Pack writes or reads a fee payer.
func (f *feePayer) Pack(k *kernel.Codec) {
	k.Num8s((*uint8)(f))
	k.Require(int(*f) < len(feePayers), "a fee payer")
}

// NewPayment is the body of a payment's creation. Specification, Payment request.
type NewPayment struct {
	// Amount is in cents, from 1 to 2^63-1.
	Amount *int64 `json:"amount" unit:"cents" required:"true" minimum:"1" example:"5000"`
	// LocationID names the location and with it the company.
	LocationID string `json:"locationId" format:"uuid" example:"0d9b6f9e-6a0a-4a53-8d3e-6f1f0e9d8c22"`
	// RegistrationID names the payer; without it ContactNumber or EmailAddress does.
	RegistrationID string `json:"registrationId" format:"uuid" example:"5f0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c33"`
	ContactNumber  string `json:"contactNumber" example:"+12025550123"`
	EmailAddress   string `json:"emailAddress" format:"email" example:"pat@example.com"`
	// CompanyID and CompanyReferenceID name the company in either way.
	CompanyID          string `json:"companyId" format:"uuid" example:"7b0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c11"`
	CompanyReferenceID string `json:"companyReferenceId" example:"loc-001"`
	Purpose
	// FeePayer is client, partner or ask; client when absent.
	FeePayer string `json:"feePayer" enum:"client,partner,ask" example:"client"`
	// Attachment is a file in base64, or the http or https address of one.
	Attachment string `json:"attachment" example:"https://partner.example.com/invoices/1001.pdf"`
	// DueDate is a date of the calendar as YYYY-MM-DD.
	DueDate string `json:"dueDate" format:"date" example:"2026-03-31"`
	// EnableDebitAuth asks the payer for a debit authorisation up to
	// DebitAuthLimit cents. EnableAutoPay and AutoPayLimit mean the same.
	EnableDebitAuth *bool  `json:"enableDebitAuth" example:"true"`
	DebitAuthLimit  *int64 `json:"debitAuthLimit" unit:"cents" minimum:"1" example:"10000"`
	EnableAutoPay   *bool  `json:"enableAutoPay" example:"true"`
	AutoPayLimit    *int64 `json:"autoPayLimit" unit:"cents" minimum:"1" example:"10000"`
	// ReturnURL is where the payer's browser goes afterwards.
	ReturnURL      string `json:"returnUrl" format:"uri" example:"https://partner.example.com/paid"`
	OneTimePayment *bool  `json:"oneTimePayment" example:"true"`
}

var (
	createPlace = placeRulesFor("payment.create")

	ruleAmountMissing = rule{"payment.create.amount", kernel.Docs, "a whole number of cents", "send amount; it is required"}
	ruleAmountRange   = rule{"payment.create.amount-range", kernel.Assumed, "a whole number of cents, 1 or more", "send the amount in cents, for example 5000 for 50.00"}
	ruleTarget        = rule{"payment.create.target", kernel.Docs, "registrationId, contactNumber or emailAddress", "name the payer by one of the three"}
	ruleTargetID      = rule{"payment.create.registration-id", kernel.Spec, "a uuid", "send the registrationId that the registration answered"}
	ruleTargetKnown   = rule{"payment.create.registration-id-known", kernel.Assumed, "a registration of this integration", "send the registrationId that the registration answered"}
	ruleContactNumber = rule{"payment.create.contact-number", kernel.Docs, "a valid telephone number", "send the number with its prefix, for example +12025550123"}
	ruleContactForm   = rule{"payment.create.contact-number-form", kernel.Docs, "a number in international format, without an extension", "send a plus, the country's code and the number, for example +12025550123"}
	ruleContactEmail  = rule{"payment.create.email", kernel.Docs, "a valid e-mail address", "send an address such as pat@example.com, or leave emailAddress out"}
	ruleFeePayer      = rule{"payment.create.fee-payer", kernel.Docs, "client, partner or ask", "send one of the three, or leave feePayer out"}
	ruleDueDate       = rule{"payment.create.due-date", kernel.Spec, "a date of the calendar as YYYY-MM-DD, before the year 2200", "send a day that exists, for example 2026-03-31"}
	ruleDuePast       = rule{"payment.create.due-date-past", kernel.Assumed, "today or a later day in Pacific time", "leave dueDate out to collect as soon as the payer agrees"}
	ruleReturnURL     = rule{"payment.create.return-url", kernel.Assumed, "an absolute http or https URL, or an app link, of at most 2,048 bytes", "send an address such as https://partner.example.com/paid, or leave returnUrl out"}
	ruleDebitSwitch   = rule{"payment.create.auto-pay", kernel.Spec, "the same as enableDebitAuth, whose alternative it is", "send enableDebitAuth and debitAuthLimit alone"}
	ruleDebitCents    = rule{"payment.create.auto-pay-limit", kernel.Spec, "the same as debitAuthLimit, whose alternative it is", "send enableDebitAuth and debitAuthLimit alone"}
	ruleLimitRange    = rule{"payment.create.debit-auth-limit", kernel.Assumed, "a whole number of cents, 1 or more", "send the highest amount of one debit in cents"}
	ruleLimitMissing  = rule{"payment.create.debit-auth-limit-missing", kernel.Docs, "a limit beside enableDebitAuth; without one the amount is taken", "send debitAuthLimit in cents"}
	ruleLimitUnused   = rule{"payment.create.debit-auth-limit-unused", kernel.Docs, "enableDebitAuth true beside a limit; without it nobody is asked", "send enableDebitAuth true, or leave the limit out"}
	ruleFile          = rule{"payment.create.attachment", kernel.Docs, "a file in base64, or an http or https URL of " + kernel.CallableForm, "encode the file with padding, or send an address such as https://partner.example.com/invoice.pdf"}
	ruleFilePDF       = rule{"payment.create.attachment-pdf", kernel.Docs, "a PDF", "send a PDF document"}
)

// newPayment judges every member of a payment request. Payer 0 of the order
// means that the contacts name the payer.
func (c *check) newPayment(req *NewPayment) (paymentOrder, file) {
	o := paymentOrder{payer: c.paymentPayer(req), texts: paymentTexts{
		Purpose: req.Purpose, returnURL: req.ReturnURL, phone: req.ContactNumber, email: req.EmailAddress,
	}}
	o.company, o.location = c.place(&createPlace, req.LocationID, req.CompanyID, req.CompanyReferenceID)
	o.amount = c.cents("/amount", req.Amount, ruleAmountMissing, ruleAmountRange)
	o.feePayer = c.feePayer("/feePayer", req.FeePayer, ruleFeePayer)
	f := c.file("/attachment", req.Attachment, ruleFile, ruleFilePDF)
	o.due = c.dueDate("/dueDate", req.DueDate, ruleDueDate, ruleDuePast)
	o.debitLimit = c.debitLimit(req, o.amount)
	c.browsable("/returnUrl", req.ReturnURL, ruleReturnURL)
	o.oneTime = isTrue(req.OneTimePayment)
	return o, f
}

// paymentPayer judges who is asked. Latitude, payment-target.
func (c *check) paymentPayer(req *NewPayment) uint32 {
	n := c.bodyPayer("/registrationId", req.RegistrationID, ruleTargetID, ruleTargetKnown)
	if req.ContactNumber != "" {
		c.phone("/contactNumber", req.ContactNumber, ruleContactNumber)
		c.international("/contactNumber", req.ContactNumber, ruleContactForm)
	}
	if req.EmailAddress != "" {
		c.email("/emailAddress", req.EmailAddress, ruleContactEmail)
	}
	if req.RegistrationID == "" && req.ContactNumber == "" && req.EmailAddress == "" && !c.Found("/registrationId", "/contactNumber", "/emailAddress") {
		c.refuse("", "", ruleTarget)
	}
	return n
}

// cents judges an amount that must be there.
func (c *check) cents(pointer string, amount *int64, missing, outside rule) int64 {
	switch {
	case amount == nil:
		c.refuse(pointer, "", missing)
		return 0
	case *amount < 1:
		c.refuse(pointer, number(*amount), outside)
	}
	return *amount
}

// feePayer reads who bears the fee; what is not known has a finding and counts
// as client.
func (c *check) feePayer(pointer, value string, r rule) feePayer {
	if value == "" {
		return feeClient
	}
	i := slices.IndexFunc(feePayers, func(name string) bool { return kernel.SameName(value, name) })
	if i >= 0 {
		return feePayer(i) //nolint:gosec // G115: one of three.
	}
	c.advise(pointer, kernel.Quote(value), r)
	return feeClient
}

// lastDueYear is the last year of due dates; timers end in 2262.
const lastDueYear = 2199

// dueDate reads an optional due date. A day that is over has a finding.
func (c *check) dueDate(pointer, value string, form, past rule) time.Time {
	d := c.date(pointer, value, form)
	switch {
	case d.Year() > lastDueYear:
		c.refuse(pointer, kernel.Quote(value), form)
	case !d.IsZero() && d.Before(pacificDate(c.w.Now())):
		c.advise(pointer, kernel.Quote(value), past)
	}
	return d
}

// debitLimit reads whether a debit authorisation is asked for, and up to which
// amount; 0 is no. Its members have alternatives that must not contradict them.
func (c *check) debitLimit(req *NewPayment, amount int64) int64 {
	enable, limit := req.EnableDebitAuth, req.DebitAuthLimit
	at := "/debitAuthLimit"
	if enable == nil {
		enable = req.EnableAutoPay
	} else if req.EnableAutoPay != nil && *req.EnableAutoPay != *enable {
		c.refuse("/enableAutoPay", truth(*req.EnableAutoPay), ruleDebitSwitch)
	}
	if limit == nil {
		limit, at = req.AutoPayLimit, "/autoPayLimit"
	} else if req.AutoPayLimit != nil && *req.AutoPayLimit != *limit {
		c.refuse("/autoPayLimit", number(*req.AutoPayLimit), ruleDebitCents)
	}
	return c.limit(at, isTrue(enable), limit, amount)
}

// limit judges the limit that goes with a wish for a debit authorisation.
func (c *check) limit(at string, enable bool, limit *int64, amount int64) int64 {
	switch {
	case limit == nil && enable:
		c.advise("/debitAuthLimit", "", ruleLimitMissing)
		return amount
	case limit == nil:
		return 0
	case !enable:
		c.advise(at, number(*limit), ruleLimitUnused)
		return 0
	}
	return c.cents(at, limit, ruleLimitMissing, ruleLimitRange)
}

func isTrue(b *bool) bool { return b != nil && *b }

func truth(b bool) string {
	if b {
		return "true"
	}
	return "false"
}
