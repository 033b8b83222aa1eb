package trail

import (
	"sort"
	"strings"

	"paysandbox/mockserver/tape"
)

// ReadsByID are the reads of states, by what the service says that they are about.
func (t *Trail) ReadsByID() map[string][]*tape.Entry {
	by := map[string][]*tape.Entry{}
	for e := range t.CallEntries() {
		switch e.Exchange.Operation {
		case "getPaymentStatus", "getTransaction", "getUserStatus":
			for _, id := range e.Entities {
				id = strings.ToLower(id)
				by[id] = append(by[id], e)
			}
		}
	}
	return by
}

// ReadAfter is the first call after an entry by which the application has read the
// state of a payment.
func (t *Trail) ReadAfter(id string, since uint64, book *Companies) *tape.Entry {
	list := t.Calls()
	first := sort.Search(len(list), func(i int) bool { return list[i].Entry.Seq > since })
	for i := range list[first:] {
		if e := list[first+i].Entry; Served(e.Exchange) && book.Reads(e, id) {
			return e
		}
	}
	return nil
}
