package world_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/world"
)

// accepts says whether a company may have the e-mail address and number.
func accepts(email, phone string) bool {
	w := begun(world.Config{})
	c := goodCompany("gym")
	c.EmailAddress, c.ContactNumber = email, phone
	_, err := w.CreateCompany(c)
	return err == nil
}

func TestEmails(t *testing.T) {
	t.Parallel()
	for email, good := range map[string]bool{
		"a@b.co": true, "first.last+tag@sub.example.com": true, "x_y-z@example-one.org": true, "o'hara@example.com": true,
		`"quoted name"@example.com`: true, "jörg@example.com": true,
		"": false, "a": false, "a@b": false, "@example.com": false, "a@": false, "a@@example.com": false, "a b@example.com": false,
		".a@example.com": false, "a.@example.com": false, "a..b@example.com": false, "a@-example.com": false, "a@example-.com": false,
		"a@example..com": false, "a@example.com.": false, "a@1.2.3.4": false, "Name <a@example.com>": false, "a@exa mple.com": false,
		"a@example.com\n": false, "a@[127.0.0.1]": false, "a\u200b@example.com": false, "a\u202eb@example.com": false, "a\u00a0b@example.com": false,
	} {
		require.Equal(t, good, accepts(email, "+12025550123"), "%q", email)
	}
}

func TestPhones(t *testing.T) {
	t.Parallel()
	for phone, good := range map[string]bool{
		"+12025550123": true, "2025550123": true, "(202) 555-0123": true, "+44 20 7946 0958": true, "202-555-0123 ext. 5": true,
		"": false, "12": false, "abc": false, "+1202555012": false, "+120255501234": false, "+999123456789": false,
		"+1": false, "0": false, "0000000000": false, "++12135550100": false, "tel:+12135550100": false, "1-800-FLOWERS": false,
	} {
		require.Equal(t, good, accepts("a@example.com", phone), "%q", phone)
	}
}
