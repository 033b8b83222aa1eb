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
		About("Sandbox", "Say whether the sandbox is serving").Fails(http.StatusServiceUnavailable)
	start.Open = true
	start.Errors = []int{http.StatusServiceUnavailable}
	return slices.Concat([]*route{start}, machineRoutes(), integrationRoutes(), descriptionRoutes(), snapshotRoutes(), clockRoutes(), dueRoutes(), webhookRoutes(), deliveryRoutes(),
		tapeRoutes(), searchRoutes(), entryRoutes(), strangerRoutes(), noteRoutes(), entityRoutes(), coverageRoutes(), enoughRoutes(), messageRoutes(), companyRoutes(), registrationRoutes(), paymentRoutes(), cardRoutes(), planRoutes(), faultRoutes(), whyRoutes())
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
