package world

import (
	"time"

	"paysandbox/mockserver/kernel"
)

// NewPlan is the body of a recurring plan's creation.
type NewPlan struct {
	Name string `json:"name" example:"Monthly membership"`
	// Amount is what one due date costs each payer, in cents, 1 or more.
	Amount *int64 `json:"amount" unit:"cents" required:"true" minimum:"1" example:"5000"`
	// CompanyID or CompanyReferenceID names the company that is paid; without
	// either it is the integration's default company.
	CompanyID          string `json:"companyId" format:"uuid"`
	CompanyReferenceID string `json:"companyReferenceId" example:"loc-001"`
	// StartDate is the first due date.
	StartDate string `json:"startDate" format:"date" required:"true" example:"2026-01-31"`
	// EndDate is the last day that can be a due date.
	EndDate string `json:"endDate" format:"date" example:"2026-12-31"`
	// Occurrences is how many due dates there are; without it and EndDate the
	// plan goes on until it is cancelled.
	Occurrences *int32 `json:"occurrences" minimum:"1" example:"12"`
	// IntervalValue and IntervalUnit are the time from one due date to the next.
	IntervalValue    *int32 `json:"intervalValue" required:"true" minimum:"1" example:"1"`
	IntervalUnit     string `json:"intervalUnit" required:"true" enum:"Day,Week,Month,Quarter,Year" example:"Month"`
	ShortDescription string `json:"shortDescription" example:"Membership"`
	FeePayer         string `json:"feePayer" enum:"client,partner,ask" example:"client"`
}

// NewPlanPayer is the body that asks a payer to join a plan. One of the two
// members names the payer; registrationId goes first.
type NewPlanPayer struct {
	RegistrationID string `json:"registrationId" format:"uuid" example:"b2d7e4a8-91c6-4f0b-8e35-7a4c1d9f6e23"`
	PhoneNumber    string `json:"phoneNumber" example:"+12025551234"`
}

var (
	planPlace = placeRulesFor("plan.create")

	rulePlanAmount     = rule{"plan.create.amount", kernel.Docs, "a whole number of cents, 1 or more", "send the amount of one due date in cents, for example 5000"}
	rulePlanStart      = rule{"plan.create.start-date", kernel.Docs, "a date of the calendar as YYYY-MM-DD", "send the first due date, for example 2026-01-31"}
	rulePlanStartPast  = rule{"plan.create.start-date-past", kernel.Assumed, "today or a later day", "send a start date to come; due dates that have passed are not collected"}
	rulePlanEnd        = rule{"plan.create.end-date", kernel.Assumed, "a date of the calendar as YYYY-MM-DD", "send a day that exists, or leave endDate out"}
	rulePlanEndOrder   = rule{"plan.create.end-date-order", kernel.Assumed, "the start date or a later day", "send an endDate that is not before startDate, or leave it out"}
	rulePlanCount      = rule{"plan.create.occurrences", kernel.Assumed, "1 or more", "send how many due dates the plan has, or leave occurrences out"}
	rulePlanValue      = rule{"plan.create.interval-value", kernel.Docs, "a whole number, 1 or more", "send how many units lie between two due dates"}
	rulePlanUnit       = rule{"plan.create.interval-unit", kernel.Docs, "Day, Week, Month, Quarter or Year", "send one of the five units"}
	rulePlanFee        = rule{"plan.create.fee-payer", kernel.Docs, "client, partner or ask", "send one of the three, or leave feePayer out"}
	rulePlanPayer      = rule{"plan.payer", kernel.Docs, "a payer by registration id or telephone number", "send one of the two"}
	rulePlanPayerForm  = rule{"plan.payer.registration", kernel.Docs, "a uuid", "send the registrationId that the registration answered"}
	rulePlanPayerKnown = rule{"plan.payer.registration-known", kernel.Assumed, "a payer of this integration", "register the payer first, or send the telephone number"}
	rulePlanPayerPhone = rule{"plan.payer.phone", kernel.Assumed, "a valid telephone number", "send the number with its prefix, for example +12025551234"}
	rulePlanPayerOnce  = rule{"plan.payer.once", kernel.Assumed, "a payer who has not been asked yet", "use the consent that exists; it is answered here"}
)

// plan judges a new plan and gives its row.
func (c *check) plan(req *NewPlan) plan {
	p := plan{feePayer: c.feePayer("/feePayer", req.FeePayer, rulePlanFee)}
	p.amount = c.cents("/amount", req.Amount, rulePlanAmount, rulePlanAmount)
	p.company, _ = c.place(&planPlace, "", req.CompanyID, req.CompanyReferenceID)
	if p.company == 0 && !c.Refused() { // the uuid of zeros
		c.unknownID("/companyId", req.CompanyID, planPlace.companyKnown)
	}
	c.planInterval(&p, req.IntervalValue, req.IntervalUnit)
	c.planDates(&p, req)
	return p
}

func (c *check) planInterval(p *plan, value *int32, unit string) {
	if value == nil {
		c.required("/intervalValue", "", rulePlanValue)
	} else if p.value = *value; p.value < 1 {
		c.refuse("/intervalValue", number(int64(p.value)), rulePlanValue)
	}
	u, ok := unitNamed(unit)
	if !ok {
		c.refuse("/intervalUnit", kernel.Given(unit), rulePlanUnit)
	}
	p.unit = u
}

func (c *check) planDates(p *plan, req *NewPlan) {
	c.required("/startDate", req.StartDate, rulePlanStart)
	start := c.dueDate("/startDate", req.StartDate, rulePlanStart, rulePlanStartPast)
	end := c.date("/endDate", req.EndDate, rulePlanEnd)
	if !end.IsZero() && end.Before(start) {
		c.refuse("/endDate", kernel.Quote(req.EndDate), rulePlanEndOrder)
	}
	p.start, p.end = dayNumber(start), dayNumber(end)
	if req.Occurrences == nil {
		return
	}
	if *req.Occurrences < 1 {
		c.refuse("/occurrences", number(int64(*req.Occurrences)), rulePlanCount)
	}
	p.count = uint32(max(*req.Occurrences, 0))
}

// planPayer finds the payer of a consent. 0 means that the telephone number
// decides, or that the check has a finding more.
func (c *check) planPayer(member, registrationID, phone string) uint32 {
	if registrationID != "" {
		n := c.bodyPayer("/"+member, registrationID, rulePlanPayerForm, rulePlanPayerKnown)
		if n == 0 && !c.Refused() { // the uuid of zeros
			c.unknownID("/"+member, registrationID, rulePlanPayerKnown)
		}
		return n
	}
	switch {
	case phone == "":
		c.required("/"+member, "", rulePlanPayer)
	case !c.w.validPhone(phone):
		c.refuse("/phoneNumber", kernel.Quote(phone), rulePlanPayerPhone)
	}
	return 0
}

// optional is nil for the empty text.
func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// dayText writes a day as YYYY-MM-DD, and no day as "".
func dayText(day int32) string {
	if day == 0 {
		return ""
	}
	return dayDate(day).Format(time.DateOnly)
}

// dayDate is midnight UTC of a day counted as dayNumber does.
func dayDate(day int32) time.Time { return time.Time{}.AddDate(0, 0, int(day)) }
