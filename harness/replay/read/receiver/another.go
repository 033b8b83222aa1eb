package receiver

import (
	"strings"
	"unicode"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Another reads from the lines in which webhooks stand whether their receiver took them for the state of another payment than they tell
// of: the line names the reference of that one, and not their own. Other lines may be of other work.
func Another(files []source.File, r *recording.Recording) {
	payments := referenced(r)
	if len(payments) < 2 {
		return
	}
	for _, f := range files {
		lines := strings.Split(string(f.Head(mostText)), "\n")
		for i := range r.Received {
			w := &r.Received[i]
			id := strings.ToLower(trail.ReadBody(w.Body).Object("Data").Text("PaymentId"))
			if w.Place.Source != f.Name || w.Place.Line < 1 || w.Place.Line > len(lines) || id == "" {
				continue
			}
			if said := ofAnother(lines[w.Place.Line-1], id, payments); said != "" {
				w.Tell(recording.Another, said)
			}
		}
	}
}

// referenced are the payments by the references that they were made with, of which no two have the same.
func referenced(r *recording.Recording) map[string]string {
	payments := map[string]string{}
	note := func(reference, id string) {
		if id = strings.ToLower(id); len(reference) < 5 || !strings.ContainsAny(reference, "0123456789") || id == "" {
			return
		}
		if was, known := payments[reference]; known && was != id {
			id = ""
		}
		payments[reference] = id
	}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		answer := trail.ReadBody(x.Answer.Body)
		note(trail.ReadBody(x.Body).Text("reference"), answer.Text("paymentRequestId"))
		for _, row := range answer.List("transactions") {
			note(row.Text("reference"), row.Text("paymentRequestId"))
		}
	}
	return payments
}

// ofAnother is the word by which a line says that something was done for the one payment that it names, which is another; "" for none.
func ofAnother(line, id string, payments map[string]string) string {
	if len(line) > 1<<14 {
		return ""
	}
	found := ""
	for word := range strings.FieldsFuncSeq(line, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("-_./#", c)
	}) {
		word = strings.TrimRight(word, ".-/")
		of, known := payments[word]
		switch {
		case !known || word == found:
		case of == "" || of == id || found != "":
			return ""
		default:
			found = word
		}
	}
	return found
}
