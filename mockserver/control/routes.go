package control

import (
	"net/http"
	"slices"
	"strings"
)

// joined lists names for a person.
func joined(names []string) string { return strings.Join(names, ", ") }

// table is every call of the control API. A path with a literal comes before
// one that has a parameter in its place.
func table() []*route {
	start := row("ready", http.MethodGet, Prefix+"/ready", reads(ready), nil, Ready{}).
		About("Sandbox", "Say whether the sandbox is serving")
	start.Open = true
	start.Errors = []int{http.StatusBadRequest, http.StatusServiceUnavailable} // a query that cannot be read
	all := slices.Concat([]*route{start}, machineRoutes(), integrationRoutes(), descriptionRoutes(), snapshotRoutes(), clockRoutes(), dueRoutes(), webhookRoutes(), deliveryRoutes(),
		tapeRoutes(), searchRoutes(), entryRoutes(), strangerRoutes(), noteRoutes(), entityRoutes(), coverageRoutes(), enoughRoutes(), messageRoutes(), companyRoutes(), registrationRoutes(), paymentRoutes(), cardRoutes(), planRoutes(), faultRoutes(), whyRoutes())
	for _, r := range all {
		if r.Method == http.MethodPost && r.Repeat == "" {
			r.Endpoint.another = slices.Contains(makesAnother, r.ID)
			if text := repeats[r.ID]; r.Endpoint.another {
				r.Again(another + text)
			} else {
				r.Again(text)
			}
		}
	}
	return all
}

const (
	oneStep = "A repeat is refused with 409, says in which state it is, and changes nothing."
	another = "Not to be repeated unseen: each request makes another one."
)

// makesAnother are the operations of which each request makes another one of something.
var makesAnother = []string{"createIntegration", "forkSnapshot", "addWebhook", "saveCard"}

// repeats says, by operation, what comes of the same request sent again.
var repeats = map[string]string{
	"createIntegration": " With a clientId of one's own a repeat is refused with 409.",
	"resetIntegration":  "May be repeated: what is empty stays so, but what was done since is gone, too.",
	"revokeTokens":      "May be repeated: it revokes what was issued until then.",
	"saveSnapshot":      "A repeat with a name is refused with 409; without one it makes another snapshot.",
	"downloadSnapshot":  "May be repeated: it changes nothing.",
	"restoreSnapshot":   "May be repeated, but what was done since is gone.",
	"load":              "May be repeated: the integration is what the file says, and what was done since is gone.",
	"advanceClock":      "Not to be repeated unseen: by moves the clock once more, and until to the timer after the next. With to it may be: the clock is there.",
	"setProfile":        "May be repeated: next counts from the newest request on.",
	"rotateSecret":      "With a secret it may be repeated; without one each request draws another.",
	"probeWebhook":      "May be repeated: each request calls the address once more.",
	"enableWebhook":     oneStep,
	"resendDelivery":    "Not to be repeated unseen: each request sends the event once more.",
	"addNote":           "Not to be repeated unseen: each request leaves another note.",
	"decideKYB":         oneStep, "linkCompanyBank": "May be repeated: the company stays linked.",
	"completeRegistration": oneStep, "relinkAccount": "May be repeated: the newest account counts.",
	"movePayment": oneStep, "moveRefund": oneStep, "moveCardPayment": oneStep, "moveCard": oneStep,
	"moveDebitAuthorisation": oneStep, "moveConsent": oneStep, "movePlan": oneStep,
	"enterCard": oneStep, "answerChallenge": oneStep,
	"armFault": "A repeat with a name is refused with 409 while that fault is armed; without one it arms another.",
}

func clockRoutes() []*route {
	const tag, path = "Clock", Prefix + "/integrations/{i}/clock"
	return []*route{
		row("readClock", http.MethodGet, path, reads(readClock), nil, ClockView{}).
			About(tag, "Get the virtual time and when the next timer is due"),
		row("advanceClock", http.MethodPost, path+"/advance", readsWith(advanceClock), Advance{}, Advanced{}).
			About(tag, "Move the clock forward and fire everything that becomes due, in order"),
	}
}
