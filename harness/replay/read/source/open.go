package source

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

var (
	// open is a variable that no file gives a value.
	open = trail.Pattern(`\{\{[^{}"]*\}\}|\$\{[^{}"]*\}`)
	// whollyOpen is a body that is nothing else.
	whollyOpen = trail.Pattern(`^\s*"?(?:\{\{[^{}"]*\}\}|\$\{[^{}"]*\})"?\s*$`)
	// openMember is a member in whose text one stands.
	openMember = trail.Pattern(`"([A-Za-z0-9_]+)"(\s*:\s*)"((?:[^"\\]|\\.)*?(?:\{\{[^{}"]*\}\}|\$\{[^{}"]*\})(?:[^"\\]|\\.)*)"`)
)

// usualValues are values, in JSON, that members take where a file leaves them open: such as break no rule.
var usualValues = map[string]string{
	"amount": "5000", "limit": "5000", "debitauthlimit": "5000", "autopaylimit": "5000", "intervalvalue": "1", "intervalunit": `"Month"`, "occurrences": "12",
	"contactnumber": `"+12025550142"`, "mobilenumber": `"+12025550142"`, "state": `"CA"`, "zipcode": `"90012"`, "ssn": `"1234"`, "taxid": `"12-3456789"`, "taxidtype": `"EIN"`,
	"companytype": `"ForProfit"`, "documenttype": `"Passport"`, "dateofbirth": `"1980-01-02"`, "startdate": `"2031-01-01"`, "duedate": "null", "enddate": "null", "feepayer": "null",
	"redirecturl": `"https://partner.example.com/"`, "returnurl": `"https://partner.example.com/"`, "websiteurl": `"https://partner.example.com/"`, "attachment": "null",
	"enabled": "true", "enabledebitauth": "false", "enableautopay": "false", "onetimepayment": "false", "cardtype": `"Visa"`, "transactionstatus": `"Approved"`,
}

// FillOpen gives the members of bodies that a file leaves open, as a script's $AMOUNT or a collection's {{amount}}, values
// that break no rule: what stood there is not known, and no fault. A body that is one variable is missing. Each is told.
func FillOpen(list []recording.Exchange) (told []recording.Skipped) {
	ids := map[string]string{}
	for i := range list {
		x := &list[i]
		if !open().Match(x.Body) {
			continue
		}
		if whollyOpen().Match(x.Body) {
			x.Body, x.BodyMissing = nil, true
			told = append(told, recording.Skipped{Place: x.Place, Kind: recording.OfCall, Why: "a program or a variable gives the request's body, which the file does not hold"})
			continue
		}
		filled, names := fillMembers(quoteOpen(string(x.Body)), ids)
		if len(names) == 0 || !json.Valid([]byte(filled)) {
			continue
		}
		x.Body = []byte(filled)
		told = append(told, recording.Skipped{Place: x.Place, Why: fmt.Sprintf("what %s held is not in the file: values that break no rule were taken", strings.Join(names, ", "))})
	}
	for i := range list {
		x := &list[i]
		for name, id := range ids {
			x.Path, x.Query = strings.ReplaceAll(x.Path, name, id), strings.ReplaceAll(x.Query, name, id)
		}
		kept, names := closedQuery(x.Query)
		if x.Query = kept; len(names) > 0 {
			told = append(told, recording.Skipped{Place: x.Place, Why: fmt.Sprintf("what %s held is not in the file: the parameters of the query were left out", strings.Join(names, ", "))})
		}
	}
	return told
}

// closedQuery is a query without the parameters whose values a file leaves open, and the variables that stood there.
func closedQuery(query string) (kept string, names []string) {
	if !strings.ContainsAny(query, "{") && !strings.Contains(query, "%7") {
		return query, nil
	}
	pairs := slices.DeleteFunc(strings.Split(query, "&"), func(pair string) bool {
		_, value, _ := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(value)
		if err != nil || !open().MatchString(plain) {
			return false
		}
		names = append(names, open().FindString(plain))
		return true
	})
	return strings.Join(pairs, "&"), names
}

// quoteOpen puts quotes around the variables that stand outside of texts.
func quoteOpen(body string) string {
	var out strings.Builder
	from, within := 0, false
	for _, at := range open().FindAllStringIndex(body, -1) {
		within = textGoesOn(within, body[from:at[0]])
		out.WriteString(body[from:at[0]])
		quote := ""
		if !within {
			quote = `"`
		}
		out.WriteString(quote + body[at[0]:at[1]] + quote)
		from = at[1]
	}
	return out.String() + body[from:]
}

// textGoesOn says whether a part of a JSON body ends within a text, as it begins or not.
func textGoesOn(within bool, part string) bool {
	escaped := false
	for i := range len(part) {
		switch {
		case escaped:
			escaped = false
		case part[i] == '\\':
			escaped = within
		case part[i] == '"':
			within = !within
		}
	}
	return within
}

// fillMembers puts values in the place of members' open texts, and names the variables that stood there.
// What a text holds beside a variable stays where any text will do.
func fillMembers(body string, ids map[string]string) (filled string, names []string) {
	filled = openMember().ReplaceAllStringFunc(body, func(member string) string {
		part := openMember().FindStringSubmatch(member)
		name, text := strings.ToLower(part[1]), part[3]
		value, usual := usualValues[name]
		switch whole := open().FindString(text) == text; {
		case name == "clientid" || name == "clientsecret":
			return member
		case usual:
		case strings.HasPrefix(name, "email"):
			value = `"` + bare(text) + `@example.com"`
		case whole && strings.HasSuffix(name, "id") && name != "merchantid" && name != "companyreferenceid" && name != "paymentmethodid":
			ids[text] = idOf(text)
			value = `"` + ids[text] + `"`
		default:
			return member
		}
		names = append(names, open().FindString(text))
		return `"` + part[1] + `"` + part[2] + value
	})
	slices.Sort(names)
	return filled, slices.Compact(names)
}

// bare is the letters of a text.
func bare(text string) string {
	letters := strings.Map(func(r rune) rune {
		if r|32 >= 'a' && r|32 <= 'z' {
			return r | 32
		}
		return -1
	}, text)
	return letters + "-open"
}

// idOf is an id that stands for a variable: the same for the same name.
func idOf(name string) string {
	h := sha256.Sum256([]byte(name))
	h[6], h[8] = h[6]&0x0f|0x40, h[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", h[0:4], h[4:6], h[6:8], h[8:10], h[10:16])
}
