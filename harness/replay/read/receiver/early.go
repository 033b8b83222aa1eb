package receiver

import (
	"slices"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// underWay are the states of a payment whose money has not come, and may not.
var underWay = []string{"Pending", "Scheduled", "Queued", "InReview", "Processing"}

// Early reads from the lines of the files which events that tell of a payment under way their receiver took for its money: that it
// handed something over then.
func Early(files []source.File, r *recording.Recording) {
	places, told, looked := placesOf(r), map[string]bool{}, 0
	for i := range r.Received {
		w := &r.Received[i]
		d := trail.ReadBody(w.Body).Object("Data")
		id := d.Text("PaymentId")
		failed := d.Text("Status") == "Failed" && told[id]
		told[id] = true
		if id == "" || !failed && !slices.Contains(underWay, d.Text("Status")) || recording.Struck(id) || w.Signature == recording.Wrong || w.Did(recording.TooSoon) {
			continue
		}
		if looked++; looked > mostAgain {
			return
		}
		paid, before := paidAt(r, i, id)
		if before {
			continue
		}
		e := early{status: d.Text("Status"), subjects: subjects(r, w), failed: failed}
		e.setOthers(r, id)
		for _, f := range files {
			if f.Name == w.Place.Source && w.Place.Line > 0 {
				e.file(&f, w, places[f.Name], turned(r, f.Name), paid)
			}
		}
		w.Tell(recording.TooSoon, some(e.said)...)
	}
}

// paidAt is the line, in the file of a webhook, of the event that tells of its payment as Paid later, 0 for none; and whether it was
// told so before.
func paidAt(r *recording.Recording, i int, id string) (line int, before bool) {
	for j := range r.Received {
		w := &r.Received[j]
		d := trail.ReadBody(w.Body).Object("Data")
		if !strings.EqualFold(d.Text("PaymentId"), id) || d.Text("Status") != "Paid" {
			continue
		}
		if j < i {
			return 0, true
		}
		if line == 0 && w.Place.Source == r.Received[i].Place.Source {
			line = w.Place.Line
		}
	}
	return line, false
}

// early are the lines of a log that tell what was done for a payment under way.
type early struct {
	status           string
	subjects, others []string
	said             string
	// failed says that the event tells that it will not be paid.
	failed bool
}

// setOthers sets the words by which a log names other payments.
func (e *early) setOthers(r *recording.Recording, id string) {
	for _, other := range othersThan(r, id) {
		e.others = append(e.others, subjects(r, &recording.Received{Body: trail.Quote(map[string]any{"Data": map[string]any{"PaymentId": other}})})...)
	}
	e.others = slices.DeleteFunc(e.others, func(word string) bool { return slices.Contains(e.subjects, word) })
}

// file looks through the lines of the webhook's own file: those behind it, before anything else that the file tells, and those that
// name its payment and its state, until it is Paid.
func (e *early) file(f *source.File, w *recording.Received, places []int, turned bool, paid int) {
	from, to := behindOf(w, places, turned)
	at := 0
	for line := range strings.Lines(string(f.Head(mostText))) {
		if at++; at > mostLines || e.said != "" {
			return
		}
		own := at == w.Place.Line
		if own {
			line = beside(line, w.Body)
		}
		line = strings.TrimSpace(line)
		if line == "" || len(line) > longest && !own || !own && (at < w.Place.Line) != turned || paid > 0 && (at == paid || (at > paid) != turned) {
			continue
		}
		e.line(line, own || from <= at && at <= to)
	}
}

func (e *early) line(line string, near bool) {
	named := contains(line, e.subjects)
	switch {
	case e.failed:
		if near && alreadyPaid().MatchString(line) && !contains(line, e.others) {
			e.said = strings.TrimSpace(moments().ReplaceAllString(spoken(line, alreadyPaid()), ""))
		}
	case !handing().MatchString(line) || undone().MatchString(line) || conditional().MatchString(line) || technical().MatchString(line) || contains(line, e.others):
	case near && (named || ofOrder().MatchString(line)), named && strings.Contains(line, e.status):
		e.said = strings.TrimSpace(moments().ReplaceAllString(spoken(line, handing()), ""))
	}
}

var (
	// handing are words of a line that tells that something was handed over, or that a thing is paid, in the languages of effects.
	handing = trail.Pattern(`(?i)(?:->|=>|→) ?["']?paid\b|\b(?:fulfil+ed|shipped|dispatched|delivered|credited|activated|unlocked|granted|provisioned|released|enrolled|topped up|paid out|marked (?:as )?paid|set to paid|(?:is|now|as) paid|confirmation (?:mailed|sent)|order (?:\S+ )?(?:complete|completed|done|paid)|(?:invoice|booking|membership) \S+ paid` +
		`|versandt|verschickt|gutgeschrieben|freigeschaltet|ausgeliefert|freigegeben|Freigabe|als bezahlt markiert|(?:auftrag|bestellung|rechnung|buchung) \S+ (?:ist )?bezahlt` +
		`|expédiée?|créditée?|débloquée?|livrée?|marquée? (?:comme )?payée?|commande \S+ payée` +
		`|despachad[oa]|acreditad[oa]|abonad[oa]|activad[oa]|desbloquead[oa]|entregad[oa]|marcad[oa] como pagad[oa]|pedido \S+ pagado` +
		`|creditad[oa]|ativad[oa]|liberad[oa]|marcad[oa] como pag[oa]|pedido \S+ pago|spedit[oa]|accreditat[oa]|attivat[oa]|consegnat[oa]|ordine \S+ pagato|bijgeschreven|geactiveerd|vrijgegeven|geleverd|(?:bestelling|factuur) \S+ betaald|tegoed \+[0-9]+)(?:\b|[^\p{L}]|$)`)
	// alreadyPaid are words of a line that takes a payment for paid.
	alreadyPaid = trail.Pattern(`(?i)\balready (?:marked )?(?:as )?(?:paid|fulfil+ed|confirmed|completed?|shipped|delivered|settled|active|activated)\b|\b(?:bereits|schon) (?:bezahlt|bestätigt|ausgeliefert|abgeschlossen)|déjà (?:payée?|confirmée?|livrée?)|\bya (?:est[aá] )?(?:pagad|confirmad|entregad)[oa]|\bjá (?:está )?(?:pag|confirmad|entregue)|\bgià (?:pagat|confermat|consegnat)|\b(?:al|reeds) (?:betaald|bevestigd)`)
	// conditional are words of a line that tells when something would be done.
	conditional = trail.Pattern(`(?i)\b(?:if|when|once|until|unless|after|before|wait(?:s|ing)?|hold|sobald|wenn|bis|wartet|quand|dès|attend|cuando|espera|quando|attesa|zodra|wacht)\b`)
	// technical are words of a line about a program's own things.
	technical = trail.Pattern(`(?i)\b(?:lock|mutex|semaphore|connection|worker|thread|socket|memory|message|e-?mail|notification|webhook|event|payload)s?\b`)
	// ofOrder are words for what is paid for.
	ofOrder = trail.Pattern(`(?i)\b(?:order|invoice|booking|reservation|membership|subscription|account|member|customer|client|access|voucher|ticket|credits?|balance|wallet|licen[cs]e|course|auftrag|bestellung|rechnung|buchung|mitglied|guthaben|commande|facture|réservation|abonnement|pedido|factura|reserva|saldo|fatura|ordine|fattura|prenotazione|bestelling|factuur|tegoed|lid)\b`)
)
