package scrub_test

import (
	"encoding/base64"
	"encoding/json"
	"math/big"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/scrub"
	"paysandbox/mockserver/tape"
)

// TestNamesUnderAnyName: who makes a program names its members as it likes; how a name ends says that a person's stands there. Names of
// things, and what is no name, stay.
func TestNamesUnderAnyName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"senderName", "payerName", "sender_name", "patient", "patientName", "customerName", "memberName", "guardian", "accountHolder", "nameOnCard", "displayName", "client",
		"beneficiary", "primaryGuardian", "middleName", "surname", "playerName", "stylistName", "account-name", "Attn", "billTo",
	} {
		for _, in := range []string{`{"` + name + `":"Jane Canary"}`, `{"metadata":{"` + name + `":"Jane Canary"}}`, `{"rows":[{"` + name + `":"Jane Canary"}]}`} {
			require.NotRegexp(t, "Jane|Canary", body(t, in), in)
		}
		text := body(t, "it said "+name+": Jane Canary Password=abcdefgh, and went on")
		require.NotRegexp(t, "Jane|Canary|abcdefgh", text, name)
		out, _ := clean(t, recording.Recording{Exchanges: []recording.Exchange{{Path: "/x", Query: name + "=Jane+Canary", Header: []tape.Header{{Name: "X-" + name, Value: "Jane Canary"}}}}}, scrub.Options{})
		require.NotRegexp(t, "Jane|Canary", everything(out), name)
	}
	for _, in := range []string{
		`{"patients":["Jane Canary"]}`, `{"patient":{"first":"Jane","last":"Canary"}}`, `{"patient":{"name":"Jane Canary","status":"Active"}}`,
		`{"homeAddress":"12 Canary Street"}`, `{"cellPhone":"(415) 867-5309","x":"canary 4158675309"}`,
	} {
		require.NotRegexp(t, "Jane|Canary|8675309", body(t, in), in)
	}
	for _, in := range []string{
		`{"eventName":"Paid Twice","hostname":"db-1","className":"Evening Yoga"}`, `{"feePayer":"client"}`, `{"classNotes2":"early","processNumber":"1234"}`, `{"client":"gym-suite/2.1","customer":"cus_1042"}`,
		`{"customer":{"status":"Active","tier":"Gold"}}`, `{"recipientAddress":{"state":"NY","country":"US"}}`, `{"remoteAddress":"localhost"}`,
		`{"amount":{"currencyCode":{"name":"","displayName":"US Dollar","cultureName":"en-US"}}}`, `{"description2":"transparent"}`,
	} {
		require.Equal(t, in, body(t, in))
	}
}

// TestNumbersInThePlaceOfNames: the service has a payer's telephone number for a name where it knows none; it is another number, the same
// everywhere, and ids stay.
func TestNumbersInThePlaceOfNames(t *testing.T) {
	t.Parallel()
	var out map[string]string
	require.NoError(t, json.Unmarshal([]byte(body(t, `{"senderName":"+14158675309","contactNumber":"+14158675309","payerName":"jane@bird.io","emailAddress":"jane@bird.io","customerName":"0b6bd0a4-64b9-4a3d-9b0f-000000000001","memberName":"+15125550121","userName":"+14158675309"}`)), &out))
	require.Equal(t, out["contactNumber"], out["senderName"])
	require.Equal(t, out["contactNumber"], out["userName"])
	require.NotEqual(t, "+14158675309", out["senderName"])
	require.Regexp(t, `^\+1415\d{7}$`, out["senderName"])
	require.Equal(t, out["emailAddress"], out["payerName"])
	require.Equal(t, "0b6bd0a4-64b9-4a3d-9b0f-000000000001", out["customerName"])
	require.Equal(t, "+15125550121", out["memberName"], "set aside for fiction: nobody's")
}

// TestWhatReadsLikeANameIsTold: where no rule knows the member.
func TestWhatReadsLikeANameIsTold(t *testing.T) {
	t.Parallel()
	_, report := clean(t, recording.Recording{Exchanges: []recording.Exchange{{Path: "/x", Body: []byte(`{"extra":{"who":"Jane Canary"},"title":"Not Found","detail":"No such thing","kind":"Card Payment","word":"October"}`)}}}, scrub.Options{})
	require.Equal(t, []scrub.Note{{What: "extra/who reads like a name"}}, report.Missed)
	kept, report := clean(t, recording.Recording{Exchanges: []recording.Exchange{{Path: "/x", Body: []byte(`{"senderName":"Jane Canary","who":"Jane Canary"}`)}}}, scrub.Options{KeepData: true})
	require.Contains(t, string(kept.Exchanges[0].Body), `"senderName":"Jane Canary"`)
	require.Empty(t, report.Missed)
}

// TestFilesAreReplaced wherever they stand: they stay Base64, about as long, and of their form; addresses of files stay addresses.
func TestFilesAreReplaced(t *testing.T) {
	t.Parallel()
	pdf := "%PDF-1.4\n1 0 obj (Patient: Jane Canary, SSN 123-45-6789) endobj\n" + strings.Repeat("canary ", 40) + "\n%%EOF\n"
	png := "\x89PNG\r\n\x1a\n" + strings.Repeat("canary\x00\xff", 20)
	for _, raw := range []string{pdf, png, "a text of canary, for Jane"} {
		for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
			for _, in := range []string{`{"attachment":"` + e.EncodeToString([]byte(raw)) + `"}`, `{"attachment":{"fileName":"Jane-Canary.pdf","fileData":"` + e.EncodeToString([]byte(raw)) + `","fileType":"application/pdf"}}`} {
				out := body(t, in)
				require.NotContains(t, out, e.EncodeToString([]byte(raw)))
				var sent struct{ Attachment any }
				require.NoError(t, json.Unmarshal([]byte(out), &sent))
				text, _ := sent.Attachment.(string)
				if object, ok := sent.Attachment.(map[string]any); ok {
					text, _ = object["fileData"].(string)
					require.Regexp(t, `^[A-Z][a-z]{3}-[A-Z][a-z]{5}\.pdf$`, object["fileName"])
					require.NotContains(t, out, "Canary")
					require.Equal(t, "application/pdf", object["fileType"])
				}
				got, err := e.DecodeString(text)
				require.NoError(t, err)
				require.Len(t, got, len(raw))
				require.NotContains(t, string(got), "anary")
				for _, sign := range []string{"%PDF-1.4\n", "\x89PNG\r\n\x1a\n"} {
					require.Equal(t, strings.HasPrefix(raw, sign), strings.HasPrefix(string(got), sign))
				}
			}
		}
	}
	for _, in := range []string{`{"attachment":"https://files.example/a.pdf"}`, `{"attachment":"foo"}`, `{"attachment":null}`} {
		require.Equal(t, in, body(t, in))
	}
	require.NotContains(t, body(t, `{"metadata":{"x":"`+base64.StdEncoding.EncodeToString([]byte(pdf))+`"}}`), base64.StdEncoding.EncodeToString([]byte(pdf))[:60])
	require.NotContains(t, body(t, `{"picture":"data:image/png;base64,`+base64.StdEncoding.EncodeToString([]byte(png))+`"}`), base64.StdEncoding.EncodeToString([]byte(png))[20:])
	long := `{"fileData":"` + strings.Repeat("canary canary! ", 100_000) + `"}`
	require.Len(t, body(t, long), len(long), "which takes no time that grows with the square")
}

// TestFormsOfScriptsStay: digits and letters of other scripts have others of the same; what is no text is none. What stands in is no
// value that somebody has struck out.
func TestFormsOfScriptsStay(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"zipCode":"１２３４５"}`:                 `^\{"zipCode":"[０-９]{5}"\}$`,
		`{"ssn":"٠١٢٣"}`:                      `^\{"ssn":"[٠-٩]{4}"\}$`,
		`{"ssn":"１２３-45-6789"}`:               `^\{"ssn":"[０-９]{3}-\d\d-\d{4}"\}$`,
		`{"contactNumber":"+１３１２８６７５３０９"}`:    `^\{"contactNumber":"\+[０-９]{11}"\}$`,
		`{"name":"名前と名前"}`:                    `^\{"name":"\p{L}{5}"\}$`,
		`{"payerName":"Łukasz Żak"}`:          `^\{"payerName":"\p{Lu}[a-z]{5} \p{Lu}[a-z]{2}"\}$`,
		`{"emailAddress":"jäne@bücher.de"}`:   `^\{"emailAddress":"[a-z]\p{Ll}[a-z]{2}@[a-z]\p{Ll}[a-z]{4}\.[a-z]{2}"\}$`,
		`{"shortDescription":"\ufffd\ufffd"}`: `^\{"shortDescription":"\\ufffd\\ufffd"\}$`,
		`{"name":" "}`:                        `^\{"name":" "\}$`,
		`{"name":"Jane\tDoe"}`:                `^\{"name":"[A-Z][a-z]{3}\\t[A-Z][a-z]{2}"\}$`,
		`{"city":"90210"}`:                    `^\{"city":"\d{5}"\}$`,
	} {
		out := body(t, in)
		require.Regexp(t, want, out, in)
		if strings.ContainsFunc(in, unicode.IsDigit) {
			require.NotEqual(t, in, out)
		}
		var one map[string]string
		require.NoError(t, json.Unmarshal([]byte(out), &one))
		for _, v := range one {
			require.False(t, recording.Struck(v), v)
		}
	}
	for _, in := range []string{"{\"zipCode\":\"94\xff10\"}", "{\"name\":\"Jane \xe9 Doe\"}", "{\"note\":\"\xff\xfe\"}"} {
		require.False(t, utf8.ValidString(body(t, in)), in)
	}
	long := `{"name":"` + strings.Repeat("canary ", 50) + "c" + `","emailAddress":"` + strings.Repeat("y", 65) + `@bird.io"}`
	require.Len(t, body(t, long), len(long), "what is too long stays so")
}

// TestCheckDigitsOfBanksStay as right or wrong as they were.
func TestCheckDigitsOfBanksStay(t *testing.T) {
	t.Parallel()
	right := func(iban string) bool {
		plain := strings.ReplaceAll(iban, " ", "")
		figures := ""
		for _, c := range plain[4:] + plain[:4] {
			if c >= 'A' {
				figures += big.NewInt(int64(c - 'A' + 10)).String()
			} else {
				figures += string(c)
			}
		}
		n, _ := new(big.Int).SetString(figures, 10)
		return new(big.Int).Mod(n, big.NewInt(97)).Int64() == 1
	}
	for iban, was := range map[string]bool{"DE89370400440532013000": true, "DE88370400440532013000": false, "GB82 WEST 1234 5698 7654 32": true, "FR1420041010050500013M02606": true} {
		var out struct{ IBAN, AccountNumber string }
		require.NoError(t, json.Unmarshal([]byte(body(t, `{"iban":"`+iban+`","accountNumber":"`+iban+`"}`)), &out))
		require.NotEqual(t, iban, out.IBAN)
		require.Len(t, out.IBAN, len(iban))
		require.Equal(t, iban[:2], out.IBAN[:2])
		require.Equal(t, was, right(out.IBAN), "%s of %s", out.IBAN, iban)
		require.Equal(t, out.IBAN, out.AccountNumber)
	}
	sum := func(n string) int {
		d := func(i int) int { return int(n[i] - '0') }
		return (3*(d(0)+d(3)+d(6)) + 7*(d(1)+d(4)+d(7)) + d(2) + d(5) + d(8)) % 10
	}
	for number, was := range map[string]bool{"021000021": true, "021000022": false, "322271627": true} {
		var out struct{ RoutingNumber string }
		require.NoError(t, json.Unmarshal([]byte(body(t, `{"routingNumber":"`+number+`"}`)), &out))
		require.NotEqual(t, number, out.RoutingNumber)
		require.Regexp(t, `^\d{9}$`, out.RoutingNumber)
		require.Equal(t, was, sum(out.RoutingNumber) == 0, out.RoutingNumber)
	}
}

// TestDomainsOfThePartner are replaced wherever they stand, alike: they tell who it is. The service's stay, and those that tell of nobody.
func TestDomainsOfThePartner(t *testing.T) {
	t.Parallel()
	out, report := clean(t, recording.Recording{
		Services: []recording.Service{{Scheme: "https", Host: "api.pay.io"}},
		Exchanges: []recording.Exchange{{
			Host: "api.pay.io", Path: "/x", Header: []tape.Header{{Name: "Host", Value: "api.pay.io"}, {Name: "Origin", Value: "https://app.second-canary.co.uk"}, {Name: "User-Agent", Value: "gym (+https://corp-canary.com)"}},
			Body: []byte(`{"websiteUrl":"https://www.corp-canary.com/about","emailAddress":"jane@third-canary.com","redirectUrl":"https://shop.example/back","metadata":{"see":"at third-canary.com or Corp-Canary.com, not mycorp-canary.com"},"url":"https://app.pay.io/p/1"}`),
		}},
		Received: []recording.Received{{URL: "https://hooks.corp-canary.com/h", Header: []tape.Header{{Name: "Host", Value: "hooks.corp-canary.com:8443"}}, Body: []byte(`{}`)}},
	}, scrub.Options{})
	left := everything(out)
	require.NotRegexp(t, `(?i)second-canary|third-canary|\bcorp-canary`, left)
	require.Contains(t, left, "https://shop.example/back")
	require.Contains(t, left, "https://app.pay.io/p/1")
	require.Positive(t, report.Replaced["web address"])
	var sent struct{ WebsiteURL string }
	require.NoError(t, json.Unmarshal(out.Exchanges[0].Body, &sent))
	domain := strings.TrimSuffix(strings.TrimPrefix(sent.WebsiteURL, "https://www."), "/about")
	require.Equal(t, "https://hooks."+domain+"/h", out.Received[0].URL)
	require.Equal(t, "hooks."+domain+":8443", out.Received[0].Header[0].Value)
}

// TestWhomATokenIsFor: a client's own id links, another's does not stay.
func TestWhomATokenIsFor(t *testing.T) {
	t.Parallel()
	token := func(claims string) string {
		return "eyJhbGciOiJIUzI1NiJ9." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + ".c2lnbmF0dXJl"
	}
	subject := func(claims string) string {
		out, _ := clean(t, recording.Recording{Exchanges: []recording.Exchange{{Path: "/x", Header: []tape.Header{{Name: "Authorization", Value: "Bearer " + token(claims)}}, Body: []byte(`{"clientId":"gym-client"}`)}}}, scrub.Options{})
		raw, err := base64.RawURLEncoding.DecodeString(strings.Split(out.Exchanges[0].Header[0].Value, ".")[1])
		require.NoError(t, err)
		var got struct{ Sub string }
		require.NoError(t, json.Unmarshal(raw, &got))
		return got.Sub
	}
	require.Equal(t, "gym-client", subject(`{"sub":"gym-client"}`))
	require.Equal(t, "0b6bd0a4-64b9-4a3d-9b0f-000000000001", subject(`{"sub":"0b6bd0a4-64b9-4a3d-9b0f-000000000001"}`))
	require.Regexp(t, "^[A-Z]{9}$", subject(`{"sub":"CANARYSUB"}`))
	require.NotContains(t, subject(`{"sub":"CANARYSUB"}`), "CANARY")
	require.NotContains(t, subject(`{"sub":"canary@bird.io"}`), "canary")
}

// TestFormsInParts are looked into by the names of their parts, told as such by their media type or not.
func TestFormsInParts(t *testing.T) {
	t.Parallel()
	const form = "--XX\r\nContent-Disposition: form-data; name=\"senderName\"\r\n\r\nJane Canary\r\n--XX\r\nContent-Disposition: form-data; name=\"amount\"\r\n\r\n500\r\n" +
		"--XX\r\nContent-Disposition: form-data; name=\"data\"\r\n\r\n{\"ssn\":\"519024438\"}\r\n--XX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"Canary.pdf\"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.4\nCANARY\x00\xff\r\n--XX--\r\n"
	for _, header := range [][]tape.Header{nil, {{Name: "Content-Type", Value: "multipart/form-data; boundary=XX"}}} {
		out, report := clean(t, recording.Recording{Exchanges: []recording.Exchange{{Path: "/x", Header: header, Body: []byte(form)}}}, scrub.Options{})
		got := string(out.Exchanges[0].Body)
		require.NotRegexp(t, "(?i)jane|canary|519024438", got)
		require.Contains(t, got, "\r\n\r\n500\r\n--XX")
		require.Contains(t, got, "%PDF-1.4\n")
		require.Len(t, strings.Split(got, "--XX"), 6)
		require.False(t, out.Exchanges[0].BodyMissing)
		require.Empty(t, report.NotLookedAt)
	}
	_, report := clean(t, recording.Recording{Exchanges: []recording.Exchange{{Path: "/x", Body: []byte("some words")}}}, scrub.Options{})
	require.Equal(t, "a text was looked through for forms alone, not by names: no media type is told", report.NotLookedAt[0].What)
}

// TestWordsOfPathsStay though somebody is called so: a call has to go where it went.
func TestWordsOfPathsStay(t *testing.T) {
	t.Parallel()
	var r recording.Recording
	for _, path := range []string{
		"/Account/LinkToken", "/Authentication/Token", "/CardPayment/Register", "/Company/r-1/ExternalAuthLink", "/Company/r-1/Locations", "/Consent/List", "/Payment/CardAuth",
		"/Payment/CardPaymentMethods/r-2", "/Payment/ChargeSavedCard", "/Payment/Recurring", "/Payment/Refund/r-3", "/Payment/r-3/Cancel", "/PaymentPlan/Create", "/PaymentPlan/r-4/Activate",
		"/PaymentPlan/r-4/Pause", "/PaymentPlan/r-4/Payers", "/Transaction/PaymentRequest/r-5", "/Transaction/Report", "/User/Register", "/User/r-2/DebitAuth", "/User/r-2/Status",
	} {
		for word := range strings.FieldsFuncSeq(path, func(c rune) bool { return c == '/' }) {
			if strings.HasPrefix(word, "r-") {
				continue
			}
			in, _ := json.Marshal(object{"patient": word + " Jane", "guardian": word, "name": word})
			r.Exchanges = append(r.Exchanges, recording.Exchange{Path: path, Body: in})
		}
	}
	out, _ := clean(t, r, scrub.Options{})
	for i, x := range out.Exchanges {
		require.Equal(t, r.Exchanges[i].Path, x.Path)
	}
}
