package world

import (
	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
)

// The states of a recurring plan.
const (
	PlanDraft kernel.State = iota + 1
	PlanActive
	PlanPaused
	PlanFailed
	PlanCanceled
	PlanCompleted
)

// PlanMachine moves a recurring payment plan. The moves draft and fail are the
// control API's alone. Latitude, plan machine.
var PlanMachine = kernel.Machine{
	Name:   "plan",
	States: []string{"", "Draft", "Active", "Paused", "Failed", "Canceled", "Completed"},
	Moves: []kernel.Move{
		{Event: "create", To: PlanDraft},
		{Event: "activate", From: PlanDraft, To: PlanActive},
		{Event: "cancel", From: PlanDraft, To: PlanCanceled},
		{Event: "draft", From: PlanActive, To: PlanDraft},
		{Event: "pause", From: PlanActive, To: PlanPaused},
		{Event: "fail", From: PlanActive, To: PlanFailed},
		{Event: "cancel", From: PlanActive, To: PlanCanceled},
		{Event: "complete", From: PlanActive, To: PlanCompleted},
		{Event: "activate", From: PlanPaused, To: PlanActive},
		{Event: "cancel", From: PlanPaused, To: PlanCanceled},
		{Event: "activate", From: PlanFailed, To: PlanActive},
		{Event: "cancel", From: PlanFailed, To: PlanCanceled},
	},
}

// plans are the recurring plans of an integration.
type plans struct{ kernel.Table[plan] }

// Pack lists what plans are.
func (p *plans) Pack(k *kernel.Codec) {
	kernel.PackTable(k, &p.Table, func(row *plan) uuid.UUID { return row.id })
}

// plan is the row of a recurring plan; its texts are packed. Due dates are
// numbered from 0: the first is the start date.
type plan struct {
	id              uuid.UUID
	texts           kernel.Text
	amount, created int64
	start, end      int32 // as dayNumber; end 0 is none
	value           int32 // of the interval
	company         uint32
	// count is how many due dates there are, 0 for no limit; next is the first
	// that is not behind the plan; armed is one more than the due date for which
	// a timer was set last.
	count, next, armed        uint32
	firstConsent, lastConsent uint32
	payers, accepted          uint32 // consents that are Pending or Accepted, and Accepted
	// open payments have no outcome yet; missed ones were not fulfilled.
	open, missed uint32
	unit         intervalUnit
	feePayer     feePayer
	state        kernel.State
	// alone marks a plan for one payer, which activates by itself; started one
	// that has been Active.
	alone, started bool
}

// Pack lists the fields of a plan.
func (p *plan) Pack(k *kernel.Codec) {
	k.ID(&p.id)
	k.Texts(&p.texts)
	k.Ints(&p.amount, &p.created)
	k.Int32s(&p.start, &p.end, &p.value)
	k.Require(p.value > 0, "an interval")
	k.Rows(toCompany, &p.company)
	k.Num32s(&p.count, &p.next, &p.armed)
	k.Rows(toConsent, &p.firstConsent, &p.lastConsent)
	k.Num32s(&p.payers, &p.accepted, &p.open, &p.missed)
	k.Num8s((*uint8)(&p.unit))
	k.Require(int(p.unit) < len(intervalUnits), "a unit of an interval")
	p.feePayer.Pack(k)
	k.State(&p.state, &PlanMachine)
	k.Bools(&p.alone, &p.started)
}

// planTexts are the texts of a plan, kept as one.
type planTexts struct{ name, shortDescription string }

func (t *planTexts) Pack(k *kernel.Codec) { k.Strs(&t.name, &t.shortDescription) }

// PlanCreated is the answer to a plan's creation.
type PlanCreated struct {
	// PaymentPlanID is the service's id of the plan.
	PaymentPlanID string `json:"paymentPlanId" format:"uuid" required:"true" example:"5d0f8a1c-6c3e-4d1b-9a57-2f4b8c6e7d90"`
}

// CreatePlan makes a plan in Draft. All rules are judged before anything is
// kept. Errors: Invalid. Latitude, Recurring plans and consents.
func (w *World) CreatePlan(req *NewPlan, noted ...kernel.Finding) (PlanCreated, error) {
	c := w.check(noted)
	row := c.plan(req)
	if err := c.Err("the plan"); err != nil {
		return PlanCreated{}, err
	}
	p, _ := w.addPlan(row, req)
	return PlanCreated{PaymentPlanID: p.id.String()}, nil
}

// addPlan keeps a plan that has been judged.
func (w *World) addPlan(row plan, req *NewPlan) (*plan, uint32) {
	row.id, row.created = w.core.NewID("plan"), w.core.Now()
	row.texts = w.texts.KeepPacked(&planTexts{req.Name, req.ShortDescription})
	p, n := w.plans.Add(row.id, row)
	w.mustMove(w.stepPlan(p, "create", ""))
	return p, n
}

// plan finds a plan by its id.
func (w *World) plan(id string) (*plan, uint32, error) {
	return w.plans.Lookup("payment plan", id)
}

func (w *World) stepPlan(p *plan, event, reason string) error {
	_, err := w.core.Transition(&PlanMachine, p.id, &p.state, event, reason)
	return err
}

// ActivatePlan lets a plan collect from its next due date on. Errors: NotFound,
// IllegalTransition, and Invalid while no payer has accepted.
func (w *World) ActivatePlan(id string) error { return w.movePlan(id, "activate", "by the partner") }

// PausePlan stops an Active plan; due dates that fall into the pause are lost.
// Errors: NotFound, IllegalTransition.
func (w *World) PausePlan(id string) error { return w.movePlan(id, "pause", "by the partner") }

// CancelPlan ends a plan for good. Its payment requests stay as they are.
// Errors: NotFound, IllegalTransition.
func (w *World) CancelPlan(id string) error { return w.movePlan(id, "cancel", "by the partner") }

// MovePlan takes any step of PlanMachine for the control API. Errors: NotFound,
// IllegalTransition, and Invalid for activate while no payer has accepted.
func (w *World) MovePlan(id, event string) error {
	return w.movePlan(id, event, byControl)
}

func (w *World) movePlan(id, event, reason string) error {
	p, n, err := w.plan(id)
	if err != nil {
		return err
	}
	if event == "activate" {
		return w.activate(n, reason)
	}
	return w.stepPlan(p, event, reason)
}

var rulePlanConsent = rule{"plan.activate.consent", kernel.Docs, "a plan with at least one Accepted consent", "add a payer, and activate the plan when the payer has accepted"}

// activate lets a plan begin or go on. Due dates that have passed meanwhile are
// not made up for; but on its first start a plan whose date is today collects
// today, also after the hour of the batch. A plan with no due date left ends at once:
// Completed, or Failed when a payment was not fulfilled.
func (w *World) activate(n uint32, reason string) error {
	p := w.plans.At(n)
	if _, ok := PlanMachine.Find(p.state, "activate"); ok && p.accepted == 0 {
		e := invalid("path:planId", p.id.String(), rulePlanConsent)
		e.Detail = "the plan " + p.id.String() + " was not activated: no payer has accepted it"
		return e
	}
	next := w.nextOf(p)
	if skipped := int(next - p.next); skipped > 0 {
		reason += "; " + kernel.Plural(skipped, "due date") + " passed while the plan was " + PlanMachine.States[p.state]
	}
	if err := w.stepPlan(p, "activate", reason); err != nil {
		return err
	}
	p.next, p.started = next, true
	w.forgive(p)
	w.arm(p)
	return nil
}
