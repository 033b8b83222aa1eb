package join

import (
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// Halves puts an answer that is told apart to its call, in a file that tells of each call twice: as
// it is made, with what was sent, and as it is answered, with nothing of that. Calls that send nothing may be told once.
func Halves(p *source.Part) {
	var made []recording.Exchange
	open, taken := 0, map[int]bool{}
	for i, x := range p.Exchanges {
		if taken[i] {
			continue
		}
		if at := otherHalf(p.Exchanges, taken, i); at > 0 {
			x.Answer, x.End, taken[at] = p.Exchanges[at].Answer, p.Exchanges[at].Begin, true
		} else if x.Answer.Known != recording.NotRecorded && x.Answer.Known != recording.NeverArrived && x.Method != "GET" {
			return // a call that is told as a whole
		} else {
			open++
		}
		made = append(made, x)
	}
	if open < len(made) {
		p.Exchanges = made
	}
}

// farHalf is how many calls behind a call its answer may be told, where both tell the same key.
const farHalf = 64

// otherHalf is the place of what tells the answer to a call: right behind it, or the next that tells its key; 0 for none.
func otherHalf(list []recording.Exchange, taken map[int]bool, i int) int {
	a := &list[i]
	if a.Answer.Known != recording.NotRecorded {
		return 0
	}
	key := source.Header(a.Header, "Idempotency-Key")
	for at := i + 1; at < min(len(list), i+farHalf); at++ {
		b := &list[at]
		other := source.Header(b.Header, "Idempotency-Key")
		same := key == other && key != "" || at == i+1 && (key == "" || other == "")
		if same && !taken[at] && answers(b, a) {
			return at
		}
	}
	return 0
}

// answers says whether one tells the answer to the call that another is, and nothing of what was sent.
func answers(b, a *recording.Exchange) bool {
	return b.Answer.Known != recording.NotRecorded && a.Method == b.Method && a.Host == b.Host && a.Path == b.Path && a.Query == b.Query && len(b.Body) == 0 && !tells(b.Header)
}

// tells says whether headers tell more than that bodies are JSON, which readers add.
func tells(list []tape.Header) bool {
	return source.Header(list, "Authorization")+source.Header(list, "User-Agent")+source.Header(list, "Accept") != ""
}
