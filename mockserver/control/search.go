package control

import (
	"net/http"
	"strconv"

	"paysandbox/mockserver/integration"
	"paysandbox/mockserver/tape"
)

// The bounds of one call that searches.
const (
	usualFound = 100
	mostFound  = 500
	// pieces is through how many pieces of the tape one call looks; others have their
	// turn between two of them.
	pieces = 4
	// foundBytes is how much of the tape a piece gives, unless a single entry is larger.
	foundBytes = chunkBytes / pieces
)

// Found is what a search through the tape has come to.
type Found struct {
	// Entries are those that were found, oldest first.
	Entries []Line `json:"entries" required:"true" nullable:"false"`
	// Searched of Total entries have been looked at, counted from since: while Next is
	// not null, that nothing was found does not mean that there is nothing.
	Searched uint64 `json:"searched" required:"true" example:"5000"`
	Total    uint64 `json:"total" required:"true" example:"20000"`
	// Next continues the search, as since; null when the tape has been looked through.
	Next *uint64 `json:"next" required:"true" example:"5000"`
	// Gap is the stretch behind since that has been dropped: nothing can be said of it.
	// Null when nothing is missing.
	Gap *Gap `json:"gap" required:"true"`
}

func searchTape(x *exchange, i *integration.Integration) (Found, error) {
	q := x.asked()
	f := tape.Filter{
		Since: q.number("since"), Kinds: q.kinds(), Operation: q.operation(x.control), Entity: q.text("entity"),
		Label: q.text("label"), Text: q.text("q"), Bytes: foundBytes,
	}
	limit := q.within("limit", usualFound, mostFound)
	if err := q.err(); err != nil {
		return Found{}, err
	}
	x.Begin(chunkBytes)
	begin, out := f.Since, Found{Entries: []Line{}}
	for piece := range pieces {
		f.Limit = limit - len(out.Entries)
		r := i.Seek(f)
		if piece == 0 {
			out.Gap = gapOf(r.Gap)
			begin = max(begin, r.Gap.To)
		}
		out.Entries = append(out.Entries, lines(r.Entries)...)
		f.Since = r.Last
		out.Searched, out.Total = max(r.Last, begin)-begin, max(r.Newest, begin)-begin
		if out.Next = nil; !r.More {
			break
		}
		if out.Next = new(r.Last); len(out.Entries) >= limit {
			break
		}
	}
	return out, nil
}

func searchRoutes() []*route {
	return []*route{row("searchTape", http.MethodGet, Prefix+"/integrations/{i}/search", reads(searchTape), nil, Found{}).
		About("Tape", "Search the tape, and tell how far the search has come").
		Says("One call looks through a bounded stretch; ask again with next as since until that is null.").
		With(
			queryParam("q", "inv-1001", "The text, A to Z in either case: it is looked for in paths, headers, bodies, ids and all other texts."),
			queryParam("since", "120", "Leave out entries up to and with this number."),
		).
		With(choiceParams("exchange", "Only entries with this Sandbox-Label.")...).
		With(queryParam("limit", "100", "At most so many, "+strconv.Itoa(mostFound)+" at most; "+strconv.Itoa(usualFound)+" when it is left out.")).
		Fails(http.StatusBadRequest)}
}
