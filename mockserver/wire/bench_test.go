package wire_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/secret"
	"paysandbox/mockserver/wire"
)

type address struct {
	Street    string `json:"streetNumberAndName"`
	Apartment string `json:"apartmentNumber"`
	Zip       string `json:"zipCode"`
	City      string `json:"city"`
	State     string `json:"state"`
}

type owner struct {
	Name           string `json:"name"`
	Email          string `json:"emailAddress"`
	Contact        string `json:"contactNumber"`
	Title          string `json:"title"`
	DocumentNumber string `json:"documentNumber" mask:"true"`
	DocumentType   string `json:"documentType"`
	SSN            string `json:"ssn" mask:"true"`
	BirthDate      string `json:"dateOfBirth"`
	address
}

type employee struct {
	Name    string `json:"name"`
	Email   string `json:"emailAddress"`
	Contact string `json:"contactNumber"`
	Title   string `json:"title"`
}

type location struct {
	Name string `json:"name"`
	address
}

type company struct {
	Reference   string     `json:"companyReferenceId"`
	Name        string     `json:"name"`
	Email       string     `json:"emailAddress"`
	TaxID       string     `json:"taxId" mask:"true"`
	TaxIDType   string     `json:"taxIdType"`
	address                // the company's own
	Contact     string     `json:"contactNumber"`
	Website     string     `json:"websiteUrl"`
	CompanyType string     `json:"companyType"`
	Owner       *owner     `json:"owner"`
	Employees   []employee `json:"employees"`
	Locations   []location `json:"locations"`
}

const companyBody = `{"companyReferenceId":"gym-0001","name":"Iron & Oak Fitness","emailAddress":"office@ironandoak.example",
"taxId":"12-3456789","taxIdType":"EIN","streetNumberAndName":"1200 Congress Avenue","apartmentNumber":"Suite 300","zipCode":"78701-1234",
"city":"Austin","state":"TX","contactNumber":"+15125550100","websiteUrl":"https://ironandoak.example","companyType":"LLC",
"owner":{"name":"Dana Whitfield","emailAddress":"dana@ironandoak.example","contactNumber":"+15125550101","title":"Managing Member",
"documentNumber":"D1234567","documentType":"DriverLicense","ssn":"6789","dateOfBirth":"1984-03-12",
"streetNumberAndName":"45 Barton Springs Road","apartmentNumber":"4B","zipCode":"78704","city":"Austin","state":"TX"},
"employees":[{"name":"Lee Ortega","emailAddress":"lee@ironandoak.example","contactNumber":"+15125550102","title":"Front Desk"},
{"name":"Sam Patel","emailAddress":"sam@ironandoak.example","contactNumber":"+15125550103","title":"Coach"},
{"name":"Kim Novak","emailAddress":"kim@ironandoak.example","contactNumber":"+15125550104","title":"Accounts"}],
"locations":[{"name":"Downtown","streetNumberAndName":"1200 Congress Avenue","apartmentNumber":"","zipCode":"78701","city":"Austin","state":"TX"},
{"name":"South","streetNumberAndName":"2300 South Lamar Boulevard","apartmentNumber":"","zipCode":"78704","city":"Austin","state":"TX"}]}`

func TestCompanyDecodesAsEncodingJSONDoes(t *testing.T) {
	t.Parallel()
	var want, got company
	require.NoError(t, json.Unmarshal([]byte(companyBody), &want))
	r := wire.Decode([]byte(companyBody), &got, wire.Options{})
	require.Empty(t, r.Findings)
	require.Nil(t, r.Err)
	require.Equal(t, want, got)
	require.Len(t, r.Spans, 3)
}

func TestDecodeAllocatesLittle(t *testing.T) {
	body := []byte(companyBody)
	n := testing.AllocsPerRun(100, func() {
		var c company
		wire.Decode(body, &c, wire.Options{})
	})
	require.LessOrEqual(t, n, 10.0)
}

func BenchmarkDecodeCompany(b *testing.B) {
	body := []byte(companyBody)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		var c company
		if r := wire.Decode(body, &c, wire.Options{}); r.Refused() {
			b.Fatal(r)
		}
	}
}

func BenchmarkEncodingJSONCompany(b *testing.B) {
	body := []byte(companyBody)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		var c company
		if err := json.NewDecoder(bytes.NewReader(body)).Decode(&c); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMaskCompany(b *testing.B) {
	body := []byte(companyBody)
	var c company
	spans := wire.Decode(body, &c, wire.Options{}).Spans
	b.ReportAllocs()
	for b.Loop() {
		secret.Mask(body, spans)
	}
}

func BenchmarkAppendPlain(b *testing.B) { benchmarkAppend(b, wire.Shape{}) }

func BenchmarkAppendShaped(b *testing.B) {
	benchmarkAppend(b, wire.Shape{Pascal: true, Shuffle: true, DropNull: true})
}

func benchmarkAppend(b *testing.B, shape wire.Shape) {
	b.Helper()
	var c company
	wire.Decode([]byte(companyBody), &c, wire.Options{})
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst = wire.Append(dst[:0], &c, shape)
	}
}

// BenchmarkHostileBodies reads bodies that are meant to cost a lot, beside an
// eighth of each: the ratio of the times is 8 where the cost is linear.
func BenchmarkHostileBodies(b *testing.B) {
	const size = 8 << 20
	all, parts := hostile(size), hostile(size/8)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b.Run(name, func(b *testing.B) {
			var whole, part time.Duration
			for b.Loop() {
				whole += timeToRead(all[name])
				part += timeToRead(parts[name])
			}
			b.ReportMetric(whole.Seconds()/part.Seconds(), "ratio")
		})
	}
}

// timeToRead is how long it takes to decode a body and to mask it.
func timeToRead(body string) time.Duration {
	raw := []byte(body)
	var e everything
	began := time.Now()
	r := wire.Decode(raw, &e, wire.Options{})
	secret.Mask(raw, r.Spans)
	return time.Since(began)
}
