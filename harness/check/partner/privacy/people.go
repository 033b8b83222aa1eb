package privacy

import (
	"maps"
	"slices"
	"strings"

	"paysandbox/harness/trail"
	"paysandbox/mockserver/tape"
)

// The forms of personal data that are known without knowing the person: an
// e-mail address, a telephone number with a plus sign or as it is written in the
// United States, and a social security number.
var (
	emailForm = trail.Pattern(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}`)
	phoneForm = trail.Pattern(`(?:^|[^0-9A-Za-z])(?:\+[1-9][0-9]{9,14}|(\+?1[ .-]?)?(\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[ .-])[2-9][0-9]{2}[ .-]([0-9]{4}))(?:$|[^0-9A-Za-z])`)
	// birthForm is a date of birth by its name; a birthday that is still to come is a party.
	birthForm = trail.Pattern(`(?i)(?:^|[^a-z])(?:dob|born(?: on)?|birth ?da(?:y|te)|date ?of ?birth)\b[^0-9A-Za-z]{1,4}(?:(?:[0-9]{1,2}[-/. ]){2}(?:19[0-9]{2}|20[01][0-9])|(?:19[0-9]{2}|20[01][0-9])[-/. ][0-9]{1,2}[-/. ][0-9]{1,2})(?:$|[^0-9])`)
	ssnForm   = trail.Pattern(`(?:^|[^0-9A-Za-z-])([0-8][0-9]{2})-([0-9]{2})-([0-9]{4})(?:$|[^0-9A-Za-z-])`)
)

// people are the persons that a tape tells of: their names and e-mail addresses as
// words, and their telephone numbers as digits. Addresses and numbers are known by
// their form too.
type people struct {
	phones        map[string]bool
	lengths       map[int]bool
	names, emails phrases
	// full are the names as they were given, joined their letters without spaces, by
	// the first of them.
	full   map[string]bool
	joined map[string][]string
	// begins says of two bytes whether the letters of a name begin so.
	begins [1 << 16]bool
	// firms are the names of companies and locations, which may be called after
	// a person.
	firms []string
}

// knownPeople reads them from the bodies of calls and from the tasks.
func knownPeople(t *trail.Trail) *people {
	return trail.Once(t, "people", func() *people { return readPeople(t) })
}

func readPeople(t *trail.Trail) *people {
	p := &people{
		phones: map[string]bool{}, lengths: map[int]bool{}, names: phrases{}, emails: phrases{},
		full: map[string]bool{}, joined: map[string][]string{},
	}
	for e := range t.Of(tape.KindExchange) {
		p.learn(e.Exchange.Operation, t.Sent(e.Exchange))
	}
	for _, o := range t.Tasks().List {
		p.learn(o.Do, trail.ReadBody(o.With))
	}
	for e := range t.Of(tape.KindMessage) {
		p.reach(e.Message.To)
	}
	p.spell()
	return p
}

// longRun is from how many letters on a name in one word is no chance, by the first
// shortRun of which it is looked up.
const (
	longRun  = 9
	shortRun = 4
)

// spell takes out the names of which a firm is called, and adds the other spellings
// of the rest: the family name first, and all in one word.
func (p *people) spell() {
	all := phrases{}
	for name := range p.full {
		all.add(name)
	}
	for _, firm := range p.firms {
		for _, name := range all.in(firm) {
			delete(p.full, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.full)) {
		list := strings.Fields(name)
		last := len(list) - 1
		p.names.add(name)
		p.names.add(" " + strings.Join(slices.Concat(list[last:], list[:last]), " ") + " ")
		if in := strings.Join(list, ""); len(in) >= longRun {
			p.joined[in[:shortRun]] = append(p.joined[in[:shortRun]], in)
			p.begins[uint16(in[0])<<8|uint16(in[1])] = true
		}
	}
}

// learn reads what a call or a task tells of people.
func (p *people) learn(operation string, b trail.Body) {
	if operation == "createCompany" || operation == "addLocation" {
		p.firms = append(p.firms, words(b.Text("name")))
		for _, l := range b.List("locations") {
			p.firms = append(p.firms, words(l.Text("name")))
		}
		p.person(b.Object("owner"))
		for _, employee := range b.List("employees") {
			p.person(employee)
		}
		return
	}
	p.reach(b.Text("mobileNumber"), b.Text("contactNumber"), b.Text("phoneNumber"), b.Text("email"), b.Text("emailAddress"))
	for _, name := range []string{"payer", "payerName", "fullName", "person"} {
		p.called(b.Text(name))
	}
	if operation == "registerUser" {
		p.called(b.Text("name"))
	}
}

// person reads a person of a company.
func (p *people) person(b trail.Body) {
	p.called(b.Text("name"))
	p.reach(b.Text("emailAddress"), b.Text("contactNumber"))
}

// reach keeps the addresses and numbers by which a person is reached.
func (p *people) reach(values ...string) {
	for _, v := range values {
		if strings.Contains(v, "@") {
			p.emails.add(words(v))
		} else if d := strings.TrimPrefix(digits(v), "1"); len(d) >= 10 {
			p.phones[d], p.lengths[len(d)] = true, true
		}
	}
}

// called keeps a full name; a first name alone is none.
func (p *people) called(name string) {
	if plain := words(name); strings.Count(plain, " ") >= 3 {
		p.full[plain] = true
	}
}

// any says whether anything is known of anybody.
func (p *people) any() bool { return len(p.emails)+len(p.phones)+len(p.full) > 0 }

// in says what personal data a text holds, in plain letters or in Base64, without
// saying it again; "" for none.
func (p *people) in(text string) string {
	if what := p.plainly(text); what != "" {
		return what
	}
	for _, plain := range unwrapped(text) {
		if what := p.plainly(plain); what != "" {
			return what + " in Base64"
		}
	}
	return ""
}

func (p *people) plainly(text string) string {
	plain, rows := words(text), numbers.runs(text)
	switch {
	case strings.Contains(text, "@") && emailForm().MatchString(text),
		!strings.Contains(text, "://") && len(p.emails.in(plain)) > 0: // a host may read like one
		return "an e-mail address"
	case slices.ContainsFunc(rows, p.phone):
		return "a telephone number"
	case slices.ContainsFunc(rows, security):
		return "a social security number"
	case strings.Contains(plain, "b") && strings.ContainsAny(text, figureSigns) && birthForm().MatchString(text):
		return "a date of birth"
	case p.named(plain):
		return "a person's full name"
	}
	return ""
}

// security says whether a text holds what looks like a social security number:
// none begins with 000 or 666, or has a group of noughts.
func security(text string) bool {
	for _, m := range ssnForm().FindAllStringSubmatch(text, -1) {
		month := year(m[3]) && m[2] <= "12"
		if m[1] != "000" && m[1] != "666" && m[2] != "00" && m[3] != "0000" && !month {
			return true
		}
	}
	return false
}

// year says whether four digits are more likely a year.
func year(digits string) bool {
	return strings.HasPrefix(digits, "19") || strings.HasPrefix(digits, "20")
}

// named says whether words hold a known full name, as whole words or in one.
func (p *people) named(plain string) bool {
	if len(p.names.in(plain)) > 0 {
		return true
	}
	for i := 0; i+longRun <= len(plain); i++ {
		if !p.begins[uint16(plain[i])<<8|uint16(plain[i+1])] {
			continue // before a name is looked up
		}
		if slices.ContainsFunc(p.joined[plain[i:i+shortRun]], func(name string) bool { return strings.HasPrefix(plain[i:], name) }) {
			return true
		}
	}
	return false
}

// sorted are the names of the members of an object, in byte order.
func sorted(members map[string]any) []string { return slices.Sorted(maps.Keys(members)) }
