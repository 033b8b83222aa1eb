package pages

import (
	"net/url"
	"strings"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Foreign is a row of a company's report that tells of money for another company.
type Foreign struct {
	// Call is the report, and List the call that told the companies' names, from 0.
	Call, List int
	// ID is the row's transfer, Asked the company whose report it is, and Recipient who got the money, by their names.
	ID, Asked, Recipient string
}

// OfOthers are such rows, the first of each report: by names of companies that a list tells apart.
func OfOthers(r *recording.Recording) (list []Foreign) {
	names, told := map[string]string{}, -1
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		answer := trail.ReadBody(x.Answer.Body)
		if companies := answer.List("companies"); len(companies) > 1 {
			for _, c := range companies {
				names[strings.ToLower(c.Text("id"))] = c.Text("name")
			}
			told = i
		}
		if told < 0 || !strings.HasSuffix(strings.ToLower(x.Path), "/transaction/report") {
			continue
		}
		asked := names[asksFor(x)]
		for _, row := range answer.List("transactions") {
			to := row.Text("recipientName")
			if asked == "" || to == "" || to == asked || recording.Struck(to) || !known(names, to) {
				continue
			}
			list = append(list, Foreign{Call: i, List: told, ID: row.Text("externalTransferId"), Asked: asked, Recipient: to})
			break
		}
	}
	return list
}

// asksFor is the company that a report is asked for, in small letters.
func asksFor(x *recording.Exchange) string {
	query, _ := url.ParseQuery(x.Query)
	for name, values := range query {
		if strings.EqualFold(name, "companyId") && len(values) == 1 {
			return strings.ToLower(values[0])
		}
	}
	return ""
}

// known says whether one company alone has a name.
func known(names map[string]string, name string) bool {
	n := 0
	for _, one := range names {
		if one == name {
			n++
		}
	}
	return n == 1
}
