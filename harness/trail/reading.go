package trail

import (
	"sort"
	"strings"

	"paysandbox/mockserver/tape"
)

// ReadsByID are the reads of states, by what the service says that they are about.
func (t *Trail) ReadsByID() map[string][]*tape.Entry { return Once(t, "reads", t.readReads) }

func (t *Trail) readReads() map[string][]*tape.Entry {
	by := map[string][]*tape.Entry{}
	for e := range t.CallEntries() {
		if o := OperationOf(e.Exchange); o.Reads != OneState || o.Kind == "company" {
			continue
		}
		for _, id := range e.Entities {
			id = strings.ToLower(id)
			by[id] = append(by[id], e)
		}
	}
	return by
}

// ReadAfter is the first call after an entry by which the application has read the
// state of a payment.
func (t *Trail) ReadAfter(id string, since uint64) *tape.Entry {
	list := t.Calls()
	first := sort.Search(len(list), func(i int) bool { return list[i].Entry.Seq > since })
	for _, c := range list[first:] {
		if Served(c.Exchange) && t.ReadsState(c.Entry, id) {
			return c.Entry
		}
	}
	return nil
}
