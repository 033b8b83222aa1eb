package scrub_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/mail"
	"strings"
	"testing"

	"github.com/nyaruka/phonenumbers"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"paysandbox/harness/replay/read"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/replay/scrub"
	"paysandbox/harness/sampling"
	"paysandbox/mockserver/tape"
)

func clean(tb testing.TB, r recording.Recording, o scrub.Options) (recording.Recording, scrub.Report) {
	tb.Helper()
	s := scrub.New([]byte("a key of this test"), o)
	out := s.Recording(r)
	return out, s.Report()
}

// body scrubs one JSON body.
func body(tb testing.TB, text string) string {
	tb.Helper()
	out, _ := clean(tb, recording.Recording{Exchanges: []recording.Exchange{{Method: "POST", Path: "/x", Body: []byte(text)}}}, scrub.Options{})
	return string(out.Exchanges[0].Body)
}

const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkuc3ViQGNhbmFyeS5pbyIsImV4cCI6MX0.Q0FOQVJZc2lnbmF0dXJl"

// canaries are secrets and personal data in every place that a HAR has.
func canaries() (har string, values []string) {
	canary := func(format string) string {
		v := fmt.Sprintf(format, len(values)+10)
		values = append(values, v)
		return v
	}
	mail := func() string { return canary("canary%d@bird.io") }
	word := func() string { return canary("Canary%dSecretValue") }
	body := object{
		"clientId": "id", "clientSecret": word(), "password": word(), "emailAddress": mail(), "name": canary("Canary%d Bird"), "contactNumber": canary("+1415867%d09"),
		"taxId": canary("12-34567%d"), "ssn": canary("51902%d38"), "documentNumber": canary("D%d8812345"), "dateOfBirth": "1971-12-29", "streetNumberAndName": canary("%d Canary Street"), "city": "Canaryville",
		"shortDescription": "Canarius says hi to " + mail(), "metadata": object{"free": "call +1 (415) 867-5309 or " + mail(), "cardNumber": "5500005555555559", "token": word()},
		"owner": object{"name": canary("Canary%d Owner"), "ssn": "8641"}, "nested": `{"password":"` + word() + `"}`, "cvv": 981, "accountNumber": 9918273645, "list": []any{mail(), "token " + jwt},
	}
	values = append(values, "1971-12-29", "Canaryville", "Canarius", "867-5309", "5500005555555559", "8641", ":981", "991827", "Q0FOQVJZc2lnbmF0dXJl", "canary.sub@canary.io")
	text, _ := json.Marshal(body)
	basic := base64.StdEncoding.EncodeToString([]byte("user:" + word()))
	values = append(values, basic)
	headers := []any{
		pair("Authorization", "Bearer "+word()), pair("Cookie", "sid="+word()+"; theme=dark"), pair("X-Api-Key", word()), pair("Proxy-Authorization", "Basic "+basic),
		pair("X-Forwarded-For", "203.0.113.77"), pair("X-Custom", mail()), pair("Referer", "https://user:"+word()+"@x.example.com/?token="+word()), pair("Idempotency-Key", mail()),
	}
	values = append(values, "203.0.113.77")
	answer := []any{pair("Set-Cookie", "session="+word()+"; Path=/; HttpOnly"), pair("Location", "https://x.example.com/pay/"+word()+"abc123XYZ?email="+mail())}
	form := "client_secret=" + word() + "&email=" + strings.ReplaceAll(mail(), "@", "%40") + "&grant_type=x&name=Canary+Form"
	values = append(values, "Canary+Form", "Canary Form")
	entry := func(url, post string, content object) object {
		return object{
			"startedDateTime": "2026-03-02T17:00:00Z", "comment": word(), "request": object{"method": "POST", "url": url, "headers": headers, "cookies": []any{pair("sid", word())}, "queryString": []any{pair("token", word())}, "postData": object{"text": post, "comment": word()}},
			"response": object{"status": 200, "headers": answer, "cookies": []any{pair("session", word())}, "content": content, "comment": word()},
		}
	}
	first := entry("https://user:"+word()+"@api.example.com/Payment/Create?access_token="+word()+"&email="+mail(), string(text), object{"size": 9, "text": string(text)})
	second := entry("https://api.example.com/Company/"+mail()+"/Status", form, object{"size": 9, "text": "<html>password=" + word() + " " + mail() + " Bearer " + word() + "</html>"})
	third := entry("https://api.example.com/Company/List", "\x00"+word(), object{"size": 9, "text": base64.StdEncoding.EncodeToString([]byte("\xff\xfe" + word())), "encoding": "base64"})
	log, _ := json.Marshal(object{"log": object{"comment": word(), "creator": object{"name": "x " + mail()}, "pages": []any{object{"title": word()}}, "entries": []any{first, second, third}}})
	return string(log), values
}

type object = map[string]any

func pair(name, value string) object { return object{"name": name, "value": value} }

func TestNoCanaryIsLeft(t *testing.T) {
	t.Parallel()
	har, values := canaries()
	r, err := read.Contents([]source.File{{Name: "a.har", Data: []byte(har)}}, read.Options{})
	require.NoError(t, err)
	require.Len(t, r.Exchanges, 3)
	out, report := clean(t, r, scrub.Options{})
	told, err := json.Marshal(report)
	require.NoError(t, err)
	left := everything(out) + string(told)
	for _, v := range values {
		require.NotContains(t, left, v)
	}
	require.NotContains(t, left, "anary")
	for _, kind := range []string{"secret", "access token", "e-mail address", "telephone number", "card number", "cookie", "name", "date of birth"} {
		require.Positive(t, report.Replaced[kind], kind)
	}
	require.NotEmpty(t, report.NotLookedAt)
}

// everything is all texts of a recording.
func everything(r recording.Recording) string {
	var b strings.Builder
	for _, x := range r.Exchanges {
		fmt.Fprintln(&b, x.Path, x.Query, x.Header, string(x.Body), x.Answer.Header, string(x.Answer.Body), x.Link)
	}
	for _, w := range r.Received {
		fmt.Fprintln(&b, w.URL, w.Header, string(w.Body))
	}
	fmt.Fprintln(&b, r.Sources, r.Skipped)
	return b.String()
}

func TestStandInsStayValid(t *testing.T) {
	t.Parallel()
	var out struct {
		ContactNumber, MobileNumber, ZipCode, SSN, TaxID, DateOfBirth, CardNumber, EmailAddress string
		Owner                                                                                   struct{ SSN string }
	}
	require.NoError(t, json.Unmarshal([]byte(body(t, `{"contactNumber":"+14158675309","mobileNumber":"+442079460958","zipCode":"94110-1234","ssn":"519-02-4438","taxId":"12-3456789","dateOfBirth":"1971-12-29","cardNumber":"5500 0055 5555 5559","emailAddress":"a@bird.io","owner":{"ssn":"1234"}}`)), &out))
	us, err := phonenumbers.Parse(out.ContactNumber, "US")
	require.NoError(t, err)
	require.True(t, phonenumbers.IsValidNumber(us))
	require.Equal(t, "US", phonenumbers.GetRegionCodeForNumber(us))
	gb, err := phonenumbers.Parse(out.MobileNumber, "US")
	require.NoError(t, err)
	require.Equal(t, "GB", phonenumbers.GetRegionCodeForNumber(gb))
	require.NotEqual(t, "+14158675309", out.ContactNumber)
	require.Regexp(t, `^\d{5}-\d{4}$`, out.ZipCode)
	require.Regexp(t, `^\d{3}-\d{2}-\d{4}$`, out.SSN)
	require.Regexp(t, `^\d{2}-\d{7}$`, out.TaxID)
	require.Regexp(t, `^1971-\d\d-\d\d$`, out.DateOfBirth)
	require.Regexp(t, `^\d{4}$`, out.Owner.SSN)
	require.Regexp(t, `^5500 00\d\d \d{4} 5559$`, out.CardNumber)
	_, err = mail.ParseAddress(out.EmailAddress)
	require.NoError(t, err)
}

func TestWhatIsWrongStaysWrong(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"emailAddress":"not-an-address"}`:                           `^\{"emailAddress":"[a-z]{3}-[a-z]{2}-[a-z]{7}"\}$`,
		`{"contactNumber":"12"}`:                                      `^\{"contactNumber":"\d\d"\}$`,
		`{"zipCode":"1234"}`:                                          `^\{"zipCode":"\d{4}"\}$`,
		`{"ssn":"123456789"}`:                                         `^\{"ssn":"\d{9}"\}$`,
		`{ "state" : "ny", "amount": 5000.50 }`:                       `^\{ "state" : "ny", "amount": 5000.50 \}$`,
		`{"cardNumber":"4111111111111112"}`:                           `^\{"cardNumber":"411111\d{6}1112"\}$`,
		`{"accountNumber":"{{account}}"}`:                             `^\{"accountNumber":"\{\{account\}\}"\}$`,
		`{"AccountNumberMasked":"*1111"}`:                             `^\{"AccountNumberMasked":"\*1111"\}$`,
		`{"contactNumber":"+12025550142"}`:                            `^\{"contactNumber":"\+12025550142"\}$`,
		`{"name":"KYB REJECT Anna Ltd"}`:                              `^\{"name":"KYB REJECT [A-Z]`,
		`{"reference":"invoice-1001","amount":1}`:                     `^\{"reference":"invoice-1001","amount":1\}$`,
		`{"paymentRequestId":"6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10"}`: `6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10`,
	} {
		require.Regexp(t, want, body(t, in), in)
	}
	require.NotContains(t, body(t, `{"name":"KYB REJECT Anna Ltd"}`), "Anna")
}

func TestTheEndOfATimeIsNoAddress(t *testing.T) {
	t.Parallel()
	r := recording.Recording{Exchanges: []recording.Exchange{{Path: "/Transaction/Report", Query: "from=2026-10-31T00:00:00Z&to=2026-11-03T00:00:00Z"}, {Path: "/Transaction/Report", Query: "to=2026-11-03&x=1"}, {Path: "/x", Query: "to=a@bird.io"}}}
	out, _ := clean(t, r, scrub.Options{})
	require.Equal(t, r.Exchanges[0].Query, out.Exchanges[0].Query)
	require.Equal(t, r.Exchanges[1].Query, out.Exchanges[1].Query)
	require.NotContains(t, out.Exchanges[2].Query, "bird")
}

func TestRelationsStay(t *testing.T) {
	t.Parallel()
	r := recording.Recording{Exchanges: []recording.Exchange{
		{Path: "/Authentication/Token", Answer: recording.Answer{Known: recording.Whole, Body: []byte(`{"accessToken":"` + jwt + `"}`)}},
		{Path: "/x/A@bird.io", Header: []tape.Header{{Name: "authorization", Value: "Bearer " + jwt}}, Body: []byte(`{"emailAddress":"a@bird.io","note":"ask a@bird.io or b@bird.io"}`)},
	}}
	out, _ := clean(t, r, scrub.Options{})
	var a struct{ AccessToken string }
	require.NoError(t, json.Unmarshal(out.Exchanges[0].Answer.Body, &a))
	require.Equal(t, "Bearer "+a.AccessToken, out.Exchanges[1].Header[0].Value)
	parts := strings.Split(a.AccessToken, ".")
	require.Equal(t, strings.Split(jwt, ".")[0], parts[0])
	claims, err := base64.RawURLEncoding.DecodeString(parts[1])
	require.NoError(t, err)
	require.Contains(t, string(claims), `"exp":1`)
	var b struct{ EmailAddress string }
	require.NoError(t, json.Unmarshal(out.Exchanges[1].Body, &b))
	require.Equal(t, 2, strings.Count(string(out.Exchanges[1].Body), b.EmailAddress))
	require.Contains(t, out.Exchanges[1].Path, b.EmailAddress)
	again := scrub.New([]byte("another key"), scrub.Options{})
	require.NotEqual(t, out, again.Recording(r))
}

func TestKeepDataKeepsNoSecret(t *testing.T) {
	t.Parallel()
	r := recording.Recording{Exchanges: []recording.Exchange{{Path: "/x", Body: []byte(`{"emailAddress":"a@bird.io","clientSecret":"very secret","ssn":"519024438","cardNumber":"5500005555555559"}`)}}}
	out, report := clean(t, r, scrub.Options{KeepData: true})
	require.Contains(t, string(out.Exchanges[0].Body), "a@bird.io")
	require.Contains(t, string(out.Exchanges[0].Body), "519024438")
	require.NotContains(t, string(out.Exchanges[0].Body), "very secret")
	require.NotContains(t, string(out.Exchanges[0].Body), "5500005555555559")
	require.Equal(t, map[string]int{"secret": 1, "card number": 1}, report.Replaced)
}

// TestBase64HidesNothing: what stands in it is replaced, and it stays base64; an id of the partner's stays as it is.
func TestBase64HidesNothing(t *testing.T) {
	t.Parallel()
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
		for _, said := range []string{"write to canary@bird.io", `{"note":"x","ssn":"519-02-1038"}`, e.EncodeToString([]byte("canary@bird.io, twice"))} {
			var sent struct{ Metadata struct{ Blob string } }
			require.NoError(t, json.Unmarshal([]byte(body(t, `{"metadata":{"blob":"`+e.EncodeToString([]byte(said))+`"}}`)), &sent))
			raw, err := e.DecodeString(sent.Metadata.Blob)
			require.NoError(t, err)
			require.NotEqual(t, said, string(raw))
			require.NotContains(t, string(raw), "canary")
			require.NotContains(t, string(raw), "519-02")
		}
	}
	kept := `{"metadata":{"blob":"T1JELTc3MzEtbW9uZGF5"}}`
	require.Equal(t, kept, body(t, kept))
}

func TestWhatLooksRandomIsListed(t *testing.T) {
	t.Parallel()
	r := recording.Recording{Exchanges: []recording.Exchange{{Place: recording.Place{Source: "a", Entry: 3}, Path: "/x", Body: []byte(`{"unknown":"x9Kd83jfLq02mzPw7Rt5Vb","short":"9fQ2xK7mZp4LvB8s","plain":"membership of October","number":"Invoice-2026-0007"}`)}}}
	_, report := clean(t, r, scrub.Options{})
	at := recording.Place{Source: "a", Entry: 3}
	require.ElementsMatch(t, []scrub.Note{{Place: at, What: "unknown looks random"}, {Place: at, What: "short looks random"}}, report.Missed)
}

// TestWhatWasReplacedOnceIsReplacedEverywhere: by its words, whatever stands between them and in any case; what is too short
// for that is told of. Words of the service's stay.
func TestWhatWasReplacedOnceIsReplacedEverywhere(t *testing.T) {
	t.Parallel()
	made := `{"companyReferenceId":"hillside-fitness-1","name":"Hillside Fitness","zipCode":"90412","websiteUrl":"https://hillside-fitness.example.com/about","contactNumber":"+14158675309",` +
		`"streetNumberAndName":"410 Hill Street","owner":{"name":"Maria User Alvarez","ssn":"519024438","dateOfBirth":"1971-12-29"},"locations":[{"name":"Gym"}]}`
	paid := `{"reference":"ALVAREZ-2026-03","note2":"Gym of maria alvarez, born 1971/12/29, 410 hill street, zip 90412","metadata":{"Hillside Fitness":"hillsidefitness","n":4158675309,"s":"519-02-4438 or 519024438","status":"Maria"},"status":"Paid"}`
	r := recording.Recording{Exchanges: []recording.Exchange{
		{Path: "/User/Register", Body: []byte(paid), Header: []tape.Header{{Name: "User-Agent", Value: "HillsideFitness/2 (Hillside Fitness)"}}},
		{Path: "/Company/Create", Body: []byte(made)},
		{Path: "/Company/hillside-fitness-1/Status", Query: "who=Alvarez%2C+Maria", Answer: recording.Answer{Body: []byte(`{"detail":"no Hillside Fitness"}`)}},
	}}
	out, report := clean(t, r, scrub.Options{})
	left := everything(out)
	for _, gone := range []string{"illside", "lvarez", "LVAREZ", "aria ", "1971-12-29", "1971/12", "hill street", "4158675309", "519024438"} {
		require.NotContains(t, left, gone)
	}
	require.Equal(t, "/User/Register", out.Exchanges[0].Path)
	var company, payment struct{ CompanyReferenceID, Reference string }
	require.NoError(t, json.Unmarshal(out.Exchanges[1].Body, &company))
	require.Equal(t, "/Company/"+company.CompanyReferenceID+"/Status", out.Exchanges[2].Path, "it links")
	require.NoError(t, json.Unmarshal(out.Exchanges[0].Body, &payment))
	require.Regexp(t, "^[A-Z]+-2026-03$", payment.Reference)
	require.Contains(t, string(out.Exchanges[0].Body), `"status":"Paid"`)
	var told []string
	for _, n := range report.Missed {
		told = append(told, n.What)
	}
	require.ElementsMatch(t, []string{"a company name that was replaced elsewhere", "a zip code that was replaced elsewhere"}, told)
}

// TestCardsKeepTheirCheckDigit for any number.
func TestCardsKeepTheirCheckDigit(t *testing.T) {
	t.Parallel()
	sampling.Check(t, func(t *rapid.T) {
		number := rapid.StringMatching(`[3-6][0-9]{12,18}`).Draw(t, "number")
		in, _ := json.Marshal(object{"cardNumber": number})
		s := scrub.New([]byte("k"), scrub.Options{})
		out := s.Recording(recording.Recording{Exchanges: []recording.Exchange{{Path: "/", Body: in}}})
		var got struct{ CardNumber string }
		require.NoError(t, json.Unmarshal(out.Exchanges[0].Body, &got))
		require.Len(t, got.CardNumber, len(number))
		require.Equal(t, luhn(number), luhn(got.CardNumber))
	})
}

func luhn(s string) bool {
	sum := 0
	for i := range len(s) {
		d := int(s[len(s)-1-i] - '0')
		if i%2 == 1 {
			d = d*2/10 + d*2%10
		}
		sum += d
	}
	return sum%10 == 0
}

// BenchmarkRecording scrubs a thousand calls of a kilobyte.
func BenchmarkRecording(b *testing.B) {
	text := []byte(`{"companyReferenceId":"gym-1","name":"Anna Ltd","emailAddress":"anna@gym.example.org","contactNumber":"+14158675309","zipCode":"94110","owner":{"name":"Anna Li","ssn":"1234","dateOfBirth":"1971-12-29"},"metadata":{"a":"` + strings.Repeat("some words ", 60) + `"}}`)
	r := recording.Recording{Exchanges: make([]recording.Exchange, 1000)}
	for i := range r.Exchanges {
		r.Exchanges[i] = recording.Exchange{Path: "/Company/Create", Body: text, Header: []tape.Header{{Name: "Authorization", Value: "Bearer " + jwt}}}
	}
	for b.Loop() {
		s := scrub.New([]byte("k"), scrub.Options{})
		s.Recording(r)
	}
}

func FuzzScrub(f *testing.F) {
	f.Add(`{"emailAddress":"a@b.io","x":[1,{"ssn":123456789}]}`, "a=b&email=x%40y.io", "Bearer "+jwt)
	f.Add("<a>password=abc</a>", "%zz", "user:pw@host")
	f.Fuzz(func(t *testing.T, body, query, value string) {
		r := recording.Recording{Exchanges: []recording.Exchange{{
			Path: "/" + query, Query: query, Body: []byte(body),
			Header: []tape.Header{{Name: "Authorization", Value: value}, {Name: "Cookie", Value: value}, {Name: "X-Forwarded-For", Value: query}, {Name: "Referer", Value: "https://" + value}},
		}}}
		was := json.Valid([]byte(body))
		out, _ := clean(t, r, scrub.Options{})
		if was {
			require.True(t, json.Valid(out.Exchanges[0].Body), "%q became %q", body, out.Exchanges[0].Body)
		}
	})
}

// TestNamesWithinNames: what a company or a person is called is known in the names that partners give in
// metadata, whatever stands between the words; initials may be anything, and are told of.
func TestNamesWithinNames(t *testing.T) {
	t.Parallel()
	out, report := clean(t, recording.Recording{Exchanges: []recording.Exchange{{Method: "POST", Path: "/x", Body: []byte(
		`{"name":"Hillside Fitness","owner":{"name":"Maria Alvarez"},"reference":"HF-1001","metadata":{"hillside_fitness":"1","HillsideFitnessId":"hillsideFitnessKey","owner_maria_alvarez":"MA"}}`,
	)}}}, scrub.Options{})
	said := string(out.Exchanges[0].Body)
	require.NotRegexp(t, "(?i)hillside|fitness|maria|alvarez", said)
	require.Contains(t, said, `"reference":"HF-1001"`)
	require.Len(t, report.Missed, 1)
	require.Contains(t, report.Missed[0].What, "the initials of a company name")
}

// TestWhatStandsInIsMarked: where a body's value, or a part of the path, is not as it was sent; nothing else is.
func TestWhatStandsInIsMarked(t *testing.T) {
	t.Parallel()
	x := recording.Exchange{Method: "POST", Path: "/Company/Create", Body: []byte(`{"name":"Hillside Fitness","zipCode":"9001","companyType":"ForProfit","owner":{"emailAddress":"maria.alvarez@example.com"}}`)}
	r := scrub.New([]byte("k"), scrub.Options{}).Recording(recording.Recording{Exchanges: []recording.Exchange{x, {Method: "GET", Path: "/User/maria.alvarez@example.com/Status"}}})
	require.ElementsMatch(t, []string{"/name", "/zipCode", "/owner/emailAddress"}, r.Exchanges[0].StandIns)
	require.Equal(t, []string{"path"}, r.Exchanges[1].StandIns)
	kept := scrub.New([]byte("k"), scrub.Options{KeepData: true}).Recording(recording.Recording{Exchanges: []recording.Exchange{x}})
	require.Empty(t, kept.Exchanges[0].StandIns)
}

// TestNamesOfDigestsStay: what a receiver's log has before a digest that is told by its kind is no secret.
func TestNamesOfDigestsStay(t *testing.T) {
	t.Parallel()
	const line = "bad signature: computed=[digest] header=sha256=[digest] received=sha256=[digest]"
	w := recording.Received{Body: []byte(`{}`)}
	w.Tell(recording.SameDigest, line)
	out := scrub.New([]byte("key"), scrub.Options{}).Recording(recording.Recording{Received: []recording.Received{w}})
	require.Equal(t, line, out.Received[0].Line(recording.SameDigest))
}
