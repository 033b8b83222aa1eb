package world

import (
	"cmp"

	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
)

// The states of a payer's consent.
const (
	ConsentPending kernel.State = iota + 1
	ConsentAccepted
	ConsentDeclined
	ConsentRevoked
)

// ConsentMachine moves a payer's consent to a plan. Specification, States and
// transitions.
var ConsentMachine = kernel.Machine{
	Name:   "consent",
	States: []string{"", "Pending", "Accepted", "Declined", "Revoked"},
	Moves: []kernel.Move{
		{Event: "create", To: ConsentPending},
		{Event: "accept", From: ConsentPending, To: ConsentAccepted},
		{Event: "decline", From: ConsentPending, To: ConsentDeclined},
		{Event: "decline", From: ConsentAccepted, To: ConsentRevoked},
	},
}

// consents are the payers' consents, also by payer and by plan with payer.
type consents struct {
	kernel.Table[consent]
	ofPayer map[uint32]ends
	newest  map[membership]uint32
}

// Pack lists what consents are.
func (s *consents) Pack(k *kernel.Codec) {
	kernel.PackTable(k, &s.Table, func(row *consent) uuid.UUID { return row.id })
	kernel.PackMap(k, &s.ofPayer, cmp.Compare[uint32], func(payer *uint32, e *ends) {
		k.Rows(toPayer, payer)
		k.Rows(toConsent, &e.first, &e.last)
	})
	kernel.PackMap(k, &s.newest, membership.compare, func(m *membership, n *uint32) {
		k.Rows(toPlan, &m.plan)
		k.Rows(toPayer, &m.payer)
		k.Rows(toConsent, n)
	})
}

// ends are the first and the last row of a chain.
type ends struct{ first, last uint32 }

// membership is a payer in a plan, by row numbers.
type membership struct{ plan, payer uint32 }

func (m membership) compare(o membership) int {
	return cmp.Or(cmp.Compare(m.plan, o.plan), cmp.Compare(m.payer, o.payer))
}

// consent is the row of a payer's consent to a plan.
type consent struct {
	id                      uuid.UUID
	created                 int64
	plan, payer             uint32
	nextOfPlan, nextOfPayer uint32
	failures                uint32 // payments in a row that were not fulfilled
	state                   kernel.State
}

// Pack lists the fields of a consent.
func (c *consent) Pack(k *kernel.Codec) {
	k.ID(&c.id)
	k.Ints(&c.created)
	k.Rows(toPlan, &c.plan)
	k.Rows(toPayer, &c.payer)
	k.Later(toConsent, &c.nextOfPlan)
	k.Later(toConsent, &c.nextOfPayer)
	k.Num32s(&c.failures)
	k.State(&c.state, &ConsentMachine)
}

// live says whether a consent is listed: Pending or Accepted.
func (c *consent) live() bool { return c.state == ConsentPending || c.state == ConsentAccepted }

// PlanPayerAdded is the answer when a payer is asked to join a plan.
type PlanPayerAdded struct {
	ConsentID      string `json:"consentId" format:"uuid" required:"true" example:"9c1d2e3f-4a5b-4c6d-8e7f-0a1b2c3d4e5f"`
	RegistrationID string `json:"registrationId" format:"uuid" required:"true" example:"b2d7e4a8-91c6-4f0b-8e35-7a4c1d9f6e23"`
	// URL is the page on which the payer answers.
	URL string `json:"url" format:"uri" required:"true" example:"http://127.0.0.1:8484/pages/default/consent/9c1d2e3f-4a5b-4c6d-8e7f-0a1b2c3d4e5f"`
}

// AddPlanPayer asks a payer to consent to a plan. A payer whose consent is
// Pending or Accepted is not asked again: the answer is the consent that exists.
// Errors: NotFound, Invalid, and IllegalTransition for a plan that has ended.
func (w *World) AddPlanPayer(planID string, req *NewPlanPayer, noted ...kernel.Finding) (PlanPayerAdded, error) {
	c := w.check(noted)
	p, n, err := w.plan(planID)
	if err != nil {
		return PlanPayerAdded{}, c.Stop(err)
	}
	payer := c.planPayer("registrationId", req.RegistrationID, req.PhoneNumber)
	if payer == 0 && req.RegistrationID == "" {
		payer, _ = w.payerByContact(req.PhoneNumber, "")
	}
	old := w.liveConsent(n, payer)
	if old != nil {
		c.advise("/registrationId", kernel.Quote("consent "+old.id.String()), rulePlanPayerOnce)
	}
	if err := c.Err("the payer of the plan"); err != nil {
		return PlanPayerAdded{}, err
	}
	if p.ended() {
		return PlanPayerAdded{}, PlanMachine.Refusal(p.id, p.state, "add-payer")
	}
	if old != nil {
		return w.planPayerAdded(old), nil
	}
	if payer == 0 {
		payer = w.contactPayer(req.PhoneNumber, "")
	}
	return w.planPayerAdded(w.askConsent(n, payer)), nil
}

// ended says whether a plan has reached a final state.
func (p *plan) ended() bool { return p.state == PlanCanceled || p.state == PlanCompleted }

func (w *World) planPayerAdded(c *consent) PlanPayerAdded {
	id := c.id.String()
	return PlanPayerAdded{ConsentID: id, RegistrationID: w.payers.At(c.payer).id.String(), URL: w.pageURL(PageConsent, id)}
}

// askConsent makes a Pending consent and tells the payer.
func (w *World) askConsent(planN, payerN uint32) *consent {
	row := consent{id: w.core.NewID("consent"), created: w.core.Now(), plan: planN, payer: payerN}
	c, n := w.consents.Add(row.id, row)
	w.chainConsent(n, c)
	w.mustMove(w.stepConsent(c, "create", ""))
	p := w.plans.At(planN)
	w.tellPayer(w.payers.At(payerN), c.id, "consent-request", kernel.Value{Name: "link", Text: w.pageURL(PageConsent, c.id.String())},
		kernel.Value{Name: "company", Text: w.texts.String(w.companies.At(p.company).name)}, kernel.Value{Name: "amount", Text: Dollars(p.amount)},
		kernel.Value{Name: "purpose", Text: w.planPurpose(p)}, kernel.Value{Name: "interval", Text: p.every()})
	return c
}

// planPurpose is what a payer is told that a plan is for.
func (w *World) planPurpose(p *plan) string {
	var t planTexts
	w.texts.Unpack(p.texts, &t)
	if t.shortDescription != "" {
		return t.shortDescription
	}
	return t.name
}

// chainConsent makes a consent findable by its plan and its payer.
func (w *World) chainConsent(n uint32, c *consent) {
	s := &w.consents
	if s.ofPayer == nil {
		s.ofPayer, s.newest = map[uint32]ends{}, map[membership]uint32{}
	}
	p := w.plans.At(c.plan)
	kernel.Chain(&p.firstConsent, &p.lastConsent, n, func(row uint32) *uint32 { return &s.At(row).nextOfPlan })
	chain := s.ofPayer[c.payer]
	kernel.Chain(&chain.first, &chain.last, n, func(row uint32) *uint32 { return &s.At(row).nextOfPayer })
	s.ofPayer[c.payer] = chain
	s.newest[membership{c.plan, c.payer}] = n
}

// liveConsent is the Pending or Accepted consent of a payer to a plan, or nil.
func (w *World) liveConsent(planN, payerN uint32) *consent {
	if n := w.consents.newest[membership{planN, payerN}]; n != 0 && w.consents.At(n).live() {
		return w.consents.At(n)
	}
	return nil
}

// RemovePlanPayer takes a payer out of a plan: the consent is Declined or
// Revoked. Errors: NotFound, also for a payer who is not in the plan.
func (w *World) RemovePlanPayer(planID, registrationID string) error {
	_, planN, err := w.plan(planID)
	if err != nil {
		return err
	}
	_, payerN, err := w.payer(registrationID)
	if err != nil {
		return err
	}
	c := w.liveConsent(planN, payerN)
	if c == nil {
		return kernel.NoSuch("payer of the plan "+planID+" with the registration", registrationID)
	}
	return w.stepConsent(c, "decline", "taken out of the plan by the partner")
}

// consent finds a consent by its id.
func (w *World) consent(id string) (*consent, error) {
	c, _, err := w.consents.Lookup("consent", id)
	return c, err
}

// AcceptConsent is the payer's yes, on the hosted page or by control call. A
// plan that was made for this one payer becomes Active. Errors: NotFound, and
// IllegalTransition for a consent that is not Pending or a plan that has ended.
func (w *World) AcceptConsent(id string) error {
	c, err := w.consent(id)
	if err != nil {
		return err
	}
	p := w.plans.At(c.plan)
	if c.state == ConsentPending && p.ended() {
		return PlanMachine.Refusal(p.id, p.state, "accept-consent")
	}
	if err := w.stepConsent(c, "accept", "the payer accepted"); err != nil {
		return err
	}
	if p.alone && p.state == PlanDraft {
		return w.activate(c.plan, "its payer accepted")
	}
	return nil
}

// DeclineConsent declines a Pending consent and revokes an Accepted one.
// Errors: NotFound, and IllegalTransition from the two final states.
func (w *World) DeclineConsent(id string) error {
	c, err := w.consent(id)
	if err != nil {
		return err
	}
	return w.stepConsent(c, "decline", "the payer declined")
}

// stepConsent moves a consent and counts it for its plan.
func (w *World) stepConsent(c *consent, event, reason string) error {
	mv, err := w.core.Transition(&ConsentMachine, c.id, &c.state, event, reason)
	if err != nil {
		return err
	}
	p := w.plans.At(c.plan)
	switch {
	case mv.From == 0:
		p.payers++
	case mv.To == ConsentAccepted:
		p.accepted++
	case mv.To == ConsentRevoked:
		p.accepted--
		p.payers--
	case mv.To == ConsentDeclined:
		p.payers--
	}
	return nil
}
