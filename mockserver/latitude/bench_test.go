package latitude_test

import (
	"testing"

	"paysandbox/mockserver/latitude"
)

func BenchmarkIs(b *testing.B) {
	set := latitude.Vary(7)
	hits := 0
	for b.Loop() {
		if set.Is(latitude.ZipPlusFourOnly) {
			hits++
		}
	}
	_ = hits
}

func BenchmarkVary(b *testing.B) {
	for b.Loop() {
		latitude.Vary(7)
	}
}

func BenchmarkParse(b *testing.B) {
	list := []string{"token-lifetime=600", "rate-limit=100/s"}
	for b.Loop() {
		if _, err := latitude.Parse(list); err != nil {
			b.Fatal(err)
		}
	}
}
