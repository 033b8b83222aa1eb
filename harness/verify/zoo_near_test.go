package verify_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
)

// near is a rule that is enforced almost. One of Passes and Refused is set.
type near struct {
	Clause  string `yaml:"clause"`
	Breach  string `yaml:"breach"`
	Call    string `yaml:"call"`
	Member  string `yaml:"member"`
	Passes  string `yaml:"passes"`
	As      any    `yaml:"as"`
	Refused string `yaml:"refused"`
}

// nearMutants miss a rule by little: an off-by-one, a letter's case, a leap year.
func nearMutants(tb testing.TB) []mutant {
	tb.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "zoo", "near.yaml"))
	require.NoError(tb, err)
	var rows []near
	require.NoError(tb, yaml.Unmarshal(raw, &rows))
	var list []mutant
	for _, r := range rows {
		require.NotEqual(tb, r.Passes == "", r.Refused == "", r.Breach)
		list = append(list, mutant{r.Clause, r.Breach, r.kind()})
	}
	return list
}

// kind makes the middleware of a row.
func (r near) kind() kind {
	fits := regexp.MustCompile(r.Passes + r.Refused)
	looks := func(x *exchange) bool {
		v := x.member(r.Member)
		return v != nil && fits.MatchString(fmt.Sprint(v))
	}
	if r.Refused != "" {
		return refuses(r.Call, r.Clause, r.Member, looks)
	}
	return asks(r.Call, func(x *exchange) {
		if looks(x) && fmt.Sprint(x.member(r.Member)) != fmt.Sprint(r.As) {
			x.send(r.Member, r.As)
		}
	})
}
