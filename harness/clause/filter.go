package clause

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// ErrFilter means that a list of tags or clauses cannot be read.
var ErrFilter = errors.New("the filter does not understand")

// Filter takes some out of many: those that one of its words names, all where no
// word takes any, without those that a word leaves out. The zero value takes all.
type Filter struct {
	take, leave []string
	// below lets a word name what stands below it, too.
	below bool
}

// The forms of words, read when they are first used.
var (
	tagWord    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^@[A-Za-z0-9_:.-]+$`) })
	clauseWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)*$`) })
)

// ParseTags reads lists of tags: "@area:companies, @area:payments, not
// @needs:control". The @ may be left out. Expressions with and, or and
// parentheses are refused; the error wraps ErrFilter.
func ParseTags(lists ...string) (Filter, error) {
	var f Filter
	err := f.read(lists, func(word string) (string, bool) {
		word = "@" + strings.TrimPrefix(word, "@")
		return word, tagWord().MatchString(word)
	}, "@area:companies,not @needs:control")
	return f, err
}

// ParseClauses reads lists of clauses: "company.create, not company.create.zip".
// A word names the clause of that id and all that stand below it, or else those of
// the area that is called so. The error wraps ErrFilter.
func ParseClauses(lists ...string) (Filter, error) {
	f := Filter{below: true}
	err := f.read(lists, func(word string) (string, bool) {
		word = strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(word, "@clause:"), ".*"))
		return word, clauseWord().MatchString(word)
	}, "company.create,not company.create.zip")
	f.take, f.leave = f.areas(f.take), f.areas(f.leave)
	return f, err
}

// areas puts clauses in the place of the words that name none, but an area.
func (f *Filter) areas(words []string) []string {
	var list []string
	for _, word := range words {
		var below, within []string
		for _, c := range slices.Concat(Catalogue(), Integration()) {
			id := string(c.ID)
			if f.names(word, []string{id}) {
				below = append(below, id)
			} else if c.Area == word {
				within = append(within, id)
			}
		}
		if below == nil && within != nil {
			list = append(list, within...)
		} else {
			list = append(list, word)
		}
	}
	return list
}

// read takes in the words of the lists.
func (f *Filter) read(lists []string, tidy func(string) (string, bool), example string) error {
	for word := range strings.SplitSeq(strings.Join(lists, ","), ",") {
		word = strings.TrimSpace(word)
		if word == "" {
			continue
		}
		rest, not := negated(word)
		name, ok := tidy(rest)
		if !ok {
			return fmt.Errorf("%w %q: give a list such as %q", ErrFilter, word, example)
		}
		if not {
			f.leave = append(f.leave, name)
		} else {
			f.take = append(f.take, name)
		}
	}
	return nil
}

// negated takes the not off a word.
func negated(word string) (string, bool) {
	for _, sign := range []string{"not ", "!", "~"} {
		if rest, found := strings.CutPrefix(word, sign); found {
			return strings.TrimSpace(rest), true
		}
	}
	return word, false
}

// Empty says whether the filter takes all.
func (f *Filter) Empty() bool { return len(f.take) == 0 && len(f.leave) == 0 }

// Takes says whether the filter takes what has these names.
func (f *Filter) Takes(names ...string) bool {
	named := func(word string) bool { return f.names(word, names) }
	return (len(f.take) == 0 || slices.ContainsFunc(f.take, named)) && !slices.ContainsFunc(f.leave, named)
}

// names says whether a word names one of these.
func (f *Filter) names(word string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		return n == word || f.below && strings.HasPrefix(n, word+".")
	})
}

// Idle lists the words that name nothing of all there is.
func (f *Filter) Idle(all []string) []string {
	var list []string
	for _, word := range slices.Concat(f.take, f.leave) {
		if !f.names(word, all) {
			list = append(list, word)
		}
	}
	return list
}
