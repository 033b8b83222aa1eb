package text

import (
	"encoding/json"
	"strings"

	"paysandbox/harness/replay/read/filter"
	"paysandbox/harness/replay/recording"
)

// filtering is what stands behind the call that was begun by a command, and what it has printed so far.
type filtering struct {
	*filter.Filter
	objects [][]byte
}

// linesTraced is how many lines around a command are looked through for the others of its pipe, as a shell tells them.
const linesTraced = 12

// filteredBy is the filter behind the call of a command.
func (p *pasted) filteredBy(m mark) filtering {
	if !strings.HasPrefix(p.marks.lineText(m.line), "+ ") {
		return filtering{Filter: filter.Of(m.text)}
	}
	var above, below []string
	for i := max(0, m.line-linesTraced); i < m.line; i++ {
		above = append(above, p.marks.lineText(i))
	}
	end := m.line + 1 + strings.Count(m.text, "\n")
	for i := end; i < min(end+linesTraced, len(p.marks.starts)-1); i++ {
		below = append(below, p.marks.lineText(i))
	}
	return filtering{Filter: filter.Traced(above, below)}
}

// filtered takes an object that a filter has printed of an answer: what it leaves out may have been there.
func (p *pasted) filtered(m mark, body []byte) bool {
	f, x := &p.filter, p.call
	if f.Filter == nil || x == nil || body == nil || m.asked || x.Answer.Known == recording.Whole && f.objects == nil || x.Answer.Known == recording.NeverArrived {
		return false
	}
	if len(f.objects) < mostAnswers {
		f.objects = append(f.objects, body)
	}
	made := f.Answer(x.Path, f.objects)
	if made == nil {
		p.part.SkipKind(recording.OfCall, p.part.Line(m.line+1), "what a program of the partner has printed of an answer, which does not tell what that held")
		return true
	}
	if x.Answer.Known == recording.NotRecorded {
		x.Answer.Status = 200
		var problem struct{ Status json.Number }
		_ = json.Unmarshal(made, &problem) // what is none has no status
		if code, err := problem.Status.Int64(); err == nil && code >= 400 && code < 600 {
			x.Answer.Status = int(code)
		}
		p.part.SkipKind(recording.OfCall, p.part.Line(m.line+1), "the answer of a call, of which a filter has printed a part")
		p.ended()
	}
	x.Answer.Known, x.Answer.Body, p.sure = recording.Whole, made, true
	return true
}
