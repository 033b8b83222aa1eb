package world

import "paysandbox/mockserver/kernel"

// NewRecurring is the body of a plan for one payer in one call.
type NewRecurring struct {
	// Amount is what one due date costs, in cents, 1 or more.
	Amount *int32 `json:"amount" required:"true" minimum:"1" example:"5000"`
	// StartDate is the first due date.
	StartDate     string `json:"startDate" format:"date" required:"true" example:"2026-01-31"`
	IntervalValue *int32 `json:"intervalValue" required:"true" minimum:"1" example:"1"`
	IntervalUnit  string `json:"intervalUnit" required:"true" enum:"Day,Week,Month,Quarter,Year" example:"Month"`
	// PhoneNumber or RegistrationUserID names the payer; the latter goes first.
	PhoneNumber        string `json:"phoneNumber" example:"+12025551234"`
	RegistrationUserID string `json:"registrationUserId" format:"uuid" example:"b2d7e4a8-91c6-4f0b-8e35-7a4c1d9f6e23"`
	// CompanyID or CompanyReferenceID names the company that is paid; without
	// either it is the integration's default company.
	CompanyID          string `json:"companyId" format:"uuid"`
	CompanyReferenceID string `json:"companyReferenceId" example:"loc-001"`
}

// plan is the same as the body of a plan's creation.
func (r *NewRecurring) plan() NewPlan {
	p := NewPlan{
		StartDate: r.StartDate, IntervalValue: r.IntervalValue, IntervalUnit: r.IntervalUnit,
		CompanyID: r.CompanyID, CompanyReferenceID: r.CompanyReferenceID,
	}
	if r.Amount != nil {
		p.Amount = new(int64(*r.Amount))
	}
	return p
}

// CreateRecurring makes a plan for one payer and asks for the consent; the plan
// becomes Active when the payer accepts. Errors: Invalid. Latitude, one-call
// plan.
func (w *World) CreateRecurring(req *NewRecurring, noted ...kernel.Finding) (PlanCreated, error) {
	c := w.check(noted)
	body := req.plan()
	row := c.plan(&body)
	payer := c.planPayer("registrationUserId", req.RegistrationUserID, req.PhoneNumber)
	if err := c.Err("the recurring payment"); err != nil {
		return PlanCreated{}, err
	}
	if payer == 0 {
		payer = w.contactPayer(req.PhoneNumber, "")
	}
	row.alone = true
	p, n := w.addPlan(row, &body)
	id := p.id.String()
	w.askConsent(n, payer)
	return PlanCreated{PaymentPlanID: id}, nil
}
