package receiver

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Unheard notes the files in whose words somebody says that no event came, where none is shown and one was due: what the words
// name, or else all that the calls ask for, has a state of which an event tells.
func Unheard(files []source.File, r *recording.Recording) {
	states := statesOf(r)
	for i := range r.Received {
		delete(states, strings.ToLower(trail.ReadBody(r.Received[i].Body).Object("Data").Text("PaymentId")))
	}
	if len(states) == 0 {
		return
	}
	for _, f := range files {
		i := slices.IndexFunc(r.Sources, func(s recording.Source) bool { return s.Name == f.Name })
		if i >= 0 && len(r.Received) > 0 {
			r.Sources[i].Unheard = ofOne(states, f.Head(mostText))
			continue
		}
		if i < 0 || !slices.Contains(worded, r.Sources[i].Format) {
			continue
		}
		text := bytes.Join(bytes.Fields(f.Head(mostText)), []byte(" "))
		r.Sources[i].Unheard = saysNoneCame(text) && due(states, text)
	}
}

// ofOne says whether a line says so, and names by its id a payment that has come to its end.
func ofOne(states map[string]string, text []byte) bool {
	for line := range bytes.Lines(text) {
		if len(line) > mostLine || !saysNoneCame(line) {
			continue
		}
		for _, id := range trail.UUIDs().FindAllString(strings.ToLower(string(line)), -1) {
			if slices.Contains([]string{"Paid", "Failed", "Denied"}, states[id]) {
				return true
			}
		}
	}
	return false
}

// mostLine is how long a line of words is at most, in bytes.
const mostLine = 2000

// worded are the formats of files that may hold words of people.
var worded = []string{recording.Words, "pasted", "curl", "http-messages", "table"}

// statesOf are the newest states that calls were told of payments and companies, by their ids or references in small letters.
func statesOf(r *recording.Recording) map[string]string {
	states := map[string]string{}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		told := trail.ReadBody(x.Answer.Body)
		state, path := told.Text("status"), strings.Split(strings.ToLower(strings.TrimSuffix(x.Path, "/")), "/")
		if x.Method == "GET" && x.Answer.Status == 200 && state != "" && len(path) > 2 && path[len(path)-1] == "status" && slices.Contains([]string{"payment", "company"}, path[len(path)-3]) {
			states[path[len(path)-2]] = state
		}
	}
	return states
}

// due says whether an event tells of each state that a text names, or of all where it names none.
func due(states map[string]string, text []byte) bool {
	words := map[string]bool{}
	for word := range strings.FieldsFuncSeq(strings.ToLower(string(text)), func(r rune) bool {
		return !strings.ContainsRune("-_.:#@+", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		words[strings.Trim(word, "-_.:#@+")] = true
	}
	named, open := 0, 0
	for _, all := range []bool{false, true} {
		for about, state := range states {
			if !all && !words[about] {
				continue
			}
			if named++; !slices.Contains([]string{"Processing", "Paid", "Failed", "Denied", "Verified", "Rejected"}, state) {
				open++
			}
		}
		if named > 0 {
			break
		}
	}
	return open == 0
}

// saysNoneCame says whether a text tells so, but for one that tells that none is wanted.
func saysNoneCame(text []byte) bool {
	for _, found := range noneCame().FindAll(text, mostAgain) {
		if !unwanted().Match(found) {
			return true
		}
	}
	return false
}

var (
	noneCame = trail.Pattern(`(?i)\b(?:no|never|not|nor|neither|without|zero|haven['’]?t|hasn['’]?t|hadn['’]?t|didn['’]?t|wasn['’]?t|weren['’]?t|kein\w*|nie|nicht|ningún|ninguna|nunca|aucune?|jamais|nessun\w*)\b[^.!?;:]{0,50}?\b(?:web ?hooks?|callbacks?|notifi\w+|told|informed|benachrichtig\w*|notific\w+|avis\w+|prévenus?)\b|\b(?:web ?hooks?|callbacks?|notifications?)\b[^.!?;:]{0,40}?\b(?:never|not|didn['’]?t|hasn['’]?t|missing|nie|nicht|nunca|jamais)\b`)
	unwanted = trail.Pattern(`(?i)\b(?:us(?:e|es|ed|ing)|need(?:ed|s)?|want(?:ed|s)?|implement\w*|support\w*|poll\w*|brauch\w*|nutz\w*|verwend\w*)\b`)
)
