package writeout

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// naming is what a scenario calls what there is. Steps speak of one of a kind by its noun; where there
// are several, each that is spoken of again gets a name of its own, under which the story comes back to it.
type naming struct {
	// known is what the story calls recorded ids, current the ids of which the nouns speak.
	known, current map[string]string
	// number is the how manieth of its kind an id is, lineOf the line that tells that a payer was made.
	number, lineOf map[string]int
	// owner is the company that has a reference.
	owner map[string]string
}

func newNaming() naming {
	return naming{known: map[string]string{}, current: map[string]string{}, number: map[string]int{}, lineOf: map[string]int{}, owner: map[string]string{}}
}

// nounOf is what the story calls a type of id.
var nounOf = map[correlate.Type]string{
	correlate.Company: "company", correlate.Location: "location", correlate.Registration: "payer", correlate.Payment: "payment", correlate.Card: "card",
	correlate.Plan: "plan", correlate.Consent: "consent",
}

// kinds are the nouns that a step speaks of when it has made something.
func kinds(noun string) []string {
	switch noun {
	case "payment request":
		return []string{"payment"}
	case "card authorisation":
		return []string{"card authorisation", "payment"}
	default:
		return []string{noun}
	}
}

// article counts one more of a kind and gives its article. Another payer has another number; of all else the noun speaks of
// the newest, and the one before it is called something.
func (f *scenario) article(noun string) string {
	f.told[noun]++
	if noun == "payer" && f.current[noun] != "" {
		return "another"
	}
	for _, kind := range kinds(noun) {
		f.leaves(kind)
	}
	if noun == "company" {
		f.leaves("location")
	}
	return "a"
}

// count is how many there are of a kind by now; a card authorisation is a payment too.
func (f *scenario) count(noun string) int {
	if noun == "payment" || noun == "payment request" || noun == "card authorisation" {
		return f.told["payment"] + f.told["payment request"] + f.told["card authorisation"]
	}
	return f.told[noun]
}

// newest gives what was made its name.
func (f *scenario) newest(noun, article, id string) {
	if id == "" {
		return
	}
	kind := kinds(noun)[0]
	f.number[id] = f.count(noun)
	if article == "another" {
		if f.speaks(f.step+1, id) {
			f.known[id] = fmt.Sprintf("%s %d", kind, f.number[id])
			f.given(`the other %s is called "%s"`, kind, f.known[id])
		}
		return
	}
	f.known[id] = kind
	for _, kind := range kinds(noun) {
		f.current[kind] = id
	}
}

// place gives a company's reference and its first location their names.
func (f *scenario) place(x *recording.Exchange, list []correlate.Value) {
	if ref := trail.ReadBody(x.Body).Text("companyReferenceId"); ref != "" {
		f.known[strings.ToLower(ref)] = "company's reference"
		f.owner[strings.ToLower(ref)] = f.current["company"]
	}
	if i := slices.IndexFunc(list, func(v correlate.Value) bool { return v.Type == correlate.Location }); i >= 0 {
		f.told["location"]++
		f.newest("location", "a", strings.ToLower(list[i].Text))
	}
}

// leaves says that a noun is going to speak of another one: the one that it speaks of is called something, if it is spoken of again.
func (f *scenario) leaves(noun string) {
	id := f.current[noun]
	delete(f.current, noun)
	if id == "" || f.known[id] != noun {
		return // it has a name of its own
	}
	var group []string
	for one, name := range f.known {
		if name == noun || name == noun+"'s reference" {
			group = append(group, one)
		}
	}
	again := f.speaks(f.step, group...)
	name := fmt.Sprintf("%s %d", noun, max(1, f.number[id]))
	if again {
		f.given(`the %s is called "%s"`, noun, name)
	}
	for _, one := range group {
		if !again {
			delete(f.known, one)
			continue
		}
		f.known[one] = strings.Replace(f.known[one], noun, name, 1)
	}
}

// turn has a noun speak of one of its kind, and says whether it does. What answers do not show the ids of has no names: steps
// speak of the only one.
func (f *scenario) turn(noun, id string) bool {
	if machine := machines[noun]; machine != "" && f.alone(machine) {
		return true
	}
	id = cmp.Or(f.owner[id], id)
	name := f.known[id]
	switch {
	case f.current[noun] != "" && (id == "" || f.current[noun] == id):
		return true
	case name == "" || name == noun || f.current[name] != "" && f.current[name] != id:
		return false
	}
	f.leaves(noun)
	f.given(`the %s is the one called "%s"`, noun, name)
	f.current[noun] = id
	return true
}

// of has the nouns speak of the payer, the place or the company that a request names.
func (f *scenario) of(noun string, body *trail.Body) {
	for _, of := range [...][2]string{{"registrationId", "payer"}, {"locationId", "location"}} {
		if id := strings.ToLower(body.Text(of[0])); id != "" && noun != "payer" {
			f.turn(of[1], id)
		}
	}
	if ref := strings.ToLower(body.Text("companyReferenceId")); ref != "" && noun == "plan" {
		f.turn("company", ref)
	}
}

// spoken are the values of an answer that later steps speak of, and that have no name yet.
func (f *scenario) spoken(list []correlate.Value) []correlate.Value {
	return slices.DeleteFunc(slices.Clone(list), func(v correlate.Value) bool {
		id := strings.ToLower(v.Text)
		return nounOf[v.Type] == "" || v.Where == "" || f.known[id] != "" || !f.speaks(f.step+1, id)
	})
}

// called gives values of the last answer names.
func (f *scenario) called(list []correlate.Value) {
	for _, v := range list {
		id, noun := strings.ToLower(v.Text), nounOf[v.Type]
		if f.known[id] != "" {
			continue // it stands there twice
		}
		f.told[noun]++
		name := noun
		if f.current[noun] != "" {
			name = fmt.Sprintf("%s %d", noun, f.count(noun))
		} else {
			f.current[noun] = id
		}
		f.number[id], f.known[id] = f.count(noun), name
		f.given(`the answer's %s is called "%s"`, member(v.Where), name)
	}
}

// member writes a JSON pointer as steps name members.
func member(pointer string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		switch {
		case part != "" && strings.Trim(part, "0123456789") == "":
			part = "[" + part + "]"
		case b.Len() > 0:
			part = "." + part
		}
		b.WriteString(part)
	}
	return b.String()
}

// speaks says whether a step from the n-th on is about one of some ids.
func (f *scenario) speaks(n int, ids ...string) bool {
	for i := n; i < len(f.Script.Steps); i++ {
		var text string
		if c := f.Script.Steps[i].Call; c != nil {
			text = c.Exchange.Path + "?" + c.Exchange.Query + " " + string(c.Exchange.Body)
		}
		if m := f.Script.Steps[i].Move; m != nil {
			text += m.Path + " " + string(m.Body)
		}
		text = strings.ToLower(text)
		if slices.ContainsFunc(ids, func(id string) bool { return strings.Contains(text, strings.ToLower(id)) }) {
			return true
		}
	}
	return false
}

// stranger is an id of a call that nothing of the story has made: the call would be refused for that.
func (f *scenario) stranger(x *recording.Exchange) string {
	text := strings.ToLower(target(x) + " " + string(x.Body))
	for _, link := range f.Run.Links.All() {
		if id := strings.ToLower(link.Recorded); nounOf[link.Type] != "" && f.known[id] == "" && strings.Contains(text, id) {
			return link.Recorded
		}
	}
	return ""
}

// named is a text with the story's names in the place of ids.
func (f *scenario) named(text string) string {
	if len(f.known) == 0 {
		return text
	}
	ids := make([]string, 0, len(f.known))
	for id := range f.known {
		ids = append(ids, regexp.QuoteMeta(id))
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }) // a reference may begin another
	return regexp.MustCompile("(?i)"+strings.Join(ids, "|")).ReplaceAllStringFunc(text, func(id string) string {
		return "{" + cmp.Or(f.known[id], f.known[strings.ToLower(id)]) + "}"
	})
}
