package text

import (
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/trail"
)

// printsVariable is a line of PowerShell's prompt that prints a variable, and setByCall how one is set to what a call is answered with.
var (
	printsVariable = trail.Pattern(`(?i)^PS [^>\n]{0,200}> ?(?:.*;)?\s*(\$\w+)\s*$`)
	setByCall      = trail.Pattern(`(?i)(\$\w+)\s*=\s*\(?(?:Invoke-|irm\b|iwr\b)`)
)

// printed takes an object that stands below a line which prints a variable, and is no answer, for what the variable is.
func (p *pasted) printed(m mark) bool {
	if m.line == 0 || m.cut {
		return false
	}
	found := printsVariable().FindStringSubmatch(p.marks.lineText(m.line - 1))
	if found == nil {
		return false
	}
	if p.answers == nil {
		p.answers = map[string]bool{}
		for _, set := range setByCall().FindAllStringSubmatch(p.marks.text, source.MaxEntries) {
			p.answers[strings.ToLower(set[1])] = true
		}
	}
	name := strings.ToLower(found[1])
	if p.answers[name] {
		return false
	}
	p.power[name] = m.text
	return true
}
