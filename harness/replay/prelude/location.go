package prelude

import (
	"strings"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// locations are those of a company, as its creation takes them, and their ids.
type locations struct {
	rows []any
	ids  []string
}

// locationsOf are the locations that a company had when its list was first told, without
// those that the recording has added itself; unknown where no list is told.
func (b *builder) locationsOf(ref string, id *fact) (had locations, known bool) {
	for i := range b.rec.Exchanges {
		x := &b.rec.Exchanges[i]
		op, params := b.routes.Match(x.Method, x.Path)
		if op != "listLocations" || !Served(x) || x.Answer.Known != recording.Whole || params[0].Text != ref && (id == nil || !strings.EqualFold(params[0].Text, id.Text)) {
			continue
		}
		had.rows = []any{}
		for _, row := range trail.ReadBody(x.Answer.Body).List("locations") {
			one, a := map[string]any{"name": row.Text("name")}, row.Object("address")
			if b.facts.added(i, row.Text("id")) {
				continue
			}
			for _, member := range []string{"streetNumberAndName", "apartmentNumber", "zipCode", "city", "state"} {
				if v := a.Text(member); v != "" {
					one[member] = v
				}
			}
			had.rows, had.ids = append(had.rows, one), append(had.ids, row.Text("id"))
		}
		return had, true
	}
	return had, false
}

// manyLocations repeats a company's locations until there are enough.
func manyLocations(v any, n int) any {
	list, _ := v.([]any)
	for i := 0; len(list) > 0 && len(list) < n; i++ {
		list = append(list, list[i])
	}
	return list
}

// added says whether a location came from a call before a list of them.
func (f *facts) added(before int, id string) bool {
	for i := range f.rec.Exchanges[:before] {
		x := &f.rec.Exchanges[i]
		if op, _ := f.routes.Match(x.Method, x.Path); op == "addLocation" && Served(x) && (x.Answer.Known != recording.Whole || strings.EqualFold(trail.ReadBody(x.Answer.Body).Text("locationId"), id)) {
			return true
		}
	}
	return false
}
