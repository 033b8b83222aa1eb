package scrub

import (
	"slices"
	"strings"

	"paysandbox/harness/trail"
)

// Members and fields are named by who made the program, so that no list has all their names: what is of people is known by how a name
// ends. The names of things stay, and so do those of the service's own members.

// ofThings is what stands before "name" where that is no person's, and no company's.
var ofThings = strings.Fields(`action api app application area attribute bank batch bean branch brand browser bucket build campaign category channel class cluster code color column
	command component config container cookie country course culture currency database dataset db department device directory dns document domain engine
	entity entry env environment event exception exchange extension feature field file folder format framework function gateway group handler header host
	hub image index instance integration interface item job key kind label language lesson level library locale log logger machine measure method
	metric mode model module namespace network node object operation option os package page param parameter partition path payload paymentmethod period
	permission pipeline plan platform plugin pod policy pool price procedure process product program programme project property protocol proxy queue
	realm region release report repo repository resource role room route row rule runtime scheme schema scope scenario screen script section sensor
	series server service session setting shard source space stack stage state step storage stream style subject subscription suite symbol system table
	tag target task team template test theme thread tier timezone time token tool topic tour trigger type unit variable version view volume widget
	window worker workflow workspace zone list spreadsheet`)

// ofWorld are things that everybody calls alike: {"currencyCode":{"displayName":"US Dollar"}}.
var ofWorld = strings.Fields("country culture currency language locale region timezone unit")

// ofCompanies is what stands before "name" where it is a company's, or a place's.
var ofCompanies = strings.Fields(`business clinic club company employer firm gym hospital legal location merchant office org organisation organization partner
	practice recipient school shop site store studio trade trading university vendor`)

// roles are those in which people stand, whose names are often the value itself: {"patient":"Jane Doe"}.
var roles = strings.Fields(`applicant attendee attention attn beneficiary billto borrower buyer camper caregiver cardholder child client coach contact creditor customer
	debtor dependent doctor donor employee enduser guardian guest holder insured instructor member nominee owner participant passenger patient payee payer
	person physician policyholder pupil purchaser recipient resident sender shipto shopper signatory signer spouse student subscriber teacher tenant
	therapist tutor user`)

// endings say of what is no name of a person's what kind a value is.
var endings = []struct {
	end  string
	kind kind
}{
	{"phone", telephone},
	{"fax", telephone},
	{"whatsapp", telephone},
	{"birthday", birthday},
	{"birthdate", birthday},
	{"dateofbirth", birthday},
	{"zipcode", zip},
	{"postcode", zip},
	{"postalcode", zip},
	{"passport", account},
	{"passportno", account},
	{"driverslicense", account},
	{"driverlicense", account},
	{"nationalid", account},
	{"medicalrecordnumber", account},
	{"mrn", account},
}

// byEnding is the kind of a bare name that no list has.
func byEnding(name string) kind {
	before, isName := strings.CutSuffix(name, "name")
	switch {
	case strings.HasPrefix(name, "nameon") || strings.HasPrefix(name, "nameof"):
		return person
	case isName && before == "", isName && endsWith(before, ofThings):
		return keep
	case isName && endsWith(before, ofCompanies):
		return company
	case isName:
		return person
	}
	for _, e := range endings {
		if strings.HasSuffix(name, e.end) {
			return e.kind
		}
	}
	return keep
}

// endsWith says whether a name is one of a list, or ends with one that is so long that nothing else ends with it.
func endsWith(name string, list []string) bool {
	return slices.ContainsFunc(list, func(end string) bool { return name == end || len(end) > 4 && strings.HasSuffix(name, end) })
}

// directly is the kind of a text that is the value of a member itself, and not of what stands below: {"customer":"Jane Doe"} is a name,
// and {"customer":{"status":"Active"}} has none.
func directly(name string) kind {
	switch one := strings.TrimSuffix(name, "s"); {
	case name == "feepayer" || name == "placeholder":
		return keep
	case endsWith(name, []string{"attachment", "filecontent", "document", "image", "photo", "picture", "avatar", "scan", "pdf"}), endsWith(one, []string{"attachment", "document", "image", "photo"}):
		return file
	case strings.HasSuffix(name, "address"), strings.Contains(name, "addressline"):
		return street
	case endsWith(one, roles):
		return person
	default:
		return keep
	}
}

var (
	// likeName is a text that may be somebody's name, where one is expected.
	likeName = trail.Pattern(`^[\p{L}\p{M}][\p{L}\p{M} .,'’-]{0,78}[\p{L}\p{M}.]$`)
	// likeAddress is a text that may be a line of somebody's address: words with a number.
	likeAddress = trail.Pattern(`^[^@:/{}<>]*[\p{L}][^@:/{}<>]*$`)
	// likeFullName is a text that reads like a name wherever it stands: two words or more, each with a capital.
	likeFullName = trail.Pattern(`^\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}\.?)?(?: (?:de|da|di|del|der|van|von|la|le|bin|al))*(?: \p{Lu}[\p{L}\p{M}'’-]+){1,3}$`)
)

// suits says whether a text can be what its member's name says that it is.
func suits(k kind, value string) bool {
	switch k {
	case person:
		return likeName().MatchString(value) && !protocol[strings.ToLower(value)]
	case street:
		return strings.Contains(strings.TrimSpace(value), " ") && len(value) < 200 && likeAddress().MatchString(value)
	case file:
		return len(value) >= 16 && !strings.Contains(value, "://") && !strings.ContainsAny(value, " \t{<")
	default:
		return k != keep
	}
}

// kindOfText is the kind of a text under a bare name.
func kindOfText(name, value string) kind {
	if k := named(name); k != keep {
		return k
	}
	if k := directly(name); suits(k, value) {
		return k
	}
	return keep
}

// mayBeName lists a text that reads like somebody's name and that no rule knows.
func (s *Scrubber) mayBeName(value, where string) {
	if s.learning || s.o.KeepData || len(value) > 80 || !likeFullName().MatchString(value) {
		return
	}
	for word := range strings.FieldsSeq(strings.ToLower(value)) {
		if protocol[word] {
			return
		}
	}
	s.report.named(s.at, where)
}
