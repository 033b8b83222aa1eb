package receiver

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Effects reads from the lines of the files what a receiver did with an event that it was delivered more than once: the
// same again, or nothing.
func Effects(files []source.File, r *recording.Recording) {
	first, places, looked := map[string]int{}, placesOf(r), 0
	for i := range r.Received {
		w := &r.Received[i]
		key := w.Says()
		before, again := first[key]
		if key == "" || !again {
			first[key] = i
			continue
		}
		if looked++; looked > mostAgain {
			return
		}
		e := effects{places: places, subjects: subjects(r, w), shapes: map[string]int{}}
		for _, f := range files {
			e.file(&f, &r.Received[before].Place, &w.Place)
		}
		if e.passedOver = e.passedOver && len(e.did) == 0; e.passedOver || len(e.did) > 0 { // else what JSON lines tell of it stays
			w.Tell(recording.DidAgain, e.did...)
			if w.Tell(recording.PassedOver); e.passedOver {
				w.Tell(recording.PassedOver, "")
			}
		}
	}
}

// subjects are the words by which a log names what an event is about: its id, and the reference that it was created with.
func subjects(r *recording.Recording, w *recording.Received) []string {
	id := trail.ReadBody(w.Body).Object("Data").Text("PaymentId")
	if id == "" {
		return nil
	}
	list := []string{id}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		if ref := trail.ReadBody(x.Body).Text("reference"); len(ref) > 3 && bytes.Contains(x.Answer.Body, []byte(id)) {
			list = append(list, ref)
		}
	}
	return list
}

// placesOf are the lines at which the calls and webhooks of each file stand, in their order.
func placesOf(r *recording.Recording) map[string][]int {
	places := map[string][]int{}
	for i := range r.Received {
		places[r.Received[i].Place.Source] = append(places[r.Received[i].Place.Source], r.Received[i].Place.Line)
	}
	for i := range r.Exchanges {
		places[r.Exchanges[i].Place.Source] = append(places[r.Exchanges[i].Place.Source], r.Exchanges[i].Place.Line)
	}
	for _, list := range places {
		slices.Sort(list)
	}
	return places
}

// effects are what the lines of a log tell of the deliveries of one event.
type effects struct {
	places   map[string][]int
	subjects []string
	// shapes are the lines by their words, with the delivery behind which each stands first: 1, 2, or 0 for none.
	shapes     map[string]int
	did        []string
	passedOver bool
}

// Bounds of what is looked through and told.
const (
	mostAgain  = 20
	mostLines  = 50_000
	mostText   = 1 << 20
	mostBehind = 200
	longest    = 400
	mostEffect = 3
)

func (e *effects) file(f *source.File, first, again *recording.Place) {
	n := 0
	for line := range strings.Lines(string(f.Text())) {
		if n++; n > mostLines || len(e.did) >= mostEffect {
			return
		}
		line = strings.TrimSpace(line)
		behind := e.behind(f.Name, n, first, again)
		if line == "" || len(line) > longest || notProse().MatchString(line) || behind == 0 && !e.about(line) {
			continue
		}
		if passing().MatchString(line) {
			e.passedOver = e.passedOver || behind == 2
		} else if doing().MatchString(line) && !undone().MatchString(line) && !replied().MatchString(line) {
			e.effect(line, behind)
		}
	}
}

// effect takes up a line that tells of something that was done: of the same that was done before the event was done once
// more. Behind one delivery a log may tell it twice.
func (e *effects) effect(line string, behind int) {
	text := strings.TrimSpace(moments().ReplaceAllString(cell(line), ""))
	shape := digits().ReplaceAllString(text, "#")
	if was, known := e.shapes[shape]; !known {
		e.shapes[shape] = behind
	} else if (was != behind || behind == 0) && !slices.Contains(e.did, text) {
		e.did = append(e.did, text)
	}
}

// cell is what a row of a table tells of what was done; the line itself for one that is no row.
func cell(line string) string {
	const columns = 4
	r := csv.NewReader(strings.NewReader(line))
	r.LazyQuotes = true
	if row, err := r.Read(); err == nil && len(row) >= columns {
		for _, one := range row {
			if doing().MatchString(one) {
				return one
			}
		}
	}
	return line
}

func (e *effects) about(line string) bool {
	for _, word := range e.subjects {
		if strings.Contains(line, word) {
			return true
		}
	}
	return false
}

// behind says behind which of two deliveries a line of a file stands, before anything else that the file tells.
func (e *effects) behind(file string, line int, first, again *recording.Place) int {
	list := e.places[file]
	at, _ := slices.BinarySearch(list, line) // the first that does not stand above it
	switch {
	case at == 0 || list[at-1] == 0 || line-list[at-1] > mostBehind:
		return 0
	case *first == (recording.Place{Source: file, Line: list[at-1], Entry: first.Entry, Pointer: first.Pointer}):
		return 1
	case *again == (recording.Place{Source: file, Line: list[at-1], Entry: again.Entry, Pointer: again.Pointer}):
		return 2
	default:
		return 0
	}
}

var (
	// notProse is how bodies, headers and lists begin.
	notProse = trail.Pattern(`^(?:[{"<>*]|\[\s*[\]{"\[])`)
	// doing are words of a line that tells of what was done for a payment, in the languages of the Americas and of western
	// Europe; undone of what did not come about, and passing of an event that was seen to have come before.
	doing = trail.Pattern(`(?i)\b(?:fulfil+(?:ed|ing|ment)|settl(?:ed|ing) (?:the )?(?:payment|invoice|order|booking|claim)|ledger (?:entry|row|posting)|credit(?:ing)? (?:to|account|customer|patient|balance|wallet)|posted to (?:the )?ledger|shipp?(?:ed|ing|ment)|dispatched|credited|activated|unlocked|granted|booked|issued|provisioned|released|extended|renewed|sent|printed|inserted|enrolled|added|invoiced|topped up|paid out|marked (?:as )?paid|set to paid|order (?:\S+ )?(?:complete|completed|done|created)` +
		`|(?:label|ticket|invoice|shipment|parcel|package|voucher|licen[cs]e|subscription|membership|pass|coupon|receipt|reservation|seat|stock|inventory|points|credits)s? (?:\S+ ){0,3}(?:created|generated|made|reserved|decremented|decreased|reduced|assigned|scheduled|increased)|stock:? -[0-9]+` +
		`|(?:rechnung|gutschein|ticket|sendung|\w*etikett|lizenz|mitgliedschaft|guthaben)\b[^.;{}]{0,40}\b(?:erstellt|angelegt|erzeugt|gedruckt)|(?:facture|étiquette|billet|licence|colis|abonnement)\b[^.;{}]{0,40}\b(?:créée?|générée?)` +
		`|(?:factura|etiqueta|boleto|entrada|licencia|envío|guía|fatura|bilhete|ingresso|envio|licença)\b[^.;{}]{0,40}\b(?:cread[oa]|generad[oa]|criad[oa]|gerad[oa])` +
		`|versandt|verschickt|versendet|gutgeschrieben|freigeschaltet|aktiviert|ausgeliefert|ausgestellt|gebucht|freigegeben|als bezahlt markiert` +
		`|expédiée?|envoyée?|créditée?|activée?|débloquée?|livrée?|délivrée?|réservée?|marquée? (?:comme )?payée?` +
		`|enviad[oa]|despachad[oa]|acreditad[oa]|abonad[oa]|activad[oa]|desbloquead[oa]|entregad[oa]|emitid[oa]|reservad[oa]|marcad[oa] como pagad[oa]` +
		`|creditad[oa]|ativad[oa]|liberad[oa]|marcad[oa] como pag[oa]|spedit[oa]|inviat[oa]|accreditat[oa]|attivat[oa]|consegnat[oa]|verzonden|bijgeschreven|geactiveerd|vrijgegeven|geleverd)(?:\b|[^\p{L}]|$)`)
	undone  = trail.Pattern(`(?i)\b(?:not|no|fail(?:ed|ure|ing)?|error|cannot|can't|couldn't|unable|refused|rejected|roll(?:ed)?[ -]?back|aborted|timeout|timed out|etimedout|will be|would be|waiting|retry(?:ing)?|responses?|repl(?:y|ies)|ack(?:s|ed|nowledg\w+)?|respuesta|antwort|réponse|risposta|resposta|nicht|kein|fehler|wird|ne|pas|échec|erreur|sera|falló|fallo|não|falha|erro|non|errore|niet|fout|será)\b`)
	passing = trail.Pattern(`(?i)\b(?:already|duplicate|dup|skip(?:ped|ping)?|ignor(?:ed|ing|e)|seen before|no-?op|known event|idempotent|once before|nothing to do|bereits|schon|doppelt|duplikat|übersprungen|ignoriert|déjà|doublon|ignorée?|ya (?:procesad|fue|estaba|exist|recibid)\pL*|duplicad[oa]|ignorad[oa]|omitid[oa]|já|già|duplicat[oa]|dubbel|overgeslagen|genegeerd|reeds)(?:\b|[^\p{L}]|$)`)
	moments = trail.Pattern(`[\[(]?\b[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[T ][0-9:.,]{5,18}(?:Z|[+-][0-9:]{2,5})?[\])]?`)
	// digits are what differs where the same is told twice: ids, and words with a figure in them.
	digits = trail.Pattern(`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9A-Za-z]*[0-9][0-9A-Za-z]*`)
)

// some is a line, where there is one.
func some(line string) []string {
	if line == "" {
		return nil
	}
	return []string{line}
}
