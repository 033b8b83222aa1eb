package explain

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/infer"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// ids are recorded ids, in lower case, of what was there before a recording, or is only taken for something, and which of its
// exchanges, webhooks and rows were seen to be about one.
type ids struct{ set, seen map[string]bool }

// adopted are the payments that no answer has made and that are taken for others, where one that no file shows may have made them;
// and those that are taken for what calls have made whose answers are not shown.
func adopted(r *recording.Recording, run *play.Run) ids {
	set, some := map[string]bool{}, false
	for i := range run.Answers {
		a := &run.Answers[i]
		if a.N < 0 || r.Exchanges[a.N].Answer.Known == recording.Whole || !trail.OperationNamed(a.Operation).Charges {
			continue
		}
		some = true
		for _, v := range run.Script.Steps[a.Step].Call.Stands {
			if r.Exchanges[a.N].Answer.Known == recording.NotRecorded {
				set[strings.ToLower(v.Text)] = true
			}
		}
	}
	if !some {
		return ids{set, map[string]bool{}}
	}
	for _, l := range run.Links.All() {
		if l.Where == infer.Adopted {
			set[strings.ToLower(l.Recorded)] = true
		}
	}
	return ids{set, map[string]bool{}}
}

// earlier are those that a script's own beginning stands in for.
func earlier(run *play.Run) ids {
	set := map[string]bool{}
	for i := range run.Script.Steps {
		s := &run.Script.Steps[i]
		var stands []correlate.Value
		switch {
		case s.Call != nil && s.Call.N == play.Prelude:
			stands = s.Call.Stands
		case s.Move != nil:
			stands = s.Move.Stands
		}
		for _, v := range stands {
			if v.Type != correlate.Token {
				set[strings.ToLower(v.Text)] = true
			}
		}
	}
	return ids{set, map[string]bool{}}
}

// gave says whether something from before the recording, of which the replay shows nothing
// in a place, was stood in for without: the recording shows there what it was made with.
func (before ids) gave(r *recording.Recording, d *compare.Difference) bool {
	if !strings.HasPrefix(d.Where, "/") || !slices.Contains([]string{"", "null", "false", "0"}, d.Replayed) || d.Recorded == "" && d.Replayed != "" || len(before.set) == 0 {
		return false
	}
	name := strings.ToLower(d.Where[strings.LastIndexByte(d.Where, '/')+1:])
	if strings.HasSuffix(name, "status") && (d.Replayed != "" || d.Operation != "reportTransactions") || name == "hasmore" || name == "nextcursor" {
		return false
	}
	return before.has(r, d)
}

// counts says whether a plan from before the recording, or a consent to one, tells of other payers or days than the recording shows:
// who gave a consent before, or elsewhere, and when the plan began, it does not tell. So it is with payments.
func (before ids) counts(r *recording.Recording, run *play.Run, d *compare.Difference) bool {
	name := d.Where[strings.LastIndexByte(d.Where, '/')+1:]
	switch a := run.Of(d.N); {
	case before.paid(r, d, name), addedUnseen(r, d):
		return true
	case a == nil || d.Operation != "getPlan" && d.Operation != "getConsent" || !before.has(r, d) && madeInView(r, d.N):
		return false
	case name == "nextDueDate":
		return trail.ReadBody(r.Exchanges[d.N].Answer.Body).Text("startDate") != trail.ReadBody(a.Body).Text("startDate")
	default:
		return name == "startDate" || strings.HasPrefix(d.Where, "/recipientCompany/") || (name == "payers" || name == "acceptedPayers") && !stoodStill(r, run, d, name)
	}
}

// addedUnseen says whether a plan tells of payers, or of the day when they are to pay, that no call has added: others may have.
func addedUnseen(r *recording.Recording, d *compare.Difference) bool {
	if d.N < 0 || d.Operation != "getPlan" || !slices.Contains([]string{"/payers", "/acceptedPayers", "/nextDueDate"}, d.Where) || d.Replayed != "null" && d.Replayed != "0" {
		return false
	}
	return !slices.ContainsFunc(r.Exchanges[:d.N], func(x recording.Exchange) bool {
		path := strings.ToLower(x.Path)
		return x.Answer.Status/100 == 2 && (strings.HasSuffix(path, "/payers") || strings.HasSuffix(path, "/recurring"))
	})
}

// paid says whether a payment from before the recording tells of what was refunded then, or by what it was paid.
func (before ids) paid(r *recording.Recording, d *compare.Difference, name string) bool {
	switch name {
	case "refundedAmount":
		return more(d) && before.has(r, d)
	case "paymentMethod", "paymentType":
		return before.has(r, d)
	default:
		return false
	}
}

// goesOn says whether a report that shows a payment from before the recording goes on, where the replay's does not: there may be
// more of them.
func (before ids) goesOn(r *recording.Recording, d *compare.Difference) bool {
	on := d.Where == "/hasMore" && d.Recorded == "true" || d.Where == "/nextCursor" && d.Replayed == "null"
	return on && d.N >= 0 && slices.ContainsFunc(trail.ReadBody(r.Exchanges[d.N].Answer.Body).List("transactions"), func(row trail.Body) bool {
		return before.set[strings.ToLower(row.Text("paymentRequestId"))]
	})
}

// more says whether the recorded number is the larger.
func more(d *compare.Difference) bool {
	was, err := strconv.ParseInt(d.Recorded, 10, 64)
	is, err2 := strconv.ParseInt(d.Replayed, 10, 64)
	return err == nil && err2 == nil && was > is
}

// stoodStill says whether a count is recorded as it was told before, where the replay's has changed by what was done.
func stoodStill(r *recording.Recording, run *play.Run, d *compare.Difference, name string) bool {
	for n := d.N - 1; n >= 0; n-- {
		x, a := &r.Exchanges[n], run.Of(n)
		if x.Method != r.Exchanges[d.N].Method || x.Path != r.Exchanges[d.N].Path || a == nil {
			continue
		}
		was, told := trail.ReadBody(x.Answer.Body).Whole(name)
		if is, counted := trail.ReadBody(a.Body).Whole(name); told && counted {
			return fmt.Sprint(was) == d.Recorded && fmt.Sprint(is) != d.Replayed
		}
	}
	return false
}

// madeInView says whether a call before one is shown to have made what that names.
func madeInView(r *recording.Recording, n int) bool {
	path := strings.ToLower(r.Exchanges[n].Path)
	id := []byte(path[strings.LastIndexByte(path, '/')+1:])
	return slices.ContainsFunc(r.Exchanges[:n], func(x recording.Exchange) bool {
		return x.Method == "POST" && x.Answer.Status/100 == 2 && bytes.Contains(bytes.ToLower(x.Answer.Body), id)
	})
}

// has says whether a difference is about one of them.
func (before ids) has(r *recording.Recording, d *compare.Difference) bool {
	if len(before.set) == 0 {
		return false
	}
	place := fmt.Sprint(d.N, "/", d.Heard, row(d.Where))
	yes, known := before.seen[place]
	if !known {
		yes = slices.ContainsFunc(about(r, d), func(id string) bool { return before.set[id] })
		before.seen[place] = yes
	}
	return yes
}

// about are the ids that a difference is about: those in the call's path, in its body, and in the
// row of a list, or in the webhook.
func about(r *recording.Recording, d *compare.Difference) []string {
	var list []string
	note := func(body []byte, under string) {
		correlate.Walk(body, func(path []string, v any) {
			if text, _ := v.(string); text != "" && strings.HasPrefix(correlate.Pointer(path), under) {
				list = append(list, strings.ToLower(text))
			}
		})
	}
	if d.N < 0 {
		if d.Heard > 0 {
			note(r.Received[d.Heard-1].Body, "/")
		}
		return list
	}
	x := &r.Exchanges[d.N]
	list = append(list, strings.Split(strings.ToLower(x.Path), "/")...)
	note(x.Body, "/")
	note(x.Answer.Body, row(d.Where))
	return list
}

// FromBefore says whether an id, in lower case, is of something that a script's own beginning stands in for.
func FromBefore(run *play.Run, id string) bool { return earlier(run).set[id] }
