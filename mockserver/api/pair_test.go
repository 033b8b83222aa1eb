package api_test

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"sort"
	"sync"
	"testing"
	"time"

	"paysandbox/mockserver/api"
	"paysandbox/mockserver/latitude"
)

// seen is what the tests of this package have asked of the API.
type seen struct {
	mu       sync.Mutex
	statuses map[string]map[int]bool
}

// exercised is filled by every sandbox of these tests.
var exercised = seen{statuses: map[string]map[int]bool{}}

func (s *seen) note(operation string, status int, _ time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.statuses[operation] == nil {
		s.statuses[operation] = map[int]bool{}
	}
	s.statuses[operation][status] = true
}

// declared are the errors of each operation, under whatever choice of the ledger.
func declared() map[string][]int {
	a, errors := api.New(api.Options{}), map[string][]int{}
	for _, k := range latitude.Knobs() {
		for _, c := range k.Choices() {
			for _, op := range a.OperationsUnder(latitude.Settings{}.Choose(c)) {
				errors[op.ID] = append(errors[op.ID], op.Errors...)
			}
		}
	}
	for id, list := range errors {
		slices.Sort(list)
		errors[id] = slices.Compact(list)
	}
	return errors
}

// missing holds the operations and what was exercised against each other: each
// operation must have answered 200 and every error that it declares, and
// nothing that it does not declare.
func (s *seen) missing() []string {
	var list []string
	for id, errors := range declared() {
		got := s.statuses[id]
		for _, want := range append([]int{http.StatusOK}, errors...) {
			if !got[want] {
				list = append(list, fmt.Sprintf("%s never answered %d", id, want))
			}
		}
		for status := range got {
			if status != http.StatusOK && status != http.StatusTooManyRequests && !slices.Contains(errors, status) {
				list = append(list, fmt.Sprintf("%s answered %d, which it does not declare", id, status))
			}
		}
	}
	sort.Strings(list)
	return list
}

// TestMain runs the pair test after all others: routes against what was called.
func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	whole := flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.list").Value.String() == "" && flag.Lookup("test.fuzz").Value.String() == ""
	if missing := exercised.missing(); whole && code == 0 && len(missing) > 0 || os.Getenv("PAIR") != "" {
		for _, line := range missing {
			fmt.Println("pair test:", line)
		}
		code = 1
	}
	os.Exit(code)
}
