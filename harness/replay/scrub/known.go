package scrub

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"paysandbox/harness/trail"
)

// value is one of people's that was replaced where its kind was known, as it was written and as words,
// and its stand-in; "" where it is only told of.
type value struct {
	words            []string
	written, standIn string
	kind             kind
}

// leastLetters is how long a word is at least by which a value is known elsewhere: shorter ones are anything.
const leastLetters = 4

// leastOfCompany is how long the first word of a company's name is at least by which it is known elsewhere.
const leastOfCompany = 5

// leastDigits is how long a number is at least by which it is known elsewhere.
const leastDigits = 9

// protocol are words of paths, members and states, which stay where they stand though somebody is called so.
var protocol = wordSet(`account accepted activate active amount auth authentication card cardpayment client company completed consent contact create
	customer data debit decline declined denied draft email employees event failed false link list live location locations name null number once owner
	paid pause paused payer payers payment pending person phone plan processing queued reference refund register registered registration rejected report
	revoked saved scheduled secret sent state status street success test text title token transaction true type unverified user value verified
	ask authorised bank bearer cancel canceled cancelled cardauth cardpaymentmethods challenged charge chargesavedcard created day debitauth external
	externalauthlink inreview linktoken method methods month partner paymentplan paymentrequest processed quarter recurring request review terminal week year`)

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(text) {
		set[word] = true
	}
	return set
}

// meet keeps a value of people's, and the parts of a name, by which it is known where no kind is: in a
// reference, in metadata, in texts.
func (s *Scrubber) meet(k kind, was, standIn string) {
	if !slices.Contains([]kind{person, company, street, city, birthday, telephone, ssn, taxID, account, routing, zip}, k) {
		return
	}
	if k == telephone {
		was, standIn = digits(was), digits(standIn)
		if n := len(was) - 10; n > 0 {
			s.keepValue(k, was[n:], standIn[max(0, len(standIn)-10):], false)
		}
	}
	s.keepValue(k, was, standIn, false)
	parts := split(was)
	if len(parts) < 2 || k != person && k != company {
		return
	}
	s.keepValue(k, strings.Join(parts, ""), "another", false) // written in one word
	if k == company {
		s.meetFirst(parts)
	}
	letters := ""
	for _, part := range parts {
		first, _ := utf8.DecodeRuneInString(part)
		letters += string(unicode.ToUpper(first))
	}
	s.initials[letters] = k
	for _, part := range parts {
		if k == person && !unicode.IsDigit(rune(part[0])) {
			s.keepValue(k, part, "another", true)
		}
	}
}

// meetFirst keeps the first words of a company's name: references are made of them, maple-vet of Maple Vet Clinic.
func (s *Scrubber) meetFirst(parts []string) {
	for n := len(parts) - 1; n > 0; n-- {
		if n > 1 || len(parts[0]) >= leastOfCompany && !unicode.IsDigit(rune(parts[0][0])) {
			s.keepValue(company, strings.Join(parts[:n], " "), "another", n == 1)
			s.keepValue(company, strings.Join(parts[:n], ""), "another", n == 1)
		}
	}
}

// keepValue keeps a value by its first word. What is short may be anything, and is only told of; a part of a
// name that is short, and what is a word of the service's, is not even that.
func (s *Scrubber) keepValue(k kind, was, standIn string, part bool) {
	words := split(was)
	if len(words) == 0 || strings.EqualFold(was, standIn) {
		return
	}
	v := value{words: words, written: was, standIn: standIn, kind: k}
	if first := words[0]; len(words) == 1 {
		short := len(first) < leastLetters
		if protocol[first] || short && (part || unicode.IsDigit(rune(first[0]))) {
			return
		}
		if short || len(first) < leastDigits && unicode.IsDigit(rune(first[0])) {
			v.standIn = ""
		}
	}
	if of, taken := s.owners[strings.ToLower(standIn)]; !taken {
		s.owners[strings.ToLower(standIn)] = strings.ToLower(was)
	} else if of != strings.ToLower(was) {
		s.owners[strings.ToLower(standIn)] = ""
	}
	list := s.people[words[0]]
	if slices.ContainsFunc(list, func(other value) bool { return slices.Equal(other.words, words) }) {
		return
	}
	list = append(list, v)
	slices.SortStableFunc(list, func(a, b value) int { return cmp.Compare(len(b.words), len(a.words)) })
	s.people[words[0]] = list
}

// split are the words of a text in small letters: runs of letters, and runs of digits.
func split(text string) []string {
	var list []string
	for from := 0; from < len(text); {
		from = nextWord(text, from)
		to := endOfWord(text, from)
		if to > from {
			list = append(list, strings.ToLower(text[from:to]))
		}
		from = to
	}
	return list
}

// nextWord is where the next word of a text begins.
func nextWord(text string, from int) int {
	if i := strings.IndexFunc(text[from:], func(r rune) bool { return !apart(r) }); i >= 0 {
		return from + i
	}
	return len(text)
}

// wordOf is the kind of word that a sign belongs to, 0 for none.
func wordOf(r rune) int {
	switch {
	case unicode.IsDigit(r):
		return 1
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return 2
	default:
		return 0
	}
}

func apart(r rune) bool { return wordOf(r) == 0 }

func endOfWord(text string, from int) int {
	first, _ := utf8.DecodeRuneInString(text[from:])
	if i := strings.IndexFunc(text[from:], func(r rune) bool { return wordOf(r) != wordOf(first) }); i >= 0 {
		return from + i
	}
	return len(text)
}

// mostBetween is how much stands between two words of one value at most: "Ada Lovelace", "Lovelace, Ada" not.
const mostBetween = 2

// abbreviation is where initials may stand: with a point behind each, or with a number, as in a reference.
// Two letters alone may be anything.
var abbreviation = trail.Pattern(`\b[A-Z](?:\. ?[A-Z]){1,4}\.|\b[A-Z]{2,5}[-_#/]?[0-9]|[0-9][-_#/]?[A-Z]{2,5}\b`)

func onlyCapitals(r rune) rune {
	if r < 'A' || r > 'Z' {
		return -1
	}
	return r
}

// met is a text in which the values of people's that were met elsewhere are replaced.
func (s *Scrubber) met(text string) string {
	if s.learning || len(s.people) == 0 {
		return text
	}
	for _, found := range abbreviation().FindAllString(text, -1) {
		if k, ok := s.initials[strings.Map(onlyCapitals, found)]; ok {
			s.report.leave(s.at, "the initials of a "+string(k))
		}
	}
	var out strings.Builder
	done := 0
	for from := nextWord(text, 0); from < len(text); {
		end := endOfWord(text, from)
		for _, v := range s.people[strings.ToLower(text[from:end])] {
			to, ok := v.ends(text, end)
			if !ok {
				continue
			}
			if v.standIn == "" {
				s.report.leave(s.at, "a "+string(v.kind))
				continue
			}
			out.WriteString(text[done:from])
			out.WriteString(s.like(&v, text[from:to]))
			s.report.count(v.kind)
			done, end = to, to
			break
		}
		if done <= from {
			if a, b, v := s.within(text, from, end); v != nil {
				out.WriteString(text[done:a] + s.like(v, text[a:b]))
				s.report.count(v.kind)
				done, end = b, b
			}
		}
		from = nextWord(text, end)
	}
	return out.String() + text[done:]
}

// mostParts bounds the parts of a name such as hillsideFitnessId.
const mostParts = 12

// within finds a value that was met among the parts of a word, each of which begins with a capital.
func (s *Scrubber) within(text string, from, end int) (begin, behind int, v *value) {
	at := []int{from}
	for i := from + 1; i < end && len(at) < mostParts; i++ {
		if 'A' <= text[i] && text[i] <= 'Z' && 'a' <= text[i-1] && text[i-1] <= 'z' {
			at = append(at, i)
		}
	}
	at = append(at, end)
	for i := 0; i < len(at)-1 && len(at) > 2; i++ {
		for k := len(at) - 1; k > i; k-- {
			list := s.people[strings.ToLower(text[at[i]:at[k]])]
			for n := range list {
				if len(list[n].words) == 1 && list[n].standIn != "" {
					return at[i], at[k], &list[n]
				}
			}
		}
	}
	return 0, 0, nil
}

// ends is where a value ends in a text in which its first word does, and whether it stands there.
func (v *value) ends(text string, end int) (int, bool) {
	for _, word := range v.words[1:] {
		from := nextWord(text, end)
		if from-end > mostBetween || from == len(text) {
			return 0, false
		}
		if end = endOfWord(text, from); strings.ToLower(text[from:end]) != word {
			return 0, false
		}
	}
	return end, true
}

// like is what stands in the place of a value: its stand-in where it is written as it was and no other has the same; else, for
// references must stay apart, a letter for each letter of its words, in any text the same. Numbers keep what stands between them.
func (s *Scrubber) like(v *value, text string) string {
	if slices.Contains([]kind{person, company, street, city}, v.kind) {
		if s.owners[strings.ToLower(v.standIn)] != "" && strings.EqualFold(text, v.written) {
			return v.standIn
		}
		return s.wordwise(v.kind, text)
	}
	if first := endOfWord(text, 0); len(v.words) > 1 && apart(rune(text[first])) {
		return strings.Join(strings.FieldsFunc(v.standIn, apart), text[first:first+1])
	}
	return v.standIn
}

// wordwise changes each word by itself, in any case of letters alike.
func (s *Scrubber) wordwise(k kind, text string) string {
	var b strings.Builder
	for done := 0; done < len(text); {
		from := nextWord(text, done)
		to := endOfWord(text, from)
		b.WriteString(text[done:from])
		was, is := []rune(text[from:to]), []rune(s.shaped(k, strings.ToLower(text[from:to])))
		for i := range min(len(was), len(is)) {
			if unicode.IsUpper(was[i]) {
				is[i] = unicode.ToUpper(is[i])
			}
		}
		b.WriteString(string(is))
		done = to
	}
	return b.String()
}
