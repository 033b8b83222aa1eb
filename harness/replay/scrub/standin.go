package scrub

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net/mail"
	"strings"
	"time"
	"unicode"

	"github.com/brianvoe/gofakeit/v6"

	"paysandbox/fixtures"
	"paysandbox/harness/trail"
)

// digest is what a value's stand-in follows from.
func (s *Scrubber) digest(k kind, value string, turn int) []byte {
	mac := hmac.New(sha256.New, s.key)
	fmt.Fprintf(mac, "%s\x00%d\x00%s", k, turn, value)
	return mac.Sum(nil)
}

func (s *Scrubber) faker(k kind, value string) *gofakeit.Faker {
	return gofakeit.New(int64(binary.BigEndian.Uint64(s.digest(k, value, 0))>>1) | 1)
}

// standIn is what stands in a value's place. Empty values and test data stay.
func (s *Scrubber) standIn(k kind, value string) string {
	if value == "" || k == keep || open(value) || fixture(k, value) {
		return value
	}
	switch k {
	case secret, capacity, cookie, token, password:
		return s.credential(value)
	case proof:
		return s.proof(value)
	case address:
		return ipv4().ReplaceAllString(value, fmt.Sprintf("198.51.100.%d", s.digest(k, value, 0)[0]))
	default:
		return s.personal(k, value)
	}
}

// personal is what stands in the place of people's data.
func (s *Scrubber) personal(k kind, value string) string {
	switch k {
	case email:
		return s.email(value)
	case telephone:
		return s.phone(value)
	case card:
		return s.card(value)
	case ssn:
		return s.ssn(value)
	case person:
		return s.person(value)
	case company:
		return s.company(value)
	case street, city:
		return s.place(k, value)
	case birthday:
		return s.birthday(value)
	case prose:
		return s.prose(value)
	case account:
		return s.account(value)
	case routing:
		return s.routingNumber(value)
	case file:
		return s.file(value)
	case fileName:
		end := len(value) - len(ending().FindString(value))
		return s.shaped(fileName, value[:end]) + value[end:]
	case subject:
		return s.subject(value)
	default: // digits of a kind, and texts: their form is what matters
		return s.shaped(k, value)
	}
}

var ipv4 = trail.Pattern(`\b\d{1,3}(?:\.\d{1,3}){3}\b`)

// open says whether a value is a variable that was left open.
func open(value string) bool {
	return strings.HasPrefix(value, "{{") && strings.HasSuffix(value, "}}") || strings.HasPrefix(value, "${") && strings.HasSuffix(value, "}")
}

// fixture says whether a value is test data, which the sandbox knows.
func fixture(k kind, value string) bool {
	switch k {
	case card:
		_, err := fixtures.CardNumbered(digits(value))
		return err == nil
	case email, telephone:
		return fixtures.Bounces(value)
	default:
		return false
	}
}

func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// credential is a token without its signature, or a stand-in of an opaque one. A JWT
// keeps its header and claims, whose personal data is replaced like any other.
func (s *Scrubber) credential(value string) string {
	part := strings.Split(value, ".")
	if len(part) != 3 || !strings.HasPrefix(part[0], "eyJ") {
		return "scrubbed-" + hex.EncodeToString(s.digest(secret, value, 0)[:8])
	}
	if claims, err := base64.RawURLEncoding.DecodeString(part[1]); err == nil {
		part[1] = base64.RawURLEncoding.EncodeToString(s.body(claims, member{claims: true}))
	}
	return part[0] + "." + part[1] + "." + base64.RawURLEncoding.EncodeToString(s.digest(secret, value, 0)[:12])
}

// subject is whom a token is for: the client of a recording has its own id there, which stays, as all ids do that link.
func (s *Scrubber) subject(value string) string {
	switch {
	case s.clients[value] || uuid().MatchString(value):
		return value
	case strings.Contains(value, "@"):
		return s.email(value)
	default:
		return s.shaped(subject, value)
	}
}

func (s *Scrubber) email(value string) string {
	const longest, longestBefore = 254, 64
	a, err := mail.ParseAddress(value)
	if err != nil || a.Address != value || len(value) > longest || strings.LastIndexByte(value, '@') > longestBefore || strings.ContainsFunc(value, func(r rune) bool { return r > unicode.MaxASCII }) {
		return s.shaped(email, value)
	}
	s.meetSite(value[strings.LastIndexByte(value, '@')+1:])
	f := s.faker(email, strings.ToLower(value))
	return strings.ToLower(fmt.Sprintf("%s.%s.%x@example.com", letters(f.FirstName()), letters(f.LastName()), s.digest(email, strings.ToLower(value), 0)[:2]))
}

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if r|0x20 < 'a' || r|0x20 > 'z' {
			return -1
		}
		return r
	}, s)
}

func (s *Scrubber) person(value string) string {
	if !usual(value) || digits(value) != "" {
		return s.shaped(person, value)
	}
	f := s.faker(person, strings.ToLower(value))
	switch words := strings.Fields(value); len(words) {
	case 0:
		return value
	case 1:
		return f.FirstName()
	default:
		return f.FirstName() + " " + f.LastName()
	}
}

// company keeps the beginning that means something to the sandbox's verification.
func (s *Scrubber) company(value string) string {
	for _, p := range fixtures.KYBPrefixes() {
		if n := len(p.Prefix); len(value) >= n && strings.EqualFold(value[:n], p.Prefix) {
			return value[:n] + s.shaped(company, value[n:])
		}
	}
	if !usual(value) {
		return s.shaped(company, value)
	}
	return s.faker(company, strings.ToLower(value)).Company()
}

// place is a street or a city, or only the form of a value that is too short for one.
func (s *Scrubber) place(k kind, value string) string {
	switch {
	case len(value) < 4, !usual(value), k == city && digits(value) != "":
		return s.shaped(k, value)
	case k == city:
		return s.faker(k, value).City()
	default:
		return s.faker(k, value).Street()
	}
}

// proof keeps the scheme of a signature, and whether it has one.
func (s *Scrubber) proof(value string) string {
	made := hex.EncodeToString(s.digest(proof, value, 0))
	bare, err := hex.DecodeString(value)
	switch scheme, after, ok := strings.Cut(value, "="); {
	case ok && len(scheme) < 12 && strings.Trim(after, "=") != "": // behind the rest of Base64 nothing stands
		return scheme + "=" + made
	case err == nil && len(bare) == sha256.Size:
		return made
	default:
		return "scrubbed=" + made
	}
}

// birthday is another day of the same year.
func (s *Scrubber) birthday(value string) string {
	day, err := time.Parse(time.DateOnly, value)
	if err != nil {
		return s.shaped(birthday, value)
	}
	d := s.digest(birthday, value, 0)
	return fmt.Sprintf("%04d-%02d-%02d", day.Year(), 1+d[0]%12, 1+d[1]%28)
}
