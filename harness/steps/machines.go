package steps

import "context"

// machine is a resource with states, as the partner and the stage see it.
type machine struct {
	// noun names it in steps and in what the story knows.
	noun string
	// control is its place in the control API.
	control string
	// tape is its machine's name on the tape, for one whose id or status the
	// partner API does not tell.
	tape string
	// read is the path that tells its status, and member where.
	read, member string
	// begin brings one into being in its first state.
	begin func(s *story, ctx context.Context) error
	// ways are the events that lead from the first state to each other one.
	ways map[string][]string
}

// machines are all of them.
func machines() []machine {
	return []machine{
		{noun: "company", read: "/Company/{company}/Status", member: "status"},
		{noun: "payer", read: "/User/{payer}/Status", member: "status"},
		paymentMachine(), cardAuthorisationMachine(), refundMachine(), terminalMachine(), debitMachine(), planMachine(), consentMachine(),
	}
}

func paymentMachine() machine {
	return machine{
		noun: "payment", control: "/payments/", read: "/Payment/{payment}/Status", member: "status",
		begin: func(s *story, ctx context.Context) error {
			return s.makeAll(ctx, "company", "registered payer", "payment request")
		},
		ways: map[string][]string{
			"Pending": nil, "Scheduled": {"schedule"}, "Queued": {"queue"}, "InReview": {"review"}, "Processing": {"approve"},
			"Paid": {"approve", "pay"}, "Failed": {"approve", "fail"}, "Denied": {"deny"}, "Canceled": {"cancel"},
		},
	}
}

func cardAuthorisationMachine() machine {
	return machine{
		noun: "card authorisation", control: "/cards/", read: "/Payment/{card authorisation}/Status", member: "status",
		begin: func(s *story, ctx context.Context) error {
			return s.makeAll(ctx, "company", "registered payer", "card authorisation")
		},
		ways: map[string][]string{
			"Pending": nil, "Challenged": {"challenge-card"}, "Authorised": {"authorise"}, "Declined": {"decline"}, "Canceled": {"cancel"},
		},
	}
}

func refundMachine() machine {
	return machine{
		noun: "refund", control: "/refunds/", tape: "refund",
		begin: func(s *story, ctx context.Context) error {
			if err := s.reachState(ctx, "payment", "Paid"); err != nil {
				return err
			}
			return s.insist(ctx, "refunds the payment")
		},
		ways: map[string][]string{"Accepted": nil, "Completed": {"complete"}, "Failed": {"fail"}},
	}
}

func terminalMachine() machine {
	return machine{
		noun: "terminal payment", control: "/card-payments/", tape: "card-payment",
		begin: func(s *story, ctx context.Context) error {
			return s.make(ctx, "a", "terminal payment", [][2]string{{"transactionStatus", "Pending"}})
		},
		ways: map[string][]string{
			"Pending": nil, "Succeeded": {"succeed"}, "Failed": {"fail"}, "Cancelled": {"cancel"}, "Refunded": {"succeed", "refund"},
		},
	}
}

func debitMachine() machine {
	return machine{
		noun: "debit authorisation", control: "/debit-authorisations/", tape: "debit-authorisation",
		begin: func(s *story, ctx context.Context) error {
			if err := s.makeAll(ctx, "company", "registered payer"); err != nil {
				return err
			}
			return s.insist(ctx, "asks for a debit authorisation")
		},
		ways: map[string][]string{"Pending": nil, "Accepted": {"accept"}, "Declined": {"decline"}, "Disabled": {"disable"}},
	}
}

func planMachine() machine {
	return machine{
		noun: "plan", control: "/plans/", read: "/PaymentPlan/{plan}", member: "status",
		begin: func(s *story, ctx context.Context) error {
			if err := s.makeAll(ctx, "company", "registered payer", "plan"); err != nil {
				return err
			}
			if err := s.insist(ctx, "adds the payer to the plan"); err != nil {
				return err
			}
			return s.happens(ctx, "accept", "consent")
		},
		ways: map[string][]string{
			"Draft": nil, "Active": {"activate"}, "Paused": {"activate", "pause"}, "Failed": {"activate", "fail"},
			"Canceled": {"cancel"}, "Completed": {"activate", "complete"},
		},
	}
}

func consentMachine() machine {
	return machine{
		noun: "consent", control: "/consents/", read: "/Consent/{consent}", member: "status",
		begin: func(s *story, ctx context.Context) error {
			if err := s.makeAll(ctx, "company", "registered payer", "plan"); err != nil {
				return err
			}
			return s.insist(ctx, "adds the payer to the plan")
		},
		ways: map[string][]string{"Pending": nil, "Accepted": {"accept"}, "Declined": {"decline"}, "Revoked": {"accept", "decline"}},
	}
}
