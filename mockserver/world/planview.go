package world

import (
	"strconv"
	"time"
)

// Plan is a recurring plan as the service returns it.
type Plan struct {
	PaymentPlanID string  `json:"paymentPlanId" format:"uuid" required:"true" example:"5d0f8a1c-6c3e-4d1b-9a57-2f4b8c6e7d90"`
	Name          *string `json:"name" required:"true" example:"Monthly membership"`
	// Status is the state of the plan.
	Status    string `json:"status" required:"true" enum:"Draft,Active,Paused,Failed,Canceled,Completed" example:"Active"`
	CompanyID string `json:"companyId" format:"uuid" required:"true" example:"7b0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c11"`
	PlanPrice
	// NextDueDate is null unless the plan is Active.
	NextDueDate *string `json:"nextDueDate" format:"date" required:"true" example:"2026-02-28"`
	// Payers counts the consents that are Pending or Accepted, AcceptedPayers
	// those that are Accepted.
	Payers         int64 `json:"payers" required:"true" example:"2"`
	AcceptedPayers int64 `json:"acceptedPayers" required:"true" example:"1"`
}

// PlanList is the answer to the list of plans.
type PlanList struct {
	// Plans are the plans of the integration, or of one company, oldest first.
	Plans []Plan `json:"plans" required:"true" nullable:"false"`
}

// ListPlans lists the plans of the company named by its id or reference, or of
// all companies when it is empty. Errors: NotFound for an unknown company.
func (w *World) ListPlans(company string) (PlanList, error) {
	var of uint32
	if company != "" {
		var err error
		if _, of, err = w.company(company); err != nil {
			return PlanList{}, err
		}
	}
	list := PlanList{Plans: []Plan{}}
	for _, p := range w.plans.All() {
		if of == 0 || p.company == of {
			list.Plans = append(list.Plans, w.planView(p))
		}
	}
	return PlanList{Plans: ordered(w, list.Plans)}, nil
}

// ReadPlan gives one plan. Errors: NotFound.
func (w *World) ReadPlan(id string) (Plan, error) {
	p, _, err := w.plan(id)
	if err != nil {
		return Plan{}, err
	}
	return w.planView(p), nil
}

func (w *World) planView(p *plan) Plan {
	t := w.planTerms(p)
	v := Plan{
		PaymentPlanID: p.id.String(), Name: t.Name, Status: PlanMachine.States[p.state],
		CompanyID: w.companies.At(p.company).id.String(), PlanPrice: t.PlanPrice, Payers: int64(p.payers), AcceptedPayers: int64(p.accepted),
	}
	if due, ok := p.dueDate(p.next); ok && p.state == PlanActive {
		v.NextDueDate = optional(due.Format(time.DateOnly))
	}
	return v
}

// PlanPrice is what a plan collects, and when.
type PlanPrice struct {
	// Amount is what one due date costs each payer, in cents.
	Amount    int64   `json:"amount" required:"true" example:"5000"`
	StartDate string  `json:"startDate" format:"date" required:"true" example:"2026-01-31"`
	EndDate   *string `json:"endDate" format:"date" required:"true" example:"2026-12-31"`
	// Occurrences is how many due dates the plan has, null for no limit.
	Occurrences      *int64  `json:"occurrences" required:"true" example:"12"`
	IntervalValue    int32   `json:"intervalValue" required:"true" example:"1"`
	IntervalUnit     string  `json:"intervalUnit" required:"true" enum:"Day,Week,Month,Quarter,Year" example:"Month"`
	ShortDescription *string `json:"shortDescription" required:"true" example:"Membership"`
	FeePayer         string  `json:"feePayer" required:"true" enum:"client,partner,ask" example:"client"`
}

// PlanTerms are what a payer agrees to.
type PlanTerms struct {
	Name *string `json:"name" required:"true" example:"Monthly membership"`
	PlanPrice
}

func (w *World) planTerms(p *plan) PlanTerms {
	var texts planTexts
	w.texts.Unpack(p.texts, &texts)
	t := PlanTerms{Name: optional(texts.name), PlanPrice: PlanPrice{
		Amount: p.amount, StartDate: dayText(p.start), EndDate: optional(dayText(p.end)),
		IntervalValue: p.value, IntervalUnit: intervalUnits[p.unit].name,
		ShortDescription: optional(texts.shortDescription), FeePayer: feePayers[p.feePayer],
	}}
	if p.count != 0 {
		t.Occurrences = new(int64(p.count))
	}
	return t
}

// every tells the interval in words: "every month", "every 2 weeks".
func (p *plan) every() string {
	name := intervalUnits[p.unit].word
	if p.value == 1 {
		return "every " + name
	}
	return "every " + strconv.Itoa(int(p.value)) + " " + name + "s"
}
