package infer

import (
	"fmt"
	"strings"

	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// banked are the companies that must have linked a bank before an answer shows an account of theirs, where the replay shows none. Each
// links it once, before the first answer that shows it.
func banked(list []Missing, run *play.Run, x *recording.Exchange, a *play.Answered) []Missing {
	var unlinked []string
	for _, row := range paid(a.Body) {
		if account, shown := row["recipientAccount"]; shown && account == nil {
			unlinked = append(unlinked, row.Text("recipientName"))
		}
	}
	if len(unlinked) == 0 {
		return list
	}
	for _, row := range paid(x.Answer.Body) {
		name := row.Text("recipientName")
		ref := recipient(run, name)
		if row.Text("recipientAccount") == "" || ref == "" || linking(list, ref) {
			continue
		}
		m := play.Move{Path: "/companies/" + ref + "/bank-link", Entity: ref, Machine: "company", Event: "link-bank"}
		list = append(list, Missing{a.N, step(x, m, fmt.Sprintf("the company %s linked a bank account, before call %d shows it", ref, a.N+1))})
	}
	return list
}

// paid are the lines of an answer that tell who was paid: of a report, or of one payment.
func paid(body []byte) []trail.Body {
	b := trail.ReadBody(body)
	if _, one := b["recipientAccount"]; one {
		return []trail.Body{b}
	}
	return b.List("transactions")
}

// recipient is the reference of the company of a name that was made in the script: "" where several have it, or none, unless there is but one company.
func recipient(run *play.Run, name string) string {
	var all, called []string
	for i := range run.Script.Steps {
		c := run.Script.Steps[i].Call
		if c == nil || !strings.EqualFold(c.Exchange.Path, "/Company/Create") || c.Exchange.Answer.Status >= 400 {
			continue
		}
		sent := trail.ReadBody(c.Exchange.Body)
		ref := sent.Text("companyReferenceId")
		all = append(all, ref)
		if strings.EqualFold(sent.Text("name"), name) {
			called = append(called, ref)
		}
	}
	switch {
	case len(called) == 1:
		return called[0]
	case len(all) == 1:
		return all[0]
	default:
		return ""
	}
}

// linking says whether a company's bank is linked already by what is to be put in.
func linking(list []Missing, ref string) bool {
	for i := range list {
		if m := list[i].Step.Move; m.Event == "link-bank" && m.Entity == ref {
			return true
		}
	}
	return false
}
