package world

// ConsentEntry is one line of the list of consents.
type ConsentEntry struct {
	ConsentID      string `json:"consentId" format:"uuid" required:"true" example:"9c1d2e3f-4a5b-4c6d-8e7f-0a1b2c3d4e5f"`
	PaymentPlanID  string `json:"paymentPlanId" format:"uuid" required:"true" example:"5d0f8a1c-6c3e-4d1b-9a57-2f4b8c6e7d90"`
	RegistrationID string `json:"registrationId" format:"uuid" required:"true" example:"b2d7e4a8-91c6-4f0b-8e35-7a4c1d9f6e23"`
	// Status is Pending or Accepted: the others are not listed.
	Status string `json:"status" required:"true" enum:"Pending,Accepted" example:"Accepted"`
}

// ConsentList is the answer to the list of consents.
type ConsentList struct {
	// Consents are those that are Pending or Accepted, oldest first.
	Consents []ConsentEntry `json:"consents" required:"true" nullable:"false"`
}

// ListConsents lists the consents that are Pending or Accepted, of a plan and of
// a payer where these are named. Errors: NotFound for an unknown plan or payer.
// Specification, Versioning (v0.4.3).
func (w *World) ListConsents(planID, registrationID string) (ConsentList, error) {
	list := ConsentList{Consents: []ConsentEntry{}}
	keep := func(c *consent) {
		if c.live() {
			list.Consents = append(list.Consents, w.consentEntry(c))
		}
	}
	if err := w.eachConsent(planID, registrationID, keep); err != nil {
		return ConsentList{}, err
	}
	return ConsentList{Consents: ordered(w, list.Consents)}, nil
}

// eachConsent walks the consents of a plan, of a payer, of both or of all, in
// the order of their creation, along the chain that is there.
func (w *World) eachConsent(planID, registrationID string, do func(*consent)) error {
	var planN, payerN uint32
	var p *plan
	var err error
	if planID != "" {
		if p, planN, err = w.plan(planID); err != nil {
			return err
		}
	}
	if registrationID != "" {
		if _, payerN, err = w.payer(registrationID); err != nil {
			return err
		}
	}
	switch {
	case payerN != 0:
		for n := w.consents.ofPayer[payerN].first; n != 0; n = w.consents.At(n).nextOfPayer {
			if c := w.consents.At(n); planN == 0 || c.plan == planN {
				do(c)
			}
		}
	case planN != 0:
		for n := p.firstConsent; n != 0; n = w.consents.At(n).nextOfPlan {
			do(w.consents.At(n))
		}
	default:
		for _, c := range w.consents.All() {
			do(c)
		}
	}
	return nil
}

func (w *World) consentEntry(c *consent) ConsentEntry {
	return ConsentEntry{
		ConsentID: c.id.String(), PaymentPlanID: w.plans.At(c.plan).id.String(),
		RegistrationID: w.payers.At(c.payer).id.String(), Status: ConsentMachine.States[c.state],
	}
}

// Consent is a payer's consent to a plan as the service returns it.
type Consent struct {
	ConsentID      string `json:"consentId" format:"uuid" required:"true" example:"9c1d2e3f-4a5b-4c6d-8e7f-0a1b2c3d4e5f"`
	PaymentPlanID  string `json:"paymentPlanId" format:"uuid" required:"true" example:"5d0f8a1c-6c3e-4d1b-9a57-2f4b8c6e7d90"`
	RegistrationID string `json:"registrationId" format:"uuid" required:"true" example:"b2d7e4a8-91c6-4f0b-8e35-7a4c1d9f6e23"`
	Status         string `json:"status" required:"true" enum:"Pending,Accepted,Declined,Revoked" example:"Pending"`
	// Plan is what the payer agrees to.
	Plan PlanTerms `json:"plan" required:"true"`
	// RecipientCompany is who is paid. Specification, Versioning (v0.4.2).
	RecipientCompany RecipientCompany `json:"recipientCompany" required:"true"`
}

// RecipientCompany is the company that a plan pays.
type RecipientCompany struct {
	Name          string  `json:"name" required:"true" example:"Fit Gym"`
	ContactNumber string  `json:"contactNumber" required:"true" example:"+12025550123"`
	EmailAddress  string  `json:"emailAddress" format:"email" required:"true" example:"office@fitgym.example.com"`
	WebsiteURL    *string `json:"websiteUrl" required:"true" example:"https://fitgym.example.com"`
	Address       Address `json:"address" required:"true"`
}

// ReadConsent gives one consent, whatever its status. Errors: NotFound.
func (w *World) ReadConsent(id string) (Consent, error) {
	c, err := w.consent(id)
	if err != nil {
		return Consent{}, err
	}
	p := w.plans.At(c.plan)
	return Consent{
		ConsentID: c.id.String(), PaymentPlanID: p.id.String(), RegistrationID: w.payers.At(c.payer).id.String(),
		Status: ConsentMachine.States[c.state], Plan: w.planTerms(p), RecipientCompany: w.recipient(w.companies.At(p.company)),
	}, nil
}

func (w *World) recipient(c *company) RecipientCompany {
	var t NewCompany
	w.texts.Unpack(c.details, &t)
	return RecipientCompany{
		Name: w.texts.String(c.name), ContactNumber: t.ContactNumber, EmailAddress: t.EmailAddress, WebsiteURL: optional(t.WebsiteURL),
		Address: Address{
			StreetNumberAndName: t.StreetNumberAndName, ApartmentNumber: t.ApartmentNumber,
			City: t.City, ZipCode: t.ZipCode, State: t.State, Country: country,
		},
	}
}

// ConsentView is what the hosted consent page shows.
type ConsentView struct {
	Consent
	// PlanStatus is the state of the plan, Every its interval in words.
	PlanStatus, Every string
	// Purpose is what the plan is for, "" when nobody said.
	Purpose string
	// Phone and Email are the payer's, "" where unknown.
	Phone, Email string
	// AccountMask is nil while the payer has linked no account.
	AccountMask *string
	// Open is true while the payer can accept.
	Open bool
}

// ConsentView gives what the hosted consent page shows. Errors: NotFound.
func (w *World) ConsentView(id string) (ConsentView, error) {
	c, err := w.consent(id)
	if err != nil {
		return ConsentView{}, err
	}
	view, err := w.ReadConsent(id)
	p, u := w.plans.At(c.plan), w.payers.At(c.payer)
	return ConsentView{
		Consent: view, PlanStatus: PlanMachine.States[p.state], Every: p.every(), Purpose: w.planPurpose(p),
		Phone: w.texts.String(u.phone), Email: w.texts.String(u.email), AccountMask: w.accountMask(u),
		Open: c.state == ConsentPending && !p.ended(),
	}, err
}
