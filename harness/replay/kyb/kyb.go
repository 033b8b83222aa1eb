// Package kyb holds what a recording shows of companies: which calls have made them, and how their verification stands. It judges
// nobody.
package kyb

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"paysandbox/harness/replay/compare"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Shown is a company whose status a call shows.
type Shown struct {
	ID string
	// Made is the call that made it, -1 where none is shown before; Last is the call that shows its status.
	Made, Last int
	Status     string
}

// companyStatus is the path of a company's status, by its id or the partner's own reference.
var companyStatus = trail.Pattern(`(?i)^/company/([^/]+)/status$`)

// Companies are those that calls have made: by their ids and by the partner's own references, in small letters, which call did.
type Companies struct {
	Made map[string]int
	IDs  map[int]string
}

// Of finds them.
func Of(r *recording.Recording) Companies {
	c := Companies{map[string]int{}, map[int]string{}}
	for i := range r.Exchanges {
		id := strings.ToLower(trail.ReadBody(r.Exchanges[i].Answer.Body).Text("companyId"))
		if id == "" {
			continue
		}
		c.IDs[i] = id
		for _, name := range []string{id, strings.ToLower(trail.ReadBody(r.Exchanges[i].Body).Text("companyReferenceId"))} {
			if _, known := c.Made[name]; !known && name != "" {
				c.Made[name] = i
			}
		}
	}
	c.unnamed(r)
	return c
}

// unnamed takes the only company of whose creation no file shows what was sent for the only one that is read behind it, and that
// nothing shown has made: one that is older has been Unverified for longer still.
func (c Companies) unnamed(r *recording.Recording) {
	made, name := -1, ""
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		if strings.HasSuffix(strings.ToLower(x.Path), "/company/create") && x.Answer.Status == 200 && x.BodyMissing {
			if made >= 0 {
				return
			}
			made = i
			continue
		}
		found := companyStatus().FindStringSubmatch(x.Path)
		if source.MethodOf(x.Path) != "GET" || found == nil || x.Answer.Status != 200 {
			continue
		}
		read := strings.ToLower(found[1])
		if _, known := c.Made[read]; known || read == name {
			continue
		}
		if made < 0 || name != "" {
			return
		}
		name = read
	}
	if made >= 0 && name != "" {
		c.Made[name] = made
	}
}

// By is the call before another that made a company, -1 for none.
func (c Companies) By(name string, before int) int {
	if at, known := c.Made[name]; known && at < before {
		return at
	}
	return -1
}

// Statuses are those that calls show, in their order.
func (c Companies) Statuses(r *recording.Recording) []Shown {
	var list []Shown
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		found := companyStatus().FindStringSubmatch(x.Path)
		if source.MethodOf(x.Path) == "GET" && found != nil && x.Answer.Status == 200 {
			id := strings.ToLower(found[1])
			list = append(list, Shown{id, c.By(id, i), i, trail.ReadBody(x.Answer.Body).Text("status")})
		}
	}
	return list
}

// Unverified are those that the files show as Unverified to their end, in the order of their last calls.
func Unverified(r *recording.Recording) []Shown {
	ended := map[string]bool{}
	for i := range r.Received {
		if told := compare.Tell(r.Received[i].Body); told.Name == trail.CompanyEvent && told.Says != "Unverified" {
			ended[told.About] = true
		}
	}
	c, open := Of(r), map[string]Shown{}
	for _, u := range c.Statuses(r) {
		if u.Status != "" {
			delete(open, u.ID)
		}
		if u.Status == "Unverified" && !ended[cmp.Or(c.IDs[u.Made], u.ID)] {
			open[u.ID] = u
		}
	}
	return slices.SortedFunc(maps.Values(open), func(a, b Shown) int { return a.Last - b.Last })
}

// Age is how old the company was at the last call, and whether the files tell: one clock has told both times.
func (u Shown) Age(r *recording.Recording) (time.Duration, bool) {
	if u.Made < 0 {
		return 0, false
	}
	made, last := &r.Exchanges[u.Made], &r.Exchanges[u.Last]
	return last.Begin.Sub(made.Begin), !made.Begin.IsZero() && !last.Begin.IsZero() && made.Place.Source == last.Place.Source
}
