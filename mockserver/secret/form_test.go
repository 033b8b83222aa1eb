package secret_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/sampling"
	"paysandbox/mockserver/secret"
)

func TestForms(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"4111111111111111":                             "4111110000001111",
		`{"card":"4111 1111 1111 1111"}`:               `{"card":"4111 1100 0000 1111"}`,
		`{"card":4111111111111111}`:                    `{"card":4111110000001111}`,
		"ref-4111-1111-1111-1111.":                     "ref-4111-1100-0000-1111.",
		"4111 1111 1111 1111 12/27":                    "4111 1100 0000 1111 12/27",
		"paid 50 4111 1111 1111 1111":                  "paid 50 4111 1100 0000 1111",
		"378282246310005 and 3782 822463 10005":        "378282000000005 and 3782 820000 00005",
		"SSN 123-45-6789.":                             "SSN 111-11-1111.",
		"123 45 6789":                                  "111 11 1111",
		"12025550123 123-45-6789":                      "12025550123 111-11-1111",
		"tel +378282246310005":                         "",
		"tel +4111111111111111":                        "tel +4111110000001111",
		"card4111111111111111, 4111111111111111exp":    "card4111110000001111, 4111110000001111exp",
		"pan_4111111111111111 v.4111111111111111":      "pan_4111110000001111 v.4111110000001111",
		"4111111111111111.00 SSN123-45-6789":           "4111110000001111.00 SSN111-11-1111",
		"4f1111111111111111 4111111111111111a4":        "",
		"averylongwordthatgoeson4111111111111111":      "",
		"INV123-45-6789":                               "",
		"4111  1111\t1111 \t 1111":                     "4111  1100\t0000 \t 1111",
		`4111\t1111\t1111\t1111`:                       `4111\t1100\t0000\t1111`,
		"4111/1111/1111/1111 123_45_6789":              "4111/1100/0000/1111 111_11_1111",
		"4111,1111,1111,1111 4111\n1111\n1111\n1111":   "4111,1100,0000,1111 4111\n1100\n0000\n1111",
		`4111\n1111\n1111\n1111 3782,822463,10005`:     `4111\n1100\n0000\n1111 3782,820000,00005`,
		"4111\r\n1111\r\n1111\r\n1111":                 "4111\r\n1100\r\n0000\r\n1111",
		"123,45,6789 123\n45\n6789":                    "",
		`{"amounts":[4111,1111,1111,1111]}`:            "",
		"4,111,111,111,111,111.00 4111,1111,1111":      "",
		"4112,1111,1111,1111":                          "",
		";4111111111111111=25121010000012345678?":      ";4111110000001111=11111111111111111111?",
		"%B4111111111111111^DOE/JOHN^2512101000000?":   "%B4111110000001111^XXX/XXXX^1111111111111?",
		";4111111111111111=4111111111111111111":        ";4111110000001111=1111111111111111111",
		"4111111111111111=25 4111111111111111^a":       "4111110000001111=25 4111110000001111^a",
		`{"a":"\u202e4111111111111111"}`:               `{"a":"\u202e4111110000001111"}`,
		"4111/1111_1111/1111":                          "",
		"4111111111111111D25121010000012345678":        "4111110000001111D11111111111111111111",
		"4111111111111111d2512 4111111111111111D25a":   "",
		"SSN 219099999, ssn: '219099999'":              "SSN 111111111, ssn: '111111111'",
		"His social security number is 219099999.":     "His social security number is 111111111.",
		`{"text":"Social Security No. \"219099999\""}`: `{"text":"Social Security No. \"111111111\""}`,
		"219099999 mission 219099999 SSN 912345678":    "",
		"4111·1111·1111·1111 4111 • 219•09•9999":       "4111·1100·0000·1111 4111 • 111•11•1111",
		"4\u200b111\u00ad1111\u200b1111\u20601111":     "4\u200b111\u00ad1100\u200b0000\u20601111",
		"٤١١١١١١١١١١١١١١١ ४१११११११११११११११": "٤١١١١١٠٠٠٠٠٠١١١١ ४१११११००००००११११",
		"𝟒𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏 𝟦𝟣𝟣𝟣𝟣𝟣𝟣𝟣𝟣𝟣𝟣𝟣𝟣𝟣𝟣𝟣": "𝟒𝟏𝟏𝟏𝟏𝟏𝟎𝟎𝟎𝟎𝟎𝟎𝟏𝟏𝟏𝟏 𝟦𝟣𝟣𝟣𝟣𝟣𝟢𝟢𝟢𝟢𝟢𝟢𝟣𝟣𝟣𝟣",
		"4111111111111112":                             "",
		"1234567890123456":                             "",
		"2026112200000123":                             "",
		"1774000000000000000":                          "",
		"44444444-4444-4444-4444-444444444444":         "",
		"a 4f111111-1111-4111-8111-411111111111 b":     "",
		"0.4111111111111111":                           "",
		"000-12-3456 666-12-3456 912-12-3456":          "",
		"123-00-6789 123-45-0000 1123-45-6789 123-4-5": "",
		"123-45-6789-1":                                "",
		"123 45-6789":                                  "",
		"2026-03-02T17:00:00Z +12025550123 94610-1234": "",
		"": "",
		`{"card":"\u0034111\u002011111111\u20131111"}`: `{"card":"\u0034111\u002011000000\u20131111"}`,
		"4111.1111.1111.1111, 3782.822463.10005":       "4111.1100.0000.1111, 3782.820000.00005",
		"4111\u00a01111\u202f1111\u20131111":           "4111\u00a01100\u202f0000\u20131111",
		"４１１１１１１１１１１１１１１１":                             "４１１１１１００００００１１１１",
		"123.45.6789 １２３–４５–６７８９":                      "111.11.1111 １１１–１１–１１１１",
		`C:\\u0034111111111111111`:                     "",
		"10.4111111111111111 192.168.10.1 2026.11.23":  "",
		"4111.111.11111.1111":                          "",
		"\u004111111111111111":                         "",
	} {
		if want == "" {
			want = text
		}
		got := secret.Text(text)
		require.Equal(t, want, got)
		require.Equal(t, got, secret.Text(got), "struck twice")
		_, first := secret.Struck(text, nil)
		_, second := secret.Struck(got, nil)
		require.Equal(t, first, second, "what is left is found again: %s", got)
	}
}

// TestStrikingAgainChangesNothing: whatever stands around it.
func TestStrikingAgainChangesNothing(t *testing.T) {
	t.Parallel()
	sampling.Check(t, func(t *rapid.T) {
		part := rapid.SampledFrom([]string{
			"4111111111111111", "4111 1111", " 1111 1111", "5555-5555-5555-4444", "123-45-6789", "1", "11", "-", " ", ".", "a", `"`, "000", "3782 822463 10005", "12",
			",", "\n", `\n`, "=", "^", "password: ", "abcde", "=2512", "^A/B^2512",
			`\u0034`, "\u00a0", "４", "–", "4111.1111.1111.1111", `\\`,
		})
		text := strings.Join(rapid.SliceOfN(part, 0, 8).Draw(t, "parts"), "")
		steady(t, text)
	})
}

// TestFormsTakeTimeByLength: no text makes the search look at everything again and
// again. A quadratic one would need hours for these.
func TestFormsTakeTimeByLength(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"12 ", "4", "41 ", "1234567890a", "1234567890-", "123-45-6789-", "1.", "4111.1111.", `\u0035`, "４", "1\u00a0", "1\u200b", "1  ", "11_", "a1", "1a", "٤"} {
		text := strings.Repeat(part, 1<<20/len(part))
		require.Equal(t, text, secret.Text(text), part)
	}
}

// steady holds that a struck text stays as it is, and tells what the text told.
func steady(t require.TestingT, text string) {
	struck, first := secret.Struck(text, nil)
	again, second := secret.Struck(struck, nil)
	require.Len(t, struck, len(text))
	require.Equal(t, struck, again)
	require.Equal(t, first, second, "%q became %q", text, struck)
}

// TestOrdinaryNumbersStay: ids, amounts, dates, times, versions and numbers in lists and lines.
func TestOrdinaryNumbersStay(t *testing.T) {
	t.Parallel()
	sampling.Check(t, func(t *rapid.T) {
		draw := func(form string) string { return rapid.StringMatching(form).Draw(t, "part") }
		for _, text := range []string{
			draw(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`),
			draw(`\{"amount":[1-9][0-9]{0,8},"fee":[0-9]{1,4},"day":"20[0-9]{2}-[01][0-9]-[0-3][0-9]"\}`),
			draw(`\{"a":\[[1-9][0-9]{3},[1-9][0-9]{3},[1-9][0-9]{3},[1-9][0-9]{3}\]\}`),
			draw(`[1-9][0-9]{0,2},[0-9]{3},[0-9]{3}\.[0-9]{2} USD`), draw(`20[0-9]{2}-[01][0-9]-[0-3][0-9]T[012][0-9]:[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z`),
			draw(`INV-20[0-9]{2}-[0-9]{5},INV-20[0-9]{2}-[0-9]{5}`), draw(`[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}`), draw(`([0-9]{1,3}\n){1,6}`), draw(`([0-9]{5,8},){1,3}`),
			draw(`\+1[2-9][0-9]{9},\+1[2-9][0-9]{9}`),
		} {
			require.Equal(t, text, secret.Text(text))
		}
	})
}

func FuzzForms(f *testing.F) {
	f.Add("411 1111 001 01 0010")
	f.Add(`password=4111 1111 Bearer 8f3Kd0qLmZ7tRw2x {\"secret\":\"a1b2\"} Basic dXNlcjpwYXNz`)
	f.Add("4111 1111 1111 1111")
	f.Add(";4111,1111,1111,1111=2512101? password: hunter %B4111\\n1111\\n1111\\n1111^A/B^2512")
	f.Add("\\u0034111.1111 １１１１–1111")
	f.Add("123-45-6789 44444444-4444-4444-4444-444444444444")
	f.Fuzz(func(t *testing.T, text string) {
		steady(t, text)
	})
}

func BenchmarkForms(b *testing.B) {
	text := strings.Repeat(`{"locationId":"3f0c4a53-9d3e-4f1f-8e9d-8c117b0c5b0e","name":"Northside"},`, 14)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, list := secret.Struck(text, nil); list != nil {
			b.Fatal("found")
		}
	}
}
