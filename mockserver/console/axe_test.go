package console_test

import (
	"net/http"
	"strings"
	"testing"

	"paysandbox/harness/browser"
	"paysandbox/mockserver"
)

// TestAxeFindsNothing looks at every screen, empty and full, on a desk and on a
// phone, light and dark.
func TestAxeFindsNothing(t *testing.T) {
	t.Parallel()
	chromium := browser.Start(t, 1280, "every screen of the console with axe-core")
	source := browser.Axe(t)
	empty, full := newHouse(t), houseWith(t, mockserver.Options{Judge: sampleVerdict})
	company := full.shop()
	id := full.fails(company, "Membership, October")
	full.call(http.MethodPost, "/Payment/Create", map[string]any{"amount": "x", "companyId": company})
	full.call(http.MethodPost, "/Company/Create", map[string]any{})
	refusal := full.newest()
	full.press(http.MethodPost, "/payments/"+id+"/approve", "live")
	full.tell(1)
	full.press(http.MethodPost, "/snapshots", "settings", "name", "before-refunds")
	full.press(http.MethodPost, "/faults", "trouble", "effect.status:int", "429", "count:int", "1")
	pages := map[string]string{
		"entity": full.url + "/console/default/entities/" + id, "entry": full.url + "/console/default/entries/" + itoa(full.attempt()),
		"none": full.url + "/console/default/live?q=no+such+text", "file": full.url + "/console/-/file",
		"integrations": full.url + "/console/-/integrations", "notice": full.url + "/console/nowhere/live", "preview": full.url + "/console/default/clock?by=1h",
		"login": outside(t).url + "/console", "world": full.url + "/console/default/entities?at=12", "request": full.url + "/console/default/entries/1/request",
		"past": full.url + "/console/default/entities/" + id + "?at=13", "label": full.url + "/console/default/live?label=anna", "long": full.url + "/console/default/entries/" + itoa(refusal), "unsaid": full.url + "/console/default/settings?q=no+such+text",
	}
	file := strings.TrimSuffix(full.upload(full.control(http.MethodGet, "/tape?end=true", "").body).header.Get("Location"), "live")
	for _, screen := range []string{"inbox", "deliveries", "clock", "trouble", "settings"} { // the others are as they are of what runs
		pages["file-"+screen] = full.url + file + screen
	}
	for _, screen := range screens {
		pages[screen], pages[screen+"-empty"] = full.url+"/console/default/"+screen, empty.url+"/console/default/"+screen
	}
	browser.JudgeEach(chromium, t, source, pages)
}
