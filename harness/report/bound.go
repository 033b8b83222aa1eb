package report

import (
	"slices"

	"paysandbox/harness/report/words"
)

// What a report keeps of each clause, however long the run was.
const (
	// MaxEvidence is the number of pieces of evidence.
	MaxEvidence = 8
	// MaxEntries is the number of tape entries that a piece of evidence names.
	MaxEntries = 20
	// MaxText is the number of bytes of an expectation, of what was received, of a
	// hint and of a reason.
	MaxText = 4000
	// MaxMessage is the number of bytes of an excerpt's request or response.
	MaxMessage = 8000
	// MaxCited is the number of entries that are cited, and maxCitedText that of the bytes
	// that their texts have together.
	MaxCited     = 2000
	maxCitedText = 512 << 10
)

// fewer is the judgement with no more evidence than a report keeps, each naming no
// more entries. It is cheap: what is left out is not looked at.
func fewer(c ClauseResult) ClauseResult {
	if more := len(c.Evidence) - MaxEvidence; more > 0 {
		c.Evidence, c.MoreEvidence = c.Evidence[:MaxEvidence], c.MoreEvidence+more
	}
	c.Evidence = slices.Clone(c.Evidence)
	for i := range c.Evidence {
		e := &c.Evidence[i]
		if more := len(e.Entries) - MaxEntries; more > 0 {
			e.Entries, e.MoreEntries = e.Entries[:MaxEntries], e.MoreEntries+more
		}
	}
	return c
}

// shorter cuts the texts of a judgement that has been struck: before, the cut could
// leave the half of a secret that nobody knows any more. It changes the judgement.
func shorter(c ClauseResult) ClauseResult {
	c.Reason = words.Shortened(c.Reason, MaxText)
	for i := range c.Evidence {
		e := &c.Evidence[i]
		e.Expected, e.Received, e.Hint = words.Shortened(e.Expected, MaxText), words.Shortened(e.Received, MaxText), words.Shortened(e.Hint, MaxText)
		e.Request, e.Response = words.Shortened(e.Request, MaxMessage), words.Shortened(e.Response, MaxMessage)
	}
	return c
}
