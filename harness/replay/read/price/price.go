package price

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// inDollars is an amount of dollars as people write it.
var (
	inDollars = trail.Pattern(`(?i)(?:US)?\$ ?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,7})(\.[0-9]{2})?\b|\bUSD ?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,7})(\.[0-9]{2})?\b|\b([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,7})(\.[0-9]{2})? ?(?:USD\b|US\$|dollars?\b)`)
	// priced is how a call says where one stands.
	priced = trail.Pattern(`^(?:[A-Za-z0-9_]{1,60}|the text around it) says ([$A-Za-z0-9,. ]{2,24})$`)
	// named is a member whose figures are a price, whatever they are written as, and plainPrice what they are then.
	named      = trail.Pattern(`(?i)price|total|cost|fee$`)
	plainPrice = trail.Pattern(`^([0-9]{1,7})(\.[0-9]{2})$`)
)

// Is says whether a text is one by which [Read] says where a price stands.
func Is(text string) bool {
	found := priced().FindStringSubmatch(text)
	rest, lower := strings.CutPrefix(text, saysLowered)
	return found != nil && inDollars().FindString(found[1]) == found[1] || lower && lowered().FindString(rest) == rest
}

// mostProse is how much of a file is looked through for prices.
const mostProse = 1 << 20

// Read notes, of each call that asks for money, or sets a limit, where its own texts, or what is written around the calls,
// price it at as many dollars as it asks for cents.
func Read(files []source.File, r *recording.Recording) {
	known, totals, named := amounts(r), totalsOf(files), namedIn(files)
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		sent := trail.ReadBody(x.Body)
		for _, name := range moneyNames {
			number, _ := sent.Get(name).(json.Number)
			cents, err := number.Int64()
			if x.Dollars != "" || err != nil || cents <= 0 {
				continue
			}
			if x.Dollars = cmp.Or(newTotal(x, sent, cents), inTexts(sent, "", cents)); x.Dollars == "" && name == "amount" { // by a line that names the order
				x.Dollars = totals.ofAny(ordersOf(sent), cents)
			}
			if x.Dollars == "" && name == "amount" {
				x.Dollars = named.justAbove(x, cents)
			}
			if x.Dollars != "" {
				continue
			}
			if refunds := strings.Contains(strings.ToLower(x.Path), "refund"); refunds || known[cents*100] {
				if refunds { // by a line that names the payment
					x.Dollars = totals.of(x.Path[strings.LastIndexByte(x.Path, '/')+1:], cents)
				}
				continue
			}
			for i := range files {
				fromText(x, &files[i], r, named, name, cents)
			}
		}
	}
}

// fromText notes what a file says around its calls, or around one of them, where nothing is noted yet.
func fromText(x *recording.Exchange, f *source.File, r *recording.Recording, all prices, name string, cents int64) {
	if name == "amount" && x.Dollars == "" && f.Name == x.Place.Source {
		x.Dollars = all.cutOff(x, cents)
	}
	switch {
	case x.Dollars != "" || structured(r, f.Name):
	case name != "amount":
		x.Dollars = aroundLimit(f.Text(), cents)
	case f.Name == x.Place.Source:
		x.Dollars = around(f.Text(), cents)
	}
}

// cut says whether a price comes to so many cents where its last is cut off.
func cut(said string, cents int64) bool {
	p, err := strconv.ParseFloat(plain(said), 64)
	return err == nil && int64(p*100) == cents && int64(math.Round(p*100)) == cents+1
}

// moneyNames are the members by which a call says how much: the amount, or a limit.
var moneyNames = []string{"amount", "limit", "debitAuthLimit", "autoPayLimit"}

// Member is the member whose number of cents is that of the price's dollars, by what [Read] has noted, and the number.
func Member(x *recording.Exchange) (name string, cents int64) {
	for _, at := range inDollars().FindAllStringSubmatch(x.Dollars, -1) {
		n, err := strconv.ParseInt(strings.ReplaceAll(at[1]+at[3]+at[5], ",", ""), 10, 64)
		for _, name := range moneyNames {
			if sent, whole := trail.ReadBody(x.Body).Whole(name); err == nil && whole && sent == n {
				return name, sent
			}
		}
	}
	return "", 0
}

// ofLimits is what stands in a sentence that names a limit.
var ofLimits = trail.Pattern(`(?i)\b(?:limit|authori[sz]\w*|up to|cap|maximum|max)\b[^.!?\n]{0,80}$`)

// aroundLimit is what people write of a limit, by which it is priced so.
func aroundLimit(text []byte, cents int64) string {
	text = text[:min(len(text), mostProse)]
	if low := bytes.ToLower(text); !bytes.ContainsRune(low, '$') && !bytes.Contains(low, []byte("usd")) && !bytes.Contains(low, []byte("dollar")) {
		return "" // nearly always, and patterns are dear
	}
	found := ""
	for _, at := range inDollars().FindAllIndex(text, -1) {
		said := strings.TrimSpace(string(text[at[0]:at[1]]))
		if n, err := strconv.ParseFloat(strings.TrimLeft(said, "US$ "), 64); err == nil && math.Round(n*100) == float64(cents) {
			return ""
		}
		if found == "" && priceOf([]byte(said), cents, false) != "" && ofLimits().Match(text[max(0, at[0]-120):at[0]]) {
			found = "the text around it says " + said
		}
	}
	return found
}

// amounts are all that the calls ask for, and that answers tell.
func amounts(r *recording.Recording) map[int64]bool {
	known := map[int64]bool{}
	for i := range r.Exchanges {
		sent, told := trail.ReadBody(r.Exchanges[i].Body), trail.ReadBody(r.Exchanges[i].Answer.Body)
		for _, v := range []any{sent.Get("amount"), sent.Get("limit"), told.Get("limit"), told.Get("amount"), told.Object("amount").Get("value"), told.Get("chargedAmount")} {
			if n, is := v.(json.Number); is {
				cents, _ := n.Int64()
				known[cents] = true
			}
		}
	}
	return known
}

// structured says whether a machine wrote a file: nobody has written anything around its calls.
func structured(r *recording.Recording, name string) bool {
	return slices.ContainsFunc(r.Sources, func(s recording.Source) bool {
		return s.Name == name && slices.Contains([]string{"tape", "har", "newman", "postman", "insomnia", "jsonl", "n8n", "table"}, s.Format)
	})
}

// inTexts is the member of a body whose text prices it so, "" for none.
func inTexts(v any, name string, cents int64) string {
	switch v := v.(type) {
	case trail.Body:
		return inTexts(map[string]any(v), name, cents)
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if said := inTexts(v[name], name, cents); said != "" {
				return said
			}
		}
	case json.Number, string:
		text, _ := v.(string)
		if n, is := v.(json.Number); is {
			text = n.String()
		}
		if named().MatchString(name) && plainPrice().MatchString(text) {
			text = "$" + text
		}
		if said := priceOf([]byte(text), cents, false); said != "" {
			return name + " says " + said
		}
	}
	return ""
}

// around is what is written around the calls of a file, by which they are priced so.
func around(text []byte, cents int64) string {
	if said := priceOf(text[:min(len(text), mostProse)], cents, true); said != "" {
		return "the text around it says " + said
	}
	return ""
}

// priceOf is the price of so many dollars that a text names, "" for none. A text in which some other price is so many
// cents, as that of a part of another, names none where nothing else is said of it.
func priceOf(text []byte, cents int64, prose bool) string {
	if low := bytes.ToLower(text); !bytes.ContainsRune(low, '$') && !bytes.Contains(low, []byte("usd")) && !bytes.Contains(low, []byte("dollar")) {
		return "" // nearly always, and patterns are dear
	}
	said := ""
	for _, at := range inDollars().FindAllSubmatch(text, -1) {
		whole, part := string(at[1])+string(at[3])+string(at[5]), string(at[2])+string(at[4])+string(at[6])
		n, err := strconv.ParseInt(strings.ReplaceAll(whole, ",", ""), 10, 64)
		fraction, _ := strconv.ParseInt(strings.TrimPrefix(part, "."), 10, 64)
		switch {
		case err != nil, prose && part == "" && at[1] != nil: // as a script's $5
		case n*100+fraction == cents && !prose:
			return ""
		case said == "" && n == cents && fraction == 0:
			said = strings.TrimSpace(string(at[0]))
		}
	}
	return said
}
