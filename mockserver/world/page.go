package world

// The kinds of hosted pages, as they stand in their addresses.
const (
	PageRegister = "register"
	PagePay      = "pay"
	PageCard     = "card"
	PageDebit    = "debit"
	PageConsent  = "consent"
	PageBankLink = "bank-link"
	PagePortal   = "portal"
)

// pageURL is the address of a hosted page, built from the address that the
// caller used.
func (w *World) pageURL(kind, id string) string { return w.base + "/" + kind + "/" + id }
