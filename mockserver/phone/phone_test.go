package phone_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/nyaruka/phonenumbers"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/mockserver/phone"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestPlans holds plans.tsv to the library's tables.
func TestPlans(t *testing.T) {
	t.Parallel()
	all, err := phonenumbers.MetadataCollection()
	require.NoError(t, err)
	regions := slices.Clone(all.GetMetadata())
	slices.SortStableFunc(regions, func(a, b *phonenumbers.PhoneMetadata) int {
		return cmp.Or(cmp.Compare(a.GetCountryCode(), b.GetCountryCode()), cmp.Compare(rank(a), rank(b)))
	})
	text := "# calling code, pattern of a region's national numbers; written by `make golden`\n"
	for _, region := range regions {
		text += fmt.Sprintf("%d\t%s\n", region.GetCountryCode(), strings.Join(kinds(region), "|"))
	}
	if *update {
		require.NoError(t, os.WriteFile("plans.tsv", []byte(text), 0o600))
	}
	want, err := os.ReadFile("plans.tsv")
	require.NoError(t, err)
	require.Equal(t, string(want), text)
}

// kinds are the patterns of a region's kinds of numbers.
func kinds(r *phonenumbers.PhoneMetadata) []string {
	var list []string
	for _, kind := range []*phonenumbers.PhoneNumberDesc{
		r.GetFixedLine(), r.GetMobile(), r.GetTollFree(), r.GetPremiumRate(), r.GetSharedCost(),
		r.GetPersonalNumber(), r.GetVoip(), r.GetPager(), r.GetUan(), r.GetVoicemail(),
	} {
		if p := kind.GetNationalNumberPattern(); p != "" && p != "NA" && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// rank puts the greatest region of a calling code first.
func rank(r *phonenumbers.PhoneMetadata) int {
	if r.GetMainCountryForCode() {
		return 0
	}
	return 1
}

func TestWritings(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"+12025550123": "+12025550123", "2025550123": "+12025550123", "12025550123": "+12025550123", "(202) 555-0123": "+12025550123",
		"+1 202.555.0123": "+12025550123", "202-555-0123 ext. 5": "+12025550123", "202-555-0123x55": "+12025550123",
		"+44 20 7946 0958": "+442079460958", "+390236618300": "+390236618300", "+80012345678": "+80012345678",
	} {
		number, exists := phone.E164(written)
		require.Equal(t, want, number, written)
		require.True(t, exists, written)
	}
	for _, written := range []string{
		"", "+", "12", "abc", "0", "+1", "+1202555012", "+120255501234", "+999123456789", "0000000000", "++12135550100", "tel:+12135550100",
		"1-800-FLOWERS", "1135550100", "+02025550123", "2025550123+", "+44 (0)20 7946 0958", "２０２５５５０１２３", "x5",
		strings.Repeat("2025550123", 5),
	} {
		_, exists := phone.E164(written)
		require.False(t, exists, written)
	}
	number, exists := phone.E164("+1 555 000 0000")
	require.Equal(t, "+15550000000", number, "it is read, although there is none")
	require.False(t, exists)
}

// TestAgreesWithTheLibrary holds what exists to the library's word, for numbers
// near those that it gives as examples. The library reads some more: it forgives a
// national prefix behind the calling code.
func TestAgreesWithTheLibrary(t *testing.T) {
	t.Parallel()
	var near []string
	for region := range phonenumbers.GetSupportedRegions() {
		for _, kind := range []phonenumbers.PhoneNumberType{phonenumbers.FIXED_LINE, phonenumbers.MOBILE, phonenumbers.TOLL_FREE, phonenumbers.VOIP} {
			if n := phonenumbers.GetExampleNumberForType(region, kind); n != nil {
				near = append(near, phonenumbers.Format(n, phonenumbers.E164))
			}
		}
	}
	slices.Sort(near)
	require.Greater(t, len(near), 500)
	for _, number := range near {
		_, exists := phone.E164(number)
		require.True(t, exists, number)
	}
	rapid.Check(t, func(t *rapid.T) {
		number := []byte(rapid.SampledFrom(near).Draw(t, "near"))
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			at := rapid.IntRange(1, len(number)-1).Draw(t, "at")
			number[at] = rapid.SampledFrom([]byte("0123456789")).Draw(t, "digit")
		}
		read, err := phonenumbers.Parse(string(number), "US")
		known := err == nil && phonenumbers.IsValidNumber(read) && phonenumbers.Format(read, phonenumbers.E164) == string(number)
		_, exists := phone.E164(string(number))
		require.Equal(t, known, exists, string(number))
	})
}

func BenchmarkE164(b *testing.B) {
	for b.Loop() {
		phone.E164("+12025550123")
	}
}
