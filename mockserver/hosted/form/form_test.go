package form_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/mockserver/hosted/form"
)

func TestReadForm(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		body, want string
		ok         bool
	}{
		"the page's order":    {"b=2&a=1", "a=1&b=2", true},
		"unknown fields":      {"a=1&z=9", "a=1", true},
		"the first counts":    {"a=1&a=2", "a=1", true},
		"space is trimmed":    {"a=+x+", "a=x", true},
		"no value":            {"a&b=", "a=&b=", true},
		"nothing":             {"", "", true},
		"masked":              {"account=123456789", "account=xxxxx6789", true},
		"half an escape":      {"a=%2", "", false},
		"a control character": {"a=%00", "", false},
		"not UTF-8":           {"%ff=1", "", false},
	}
	for name, tc := range tests {
		got, err := read([]byte(tc.body), "a", "b", "account")
		require.Equal(t, tc.ok, err == nil, name)
		require.Equal(t, tc.want, got, name)
	}
	long, err := read([]byte("a="+strings.Repeat("%C3%A9", 400)), "a")
	require.NoError(t, err)
	require.Len(t, long, len("a=")+250*len("%C3%A9"), "a value has 500 bytes at most")
}

func FuzzReadForm(f *testing.F) {
	for _, seed := range []string{"a=1&b=2", "account=000000001111", "number=4242+4242-4242%204243", "code=123&ssn=12a4", "a=%zz", "&&=&a", "account=xxxxx6789"} {
		f.Add([]byte(seed))
	}
	f.Add([]byte("csrf=right&a=1"))
	f.Fuzz(func(t *testing.T, body []byte) {
		fields := []string{"a", "b", "account", "number", "code", "ssn"}
		brought, same, err := form.ReadWithToken(body, nil, "right")
		require.False(t, same && err != nil)
		require.False(t, same && brought.Get("csrf") != "xxxxx", "a token that is right is hidden")
		once, err := read(body, fields...)
		if err != nil {
			require.Empty(t, once)
			return
		}
		again, err := read([]byte(once), fields...)
		require.NoError(t, err)
		require.Equal(t, once, again, "what is on the tape is read as it was acted upon")
	})
}

func TestMaskedAccountsBehaveAlike(t *testing.T) {
	t.Parallel()
	numbers := []string{"1111", "123456789", "987654322222", "000000002222", "00000-0003333", "12345678901234567", "999910010", "10001", "555555310029"}
	for _, p := range fixtures.Personas() {
		numbers = append(numbers, p.AccountNumber)
		require.Equal(t, p.AccountNumber, form.MaskAccount(p.AccountNumber), "test data is no secret")
	}
	for _, n := range numbers {
		masked := form.MaskAccount(n)
		want, wantErr := fixtures.BankAccount(n)
		got, err := fixtures.BankAccount(form.AccountDigits(masked))
		require.Equal(t, wantErr == nil, err == nil, n)
		require.Equal(t, want, got, n)
		require.Equal(t, masked, form.MaskAccount(masked))
	}
	for _, bad := range []string{"x", "12a", "٤٢٤٢", strings.Repeat("1", 41), "12xx34"} {
		require.Equal(t, "?", form.MaskAccount(bad), bad)
	}
}

func TestMaskCard(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]string{
		"": "", "4242 4242 4242 4242": "4242424242424242", "4242-4242-4242-4243": "424242xxxxxx4243", "12345": "xxxxx",
		"1234567890": "xxxxxxxxxx", "12345678901": "123456x8901", "my card": "?", "424242xxxxxx4243": "424242xxxxxx4243",
	} {
		require.Equal(t, want, form.MaskCard(number))
	}
}

// read reads a form of the named fields and writes it as the tape gets it.
func read(body []byte, names ...string) (string, error) {
	masks := map[string]func(string) string{"account": form.MaskAccount, "number": form.MaskCard, "code": form.MaskDigits, "ssn": form.MaskDigits}
	var fields []form.Field
	for _, name := range names {
		fields = append(fields, form.Field{Name: name, Mask: masks[name]})
	}
	f, err := form.Read(body, fields)
	return string(f.Encode()), err
}
