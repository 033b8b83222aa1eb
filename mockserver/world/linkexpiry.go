package world

import (
	"strconv"
	"strings"
	"time"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// LinkExpired says whether the link to a page that asks somebody something is older
// than the ledger lets it grow. A link that nobody knows has not expired.
// Latitude, link-expiry.
func (w *World) LinkExpired(page, id string) bool {
	life := w.linkLife()
	if life == 0 {
		return false
	}
	sent, known := w.linkSent(page, id)
	return known && w.core.Now() >= sent+int64(life)
}

// LinkLife is how long a link is good, in words: "24 hours", "30 days".
func (w *World) LinkLife() string {
	hours := int(w.linkLife().Hours())
	if hours > 72 {
		return strconv.Itoa(hours/24) + " days"
	}
	return strconv.Itoa(hours) + " hours"
}

// linkLife is how long a link is good; 0 is for ever.
func (w *World) linkLife() time.Duration {
	switch {
	case w.is(latitude.LinkExpiryDay):
		return 24 * time.Hour
	case w.is(latitude.LinkExpiryThirtyDays):
		return 30 * 24 * time.Hour
	}
	return 0
}

// HasPage says whether a page of a kind has an address with this id.
func (w *World) HasPage(page, id string) bool {
	if strings.HasPrefix(page, PagePortal) {
		_, isID := kernel.ParseID(id)
		_, _, err := w.company(id)
		return isID && err == nil
	}
	_, known := w.linkSent(page, id)
	return known
}

// linkSent is when the link to a page was made.
func (w *World) linkSent(page, id string) (at int64, known bool) {
	if page == PageBankLink {
		if l, err := w.bankLink(id); err == nil {
			return l.created, true
		}
	}
	key, isID := kernel.ParseID(id)
	for i := range entityTables {
		if t := &entityTables[i]; t.page == page && isID {
			if n := t.find(w, key); n != 0 {
				return t.created(w, n), true
			}
		}
	}
	return 0, false
}
