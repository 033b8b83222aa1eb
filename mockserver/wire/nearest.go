package wire

import (
	"strings"

	"paysandbox/mockserver/spelling"
)

// secrets knows which member names of a request hold secrets, also where the
// name stands in the wrong place or is misspelt.
type secrets struct {
	known  map[string]bool // folded name → is masked
	masked []string        // folded, in the order of the fields
}

// secretParts are parts of folded names that say that the value is a secret.
var secretParts = []string{
	"ssn", "socialsecurity", "secret", "password", "passwd", "passphrase", "cvv", "cvc", "iban",
	"cardnumber", "accountnumber", "routingnumber", "taxid", "document", "accesstoken",
}

// newSecrets collects the names of a plan and all plans below it.
func newSecrets(p *plan) *secrets {
	s := &secrets{known: map[string]bool{}}
	s.collect(p)
	return s
}

func (s *secrets) collect(p *plan) {
	for i := range p.fields {
		f := &p.fields[i]
		low := strings.ToLower(f.name)
		if f.mask && !s.known[low] {
			s.masked = append(s.masked, low)
		}
		s.known[low] = s.known[low] || f.mask
		if f.sub != nil {
			s.collect(f.sub)
		}
	}
}

// has reports whether a member of that name, found where no field takes it,
// is to be masked.
func (s *secrets) has(name string) bool {
	var buf [maxName]byte
	low := string(fold(buf[:0], name[:min(len(name), maxName)]))
	if masked, ok := s.known[low]; ok {
		return masked
	}
	for _, part := range secretParts {
		if strings.Contains(low, part) {
			return true
		}
	}
	for _, m := range s.masked {
		if spelling.Within(low, m, min(len(m)/4+1, 2)) {
			return true
		}
	}
	return false
}

// nearest gives the plan's member name that a wrong one was probably meant to
// be, or "".
func (p *plan) nearest(name string) string {
	if len(name) > maxName {
		return ""
	}
	var buf [maxName]byte
	low := string(fold(buf[:0], name))
	best, at := len(low)/3+2, ""
	for i := range p.fields {
		if known := strings.ToLower(p.fields[i].name); spelling.Within(low, known, best-1) {
			best, at = spelling.Edits(low, known), p.fields[i].name
		}
	}
	return at
}
