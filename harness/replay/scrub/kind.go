package scrub

import (
	"slices"
	"strings"
	"unicode"
)

// kind is a kind of what is replaced.
type kind string

// The kinds.
const (
	keep      kind = ""
	secret    kind = "secret"
	token     kind = "access token"
	password  kind = "basic credentials" //nolint:gosec // the name of a kind, no secret
	cookie    kind = "cookie"
	proof     kind = "signature"
	email     kind = "e-mail address"
	telephone kind = "telephone number"
	card      kind = "card number"
	code      kind = "security code"
	account   kind = "account or document number"
	ssn       kind = "social security number"
	taxID     kind = "tax id"
	person    kind = "name"
	company   kind = "company name"
	street    kind = "address"
	city      kind = "city"
	zip       kind = "zip code"
	birthday  kind = "date of birth"
	prose     kind = "free text"
	address   kind = "network address"
	capacity  kind = "secret part of an address"
	file      kind = "file"
	fileName  kind = "file name"
	routing   kind = "routing number"
	site      kind = "web address"
	subject   kind = "subject of a token"
)

// personal says whether a kind is about people, and so stays with KeepData.
func (k kind) personal() bool {
	switch k {
	case email, telephone, account, ssn, taxID, person, company, street, city, zip, birthday, prose, address, file, fileName, routing, site, subject:
		return true
	default:
		return false
	}
}

// members are the kinds of members, parameters and fields, by their names in small
// letters without separators.
var members = map[string]kind{
	"clientsecret": secret, "secret": secret, "webhooksecret": secret, "apikey": secret, "password": secret, "passwd": secret, "pwd": secret,
	"passphrase": secret, "pin": secret, "controltoken": secret, "sig": secret, "privatekey": secret, "sessionid": secret, "session": secret,
	"accesstoken": token, "token": token, "refreshtoken": token, "idtoken": token, "bearer": token, "authorization": token, "auth": token, "linktoken": token,
	"email": email, "emailaddress": email, "mail": email, "username": email, "to": email,
	"phone": telephone, "phonenumber": telephone, "contactnumber": telephone, "mobilenumber": telephone, "mobile": telephone, "tel": telephone,
	"cardnumber": card, "pan": card, "cvv": code, "cvc": code, "cvv2": code, "securitycode": code,
	"accountnumber": account, "routingnumber": routing, "abanumber": routing, "routing": routing, "aba": routing, "iban": account, "documentnumber": account, "passportnumber": account, "licensenumber": account,
	"ssn": ssn, "socialsecuritynumber": ssn, "socialsecurity": ssn, "taxid": taxID, "ein": taxID, "tin": taxID,
	"firstname": person, "lastname": person, "fullname": person, "cardholder": person, "cardholdername": person, "holder": person, "contactname": person,
	"companyname": company, "merchantname": company, "recipientname": company,
	"streetnumberandname": street, "street": street, "addressline1": street, "addressline2": street, "line1": street, "apartmentnumber": street,
	"city": city, "zipcode": zip, "zip": zip, "postalcode": zip, "dateofbirth": birthday, "birthdate": birthday, "dob": birthday,
	"shortdescription": prose, "description": prose, "comment": prose, "note": prose, "notes": prose, "memo": prose, "message": prose,
	"filename": fileName, "filedata": file, "patientreferencenumber": account,
	"ip": address, "ipaddress": address, "clientip": address,
}

// parts of names say it of names that are longer.
var parts = []struct {
	part string
	kind kind
}{
	{"secret", secret},
	{"password", secret},
	{"apikey", secret},
	{"passphrase", secret},
	{"token", token},
	{"ssn", ssn},
	{"cardnumber", card},
	{"accountnumber", account},
	{"routingnumber", routing},
	{"email", email},
	{"phonenumber", telephone},
}

// runTogether is where two words run together to what a part is: businessName has no ssn.
var runTogether = strings.NewReplacer("ssname", "ss name", "ssnu", "ss nu", "ssno", "ss no", "ssne", "ss ne")

// notSecret are names that hold such a part and mean something else.
var notSecret = map[string]bool{"tokentype": true, "tokenid": true, "expiresinseconds": true}

// people are members in which a name is a person's; elsewhere it is a company's or a place's.
var people = map[string]bool{"owner": true, "employees": true, "payers": true}

// member is a place in a JSON text; the zero value is its root.
type member struct {
	path *names
	// kind is what its name says, under what the nearest name above it that says anything
	// does; people says whether a name there is a person's.
	kind, under kind
	people      bool
	// direct is what a text is that is the member's value itself, if it reads so; claims says that the member is a token's.
	direct kind
	claims bool
}

// below is the member with a name.
func (m member) below(name string) member {
	short := bare(name)
	out := member{path: &names{name, m.path}, kind: named(short), under: m.under, people: m.people || people[short], direct: directly(short)}
	out.people = out.people || out.direct == person
	switch {
	case m.people && (short == "name" || slices.Contains([]string{"first", "last", "given", "family", "middle"}, short)):
		out.kind = person
	case short == "name":
		out.kind = company
	case short == "displayname" && m.path != nil && slices.Contains(ofWorld, strings.TrimSuffix(bare(m.path.name), "code")):
		out.kind = keep
	case short == "sub" && m.claims && m.path == nil:
		out.kind = subject
	}
	if notSecret[short] {
		out.under = keep
	} else if out.kind != keep {
		out.under = out.kind
	}
	return out
}

// kindOf is the kind of the member's value. A text under a secret's name is one, and one
// under a name is a part of it, whatever its own name is: {"token":{"value":"…"}}. Ids
// link, and short words tell of what kind the rest is.
func (m member) kindOf(value string) kind {
	if m.kind == keep && suits(m.direct, value) {
		return m.direct
	}
	if m.kind == keep && m.under != keep && (m.under == person || m.under == company || len(value) >= 8 && !uuid().MatchString(value)) {
		return m.under
	}
	return m.kind
}

// ofHeaders says whether the member is a header of a call that somebody wrote down as JSON:
// {"url":"…","headers":{"X-Signature":"…"}}.
func (m member) ofHeaders() bool {
	return m.path != nil && m.path.up != nil && strings.HasSuffix(bare(m.path.up.name), "headers")
}

// ofMachine says whether the member tells a state or a kind of the service's, in words that may be somebody's name.
func (m member) ofMachine() bool {
	if m.path == nil {
		return false
	}
	short := bare(m.path.name)
	return strings.HasSuffix(short, "status") || strings.HasSuffix(short, "type") || slices.Contains([]string{"event", "currency", "feepayer", "period", "pointer", "clause"}, short)
}

// names are the names from a member up to the root.
type names struct {
	name string
	up   *names
}

// String is the last of the names, which tell people where to look.
func (n *names) String() string {
	const most, longest = 8, 64
	var list []string
	for ; n != nil && len(list) < most; n = n.up {
		list = append(list, n.name[:min(len(n.name), longest)])
	}
	if n != nil {
		list = append(list, "…")
	}
	slices.Reverse(list)
	return strings.Join(list, "/")
}

// named is the kind of a bare name.
func named(name string) kind {
	if k, ok := members[name]; ok {
		return k
	}
	if notSecret[name] || strings.Contains(name, "mask") { // what is masked is
		return keep
	}
	apart := runTogether.Replace(name)
	for _, p := range parts {
		if strings.Contains(apart, p.part) {
			return p.kind
		}
	}
	return byEnding(name)
}

func bare(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == '.' {
			return -1
		}
		return unicode.ToLower(r)
	}, name[:min(len(name), 64)])
}

// plainHeaders are those that everybody knows and that hold no secret, or whose value links
// calls; so are those that begin with one of plainBeginnings. Others are of the partner's own making.
var (
	plainHeaders = map[string]bool{
		"idempotency-key": true, "idempotent-replayed": true, "user-agent": true, "host": true, "origin": true, "referer": true, "date": true, "server": true,
		"connection": true, "cache-control": true, "location": true, "retry-after": true, "allow": true, "www-authenticate": true, "etag": true, "vary": true,
		"postman-token": true, "traceparent": true, "expires": true, "last-modified": true, "transfer-encoding": true, "pragma": true, "te": true,
	}
	plainBeginnings = []string{"accept", "content-", "sec-", "sandbox-", "if-", "access-control-", ":"}
)

// ofPartner are those of them in which the partner's own words stand.
var ofPartner = []string{"user-agent", "idempotency-key", "origin", "referer"}

// plain says whether a header is one of those.
func plain(name string) bool {
	low := strings.ToLower(name)
	return plainHeaders[low] || slices.ContainsFunc(plainBeginnings, func(b string) bool { return strings.HasPrefix(low, b) })
}

// header is the kind of a header's value; its texts are looked through besides.
func header(name string) kind {
	switch low := strings.ToLower(name); low {
	case "authorization", "proxy-authorization":
		return password
	case "cookie", "set-cookie":
		return cookie
	case "x-hmac-signature", "x-hub-signature", "x-signature", "stripe-signature":
		return proof
	case "x-forwarded-for", "x-real-ip", "forwarded", "cf-connecting-ip", "true-client-ip", "x-client-ip", "via":
		return address
	case "idempotency-key", "postman-token", "sandbox-integration", "etag", "if-none-match", "host", "content-length", "date", "content-type":
		return keep
	default:
		return named(bare(strings.TrimPrefix(low, "x-")))
	}
}
