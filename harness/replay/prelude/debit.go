package prelude

import (
	"net/url"
	"strings"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// debits asks a payer for the debit authorisations that the recording shows in force, and for which none of its calls has asked.
// That they were accepted shows the call itself.
func (b *builder) debits(payer string) {
	asked := map[string]bool{}
	for i := range b.rec.Exchanges {
		x := &b.rec.Exchanges[i]
		operation, _ := b.routes.Match(x.Method, x.Path)
		sent := trail.ReadBody(x.Body)
		named := strings.EqualFold(sent.Text("registrationId"), payer) || strings.Contains(strings.ToLower(x.Path), "/"+strings.ToLower(payer)+"/")
		if x.Answer.Status/100 == 4 || !named {
			continue
		}
		if x.BodyMissing || sent.Get("enableDebitAuth") != nil {
			return // for which company it asks is not shown, or stands in its location
		}
		switch operation {
		case "requestDebitAuthorisation":
			asked[strings.ToLower(sent.Text("companyId"))] = true
		case "getDebitAuthorisation":
			if company, limit := inForce(x); company != "" && !asked[company] {
				asked[company] = true
				b.call("/User/"+payer+"/DebitAuth", map[string]any{"companyId": company, "enabled": true, "limit": limit}, "the payer "+payer+" was asked for a debit authorisation before the recording begins")
			}
		}
	}
}

// inForce is the company whose debit authorisation an answer shows in force, in lower case, with its limit in cents; "" for none.
func inForce(x *recording.Exchange) (company string, limit int64) {
	answer := trail.ReadBody(x.Answer.Body)
	query, _ := url.ParseQuery(strings.ToLower(x.Query))
	limit = whole(0, answer, "limit")
	if on, _ := answer.Get("enabled").(bool); !on || limit <= 0 || !Served(x) || x.Answer.Known != recording.Whole {
		return "", 0
	}
	return query.Get("companyid"), limit
}
