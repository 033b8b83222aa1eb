package world

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"paysandbox/fixtures"
	"paysandbox/mockserver/kernel"
)

// When the bank of a payer returns a payment, as LinkedBank and payer keep it.
const (
	returnNever uint8 = iota
	returnNow
	returnTwoBankingDays
	returnAfterPaid
	returnDay59
)

var returnWhens = []fixtures.When{"", fixtures.Now, fixtures.TwoBankingDays, fixtures.AfterPaid, fixtures.Day59}

// LinkedBank is how a linked bank account behaves, as the world keeps it.
type LinkedBank struct {
	// Last4 are the last four digits of the account number.
	Last4 string
	// ReturnCode is the number of the ACH return code, 0 for a good account.
	ReturnCode uint8
	// When is the moment of the return: 0 never, 1 now, 2 after two banking
	// days, 3 after Paid, 4 on day 59.
	When uint8
	// Review says that payments are InReview before they are processed.
	Review bool
	// Slow says that payments are Queued and take two banking days.
	Slow bool
}

// LinkedBankOf turns an account of the test data into what the world keeps.
func LinkedBankOf(b fixtures.Bank) LinkedBank {
	code, err := strconv.ParseUint(strings.TrimPrefix(b.ReturnCode, "R"), 10, 8)
	if err != nil {
		code = 0
	}
	return LinkedBank{
		Last4: b.Last4, ReturnCode: uint8(code), Review: b.Review, Slow: b.Slow,
		When: uint8(max(0, slices.Index(returnWhens, b.When))), //nolint:gosec // G115: five moments.
	}
}

func (b LinkedBank) valid() bool { return len(b.Last4) == 4 && allDigits(b.Last4) }

// linkToken is the row of one permission to link a payer's bank account.
type linkToken struct {
	id      uuid.UUID
	payer   uint32
	expires int64
	used    bool
}

// Pack lists the fields of a permission.
func (t *linkToken) Pack(k *kernel.Codec) {
	k.ID(&t.id)
	k.Rows(toPayer, &t.payer)
	k.Ints(&t.expires)
	k.Bools(&t.used)
}

// linkTokenLife is how long a link token is good.
const linkTokenLife = 30 * time.Minute

// NewLinkToken is the body that asks for a link token.
type NewLinkToken struct {
	// VerificationID is the registrationId of the payer.
	VerificationID string `json:"verificationId" format:"uuid" required:"true" example:"5f0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c33"`
}

// LinkToken is the answer to a link token's creation.
type LinkToken struct {
	// TokenID names the token when the account is linked.
	TokenID string `json:"tokenId" format:"uuid" required:"true" example:"8a0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c66"`
	// LinkToken is for the bank-linking provider's client.
	LinkToken string `json:"linkToken" required:"true" example:"link-sandbox-8a0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c67"`
	// Expiration is when the token ends, ISO 8601 UTC.
	Expiration string `json:"expiration" format:"date-time" required:"true" example:"2026-01-02T15:34:05Z"`
}

var (
	ruleVerification      = rule{"account.link-token.verification-id", kernel.Docs, "the payer's registrationId", "send verificationId; it is required"}
	ruleVerificationForm  = rule{"account.link-token.verification-id-form", kernel.Docs, "a uuid", "send the registrationId that the registration answered"}
	ruleVerificationKnown = rule{"account.link-token.verification-id-known", kernel.Assumed, "a registration of this integration", "send the registrationId that the registration answered"}
	ruleLinkTokenID       = rule{"account.link.token-id", kernel.Docs, "the tokenId of a link token", "send tokenId; it is required"}
	ruleLinkTokenForm     = rule{"account.link.token-id-form", kernel.Docs, "a uuid", "send the tokenId that the link token's creation answered"}
	ruleLinkPublic        = rule{"account.link.public-token", kernel.Docs, "the public token of the bank-linking provider's client", "send publicToken, in the sandbox for example public-good"}
)

// CreateLinkToken grants a token with which a payer's account can be linked
// once within 30 minutes of virtual time.
func (w *World) CreateLinkToken(req *NewLinkToken, noted ...kernel.Finding) (LinkToken, error) {
	c := w.check(noted)
	c.required("/verificationId", req.VerificationID, ruleVerification)
	n := c.bodyPayer("/verificationId", req.VerificationID, ruleVerificationForm, ruleVerificationKnown)
	if err := c.Err("the link token"); err != nil {
		return LinkToken{}, err
	}
	row := linkToken{id: w.core.NewID("link-token"), payer: n, expires: w.core.Now() + int64(linkTokenLife)}
	w.payers.linkTokens.Add(row.id, row)
	return LinkToken{
		TokenID: row.id.String(), LinkToken: "link-sandbox-" + w.core.NewSecretID("link-token").String(), Expiration: w.timeText(row.expires),
	}, nil
}

// AccountLink is the body that links the account that a payer chose.
type AccountLink struct {
	// TokenID is the link token's.
	TokenID string `json:"tokenId" format:"uuid" required:"true" example:"8a0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c66"`
	// PublicToken is what the bank-linking provider's client gave; in the
	// sandbox "public-" and a bank persona, for example "public-good".
	PublicToken string `json:"publicToken" required:"true" example:"public-good"`
	// LinkAccountsMetadata tells which accounts were chosen.
	LinkAccountsMetadata *LinkAccounts `json:"linkAccountsMetadata"`
}

// LinkAccounts tells which accounts a payer chose.
type LinkAccounts struct {
	LinkSessionID string `json:"linkSessionId" example:"session-1"`
	InstitutionID string `json:"institutionId" example:"ins_1"`
	// AccountIDs are the chosen accounts; the first one is linked. In the
	// sandbox an id may be an account number of the test data.
	AccountIDs []string `json:"accountIds" example:"[\"000000001111\"]"`
}

// AccountLinked is the answer to the linking of an account. A link that fails
// is told here, not by the HTTP status.
type AccountLinked struct {
	// RefreshToken is always null: the sandbox links an account once.
	RefreshToken *string `json:"refreshToken" required:"true" nullable:"true"`
	// IsOK is true when the account is linked and the payer Registered.
	IsOK           bool     `json:"isOk" required:"true" example:"true"`
	Errors         []string `json:"errors" required:"true" nullable:"false"`
	ScreenerErrors []string `json:"screenerErrors" required:"true" nullable:"false"`
	// LinkError is null when IsOK is true.
	LinkError *LinkError `json:"linkError" required:"true" nullable:"true"`
}

// LinkError says why an account was not linked.
type LinkError struct {
	// ErrorType is INVALID_INPUT or INVALID_REQUEST.
	ErrorType string `json:"errorType" required:"true" example:"INVALID_INPUT"`
	// ErrorCode names the reason, for example EXPIRED_LINK_TOKEN.
	ErrorCode string `json:"errorCode" required:"true" example:"EXPIRED_LINK_TOKEN"`
	// ErrorMessage is for the developer, DisplayMessage for the payer.
	ErrorMessage   string `json:"errorMessage" required:"true" example:"the link token has expired"`
	DisplayMessage string `json:"displayMessage" required:"true" example:"This link has expired. Please start again."`
}

// LinkAccount links the bank account that a payer chose and completes the
// payer's registration; one who is Registered has another account from then on. Only
// a body that cannot be read is an Invalid error; an unknown, used or expired token
// and unknown test data answer IsOK false with a LinkError.
func (w *World) LinkAccount(req *AccountLink, noted ...kernel.Finding) (AccountLinked, error) {
	c := w.check(noted)
	c.required("/tokenId", req.TokenID, ruleLinkTokenID)
	id := c.id("/tokenId", req.TokenID, ruleLinkTokenForm)
	c.required("/publicToken", req.PublicToken, ruleLinkPublic)
	if err := c.Err("the account link"); err != nil {
		return AccountLinked{}, err
	}
	if fault := w.linkAccount(id, req); fault != nil {
		return AccountLinked{Errors: []string{fault.ErrorMessage}, ScreenerErrors: []string{}, LinkError: fault}, nil
	}
	return AccountLinked{IsOK: true, Errors: []string{}, ScreenerErrors: []string{}}, nil
}

func (w *World) linkAccount(id uuid.UUID, req *AccountLink) *LinkError {
	t, _ := w.payers.linkTokens.Find(id)
	switch {
	case t == nil:
		return &LinkError{"INVALID_INPUT", "INVALID_LINK_TOKEN", "there is no link token " + id.String(), tryAgain}
	case t.used:
		return &LinkError{"INVALID_INPUT", "USED_LINK_TOKEN", "the link token has been used; create another one", tryAgain}
	case t.expires <= w.core.Now():
		return &LinkError{"INVALID_INPUT", "EXPIRED_LINK_TOKEN", "the link token has expired; create another one", tryAgain}
	}
	bank, err := chosenBank(req)
	if err != nil {
		return &LinkError{"INVALID_INPUT", "UNKNOWN_TEST_DATA", err.Error(), "This account cannot be linked."}
	}
	if err := w.linkOrRelink(t.payer, bank); err != nil {
		return &LinkError{"INVALID_REQUEST", "NOT_LINKED", err.Error(), tryAgain}
	}
	t.used = true
	return nil
}

// linkOrRelink completes a payer's registration, or replaces the account of one who
// is Registered.
func (w *World) linkOrRelink(n uint32, bank LinkedBank) error {
	const reason = "the payer linked a bank through the API"
	p := w.payers.At(n)
	if p.state != RegistrationRegistered {
		_, err := w.completeRegistration(n, bank, reason)
		return err
	}
	return w.relink(p, bank, reason)
}

// RelinkAccount replaces the account of a payer who is Registered, for example
// because it was closed. Errors: NotFound, Invalid (bank), and IllegalTransition for
// a payer who has linked none.
func (w *World) RelinkAccount(id string, bank LinkedBank) error {
	p, _, err := w.payer(id)
	if err != nil {
		return err
	}
	return w.relink(p, bank, "the payer linked another bank account")
}

func (w *World) relink(p *payer, bank LinkedBank, reason string) error {
	if !bank.valid() {
		return invalid("/bank", kernel.Given(bank.Last4), ruleBank)
	}
	if err := w.movePayer(p, "relink", reason); err != nil {
		return err
	}
	p.link(bank)
	return nil
}

// tryAgain is what a payer reads whose link token is no good.
const tryAgain = "This link is not valid any more. Please start again."

// publicPrefix begins a public token that names a bank persona.
const publicPrefix = "public-"

// chosenBank is the account that the first account id names by its number, else
// the persona that the public token names.
func chosenBank(req *AccountLink) (LinkedBank, error) {
	if m := req.LinkAccountsMetadata; m != nil && len(m.AccountIDs) > 0 && allDigits(m.AccountIDs[0]) {
		b, err := fixtures.BankAccount(m.AccountIDs[0])
		return LinkedBankOf(b), err
	}
	p, err := fixtures.PersonaNamed(strings.TrimPrefix(req.PublicToken, publicPrefix))
	return LinkedBankOf(p.Bank), err
}
