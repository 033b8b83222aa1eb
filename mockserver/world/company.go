package world

import (
	"time"

	"github.com/google/uuid"

	"paysandbox/fixtures"
	"paysandbox/mockserver/latitude"
)

// The states of a company's verification.
const (
	CompanyUnverified State = iota + 1
	CompanyVerified
	CompanyRejected
)

// EventCompanyVerification is the webhook event of a finished verification.
const EventCompanyVerification = "COMPANY_VERIFICATION_STATUS_CHANGED"

// CompanyMachine moves a company through business verification (KYB).
// Specification, States and transitions.
var CompanyMachine = Machine{
	Name:   "company",
	States: []string{"", "Unverified", "Verified", "Rejected"},
	Moves: []Move{
		{"create", 0, CompanyUnverified, ""},
		{"verify", CompanyUnverified, CompanyVerified, EventCompanyVerification},
		{"reject", CompanyUnverified, CompanyRejected, EventCompanyVerification},
	},
}

// companies are the companies of an integration, also by their reference.
type companies struct {
	table[company]
	byReference textIndex
}

// company is the row of a company. Its other texts are packed in details.
type company struct {
	id                      uuid.UUID
	reference, name, email  text
	details                 text
	created                 int64
	firstLocation, lastLoc  uint32
	firstPayment, lastPay   uint32
	bankMask                [4]byte
	state                   State
	reads                   uint8
	rejected, bankConnected bool
}

// CompanyCreated is the answer to a company's creation.
type CompanyCreated struct {
	// CompanyID is the service's id of the company.
	CompanyID string `json:"companyId" format:"uuid" required:"true" example:"7b0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c11"`
	// LocationIDs are the ids of the locations, in the order of the request.
	LocationIDs []string `json:"locationIds" required:"true" nullable:"false" example:"[\"0d9b6f9e-6a0a-4a53-8d3e-6f1f0e9d8c22\"]"`
}

// CreateCompany registers a company and starts its verification. All rules are
// judged before anything is kept. Specification, Endpoints and Errors.
func (w *World) CreateCompany(req *NewCompany) (CompanyCreated, error) {
	if err := w.checkCompany(req); err != nil {
		return CompanyCreated{}, err
	}
	row := company{id: w.newID(), reference: w.str(req.CompanyReferenceID), name: w.str(req.Name), email: w.str(req.EmailAddress), details: w.pack(req), created: w.now}
	id := row.id
	_, n := w.companies.add(id, row)
	w.companies.byReference.put(req.CompanyReferenceID, n)
	out := CompanyCreated{CompanyID: id.String(), LocationIDs: make([]string, 0, len(req.Locations))}
	for i := range req.Locations {
		out.LocationIDs = append(out.LocationIDs, w.addLocation(n, &req.Locations[i]).String())
	}
	w.moveCompany(n, "create", "")
	return out, w.startKYB(n, req.Name)
}

// startKYB lets the verification begin: at once in environment sandbox, within
// 24 hours of virtual time in rehearsal.
func (w *World) startKYB(n uint32, name string) error {
	c := w.companies.at(n)
	if w.cfg.Environment == Sandbox {
		w.moveCompany(n, "verify", "environment sandbox verifies every company")
		return nil
	}
	outcome, err := fixtures.KYBOutcome(name)
	if err != nil {
		return &Error{Code: Internal, Detail: err.Error()}
	}
	wait := time.Hour + time.Duration(w.draw(uint64(23*time.Hour/time.Second)))*time.Second //nolint:gosec // G115: under 24 hours.
	if outcome == fixtures.KYBSlow {
		wait = 24 * time.Hour
	}
	c.rejected = outcome == fixtures.KYBRejected
	switch {
	case w.is(latitude.KYBRehearsalAtOnce):
		w.concludeKYB(n)
	case w.is(latitude.KYBRehearsalAfterReads):
		c.reads = uint8(latitude.KYBRehearsalAfterReads.Number()) //nolint:gosec // G115: a handful.
	default:
		w.schedule(timerKYB, w.Now().Add(wait), c.id, 0)
	}
	return nil
}

// concludeKYB ends the verification as the company's name has declared.
func (w *World) concludeKYB(n uint32) {
	event := "verify"
	if w.companies.at(n).rejected {
		event = "reject"
	}
	w.moveCompany(n, event, "the verification ended")
}

// countRead lets a verification end that waits for the status to be read.
func (w *World) countRead(c *company, n uint32) {
	if c.state == CompanyUnverified && c.reads > 0 {
		if c.reads--; c.reads == 0 {
			w.concludeKYB(n)
		}
	}
}

// finishKYB is the timer of the verification.
func (w *World) finishKYB(t timer) bool {
	c, n := w.companies.find(t.id)
	if c == nil || c.state != CompanyUnverified {
		return false
	}
	w.concludeKYB(n)
	return true
}

// DecideKYB ends a company's verification now. The outcome is "verified" or
// "rejected". An unknown company is NotFound, a second decision
// IllegalTransition.
func (w *World) DecideKYB(ref, outcome string) error {
	_, n, err := w.company(ref)
	if err != nil {
		return err
	}
	event := map[string]string{"verified": "verify", "rejected": "reject"}[outcome]
	if event == "" {
		return invalid("/outcome", given(outcome), rule{"control.kyb.outcome", Assumed, "verified or rejected", "send one of the two outcomes"})
	}
	return w.tryCompany(n, event, "decided by control call")
}

// moveCompany takes a step that is known to be legal.
func (w *World) moveCompany(n uint32, event, reason string) {
	if err := w.tryCompany(n, event, reason); err != nil {
		panic("world: " + err.Error())
	}
}

// tryCompany takes a step, and sends the event and the mail that go with it.
func (w *World) tryCompany(n uint32, event, reason string) error {
	c := w.companies.at(n)
	mv, err := w.transition(&CompanyMachine, c.id, &c.state, event, reason)
	if err != nil {
		return err
	}
	if mv.Emits != "" && (w.cfg.Environment != Sandbox || !w.is(latitude.KYBSandboxNoEvent)) {
		w.emitCompany(c)
	}
	if c.state == CompanyVerified {
		w.mailVerified(c)
	}
	return nil
}

// emitCompany sends COMPANY_VERIFICATION_STATUS_CHANGED. Specification, Events.
func (w *World) emitCompany(c *company) {
	b := w.openEvent(EventCompanyVerification)
	b = append(b, `"CompanyId":"`...)
	b = appendID(b, c.id)
	b = append(b, `","Status":"`...)
	b = append(b, CompanyMachine.States[c.state]...)
	b = append(b, `","Timestamp":"`...)
	b = w.appendTime(b)
	w.emit(EventCompanyVerification, c.id, append(b, `"}}`...))
}

// CompanyID finds a company by its reference or by its uuid and gives the uuid.
func (w *World) CompanyID(ref string) (uuid.UUID, error) {
	c, _, err := w.company(ref)
	if err != nil {
		return uuid.Nil, err
	}
	return c.id, nil
}

// pathCompany finds what {companyReferenceId} in a path names: the caller's
// reference, or the company's uuid unless the ledger forbids that.
func (w *World) pathCompany(ref string) (*company, uint32, error) {
	if !w.is(latitude.CompanyPathRefReferenceOnly) {
		return w.company(ref)
	}
	if c, n := w.companyByReference(ref); n != 0 {
		return c, n, nil
	}
	return nil, 0, notFound("company", ref)
}

// company finds a company by the caller's reference or by its uuid.
func (w *World) company(ref string) (*company, uint32, error) {
	if c, n := w.companyByReference(ref); n != 0 {
		return c, n, nil
	}
	if id, ok := ParseID(ref); ok {
		if c, n := w.companies.find(id); c != nil {
			return c, n, nil
		}
	}
	return nil, 0, notFound("company", ref)
}

func (w *World) companyByReference(ref string) (*company, uint32) {
	n := w.companies.byReference.find(ref, func(n uint32) bool {
		return string(w.texts.bytes(w.companies.at(n).reference)) == ref
	})
	if n == 0 {
		return nil, 0
	}
	return w.companies.at(n), n
}

// CompanyStatus is the answer to a company's status.
type CompanyStatus struct {
	// Status is Unverified, Verified or Rejected.
	Status string `json:"status" required:"true" enum:"Unverified,Verified,Rejected" example:"Verified"`
}

// CompanyStatus tells how a company's verification stands.
func (w *World) CompanyStatus(ref string) (CompanyStatus, error) {
	c, n, err := w.pathCompany(ref)
	if err != nil {
		return CompanyStatus{}, err
	}
	w.countRead(c, n)
	return CompanyStatus{Status: CompanyMachine.States[c.state]}, nil
}

// DefaultCompanyStatus is the answer of GET /company/status, whose members the
// specification writes in PascalCase.
type DefaultCompanyStatus struct {
	// CompanyID is the company that was meant.
	CompanyID string `json:"CompanyId" format:"uuid" required:"true" example:"7b0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c11"`
	// Status is Unverified, Verified or Rejected.
	Status string `json:"Status" required:"true" enum:"Unverified,Verified,Rejected" example:"Verified"`
}

// DefaultCompanyStatus tells the status of the company named by its uuid or
// reference, else of the integration's default company.
func (w *World) DefaultCompanyStatus(companyID, reference string) (DefaultCompanyStatus, error) {
	var c *company
	var n uint32
	var err error
	switch {
	case companyID != "":
		c, n, err = w.company(companyID)
	case reference != "":
		c, n, err = w.company(reference)
	default:
		c, n, err = w.defaultCompany()
	}
	if err != nil {
		return DefaultCompanyStatus{}, err
	}
	w.countRead(c, n)
	return DefaultCompanyStatus{CompanyID: c.id.String(), Status: CompanyMachine.States[c.state]}, nil
}

// defaultCompany is the first company of the integration, or its last where the
// ledger says so.
func (w *World) defaultCompany() (*company, uint32, error) {
	if w.companies.n == 0 {
		return nil, 0, &Error{Code: NotFound, Detail: "this integration has no company yet"}
	}
	n := uint32(1)
	if w.is(latitude.CompanyStatusTargetMostRecent) {
		n = w.companies.n
	}
	return w.companies.at(n), n, nil
}

// CompanyEntry is one line of the company list.
type CompanyEntry struct {
	ID          string `json:"id" format:"uuid" required:"true" example:"7b0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c11"`
	Name        string `json:"name" required:"true" example:"Fit Gym"`
	ReferenceID string `json:"referenceId" required:"true" example:"loc-001"`
}

// CompanyList is the answer to the company list.
type CompanyList struct {
	// Companies are all companies of the integration, oldest first.
	Companies []CompanyEntry `json:"companies" required:"true" nullable:"false"`
}

// ListCompanies lists all companies of the integration.
func (w *World) ListCompanies() CompanyList {
	list := CompanyList{Companies: make([]CompanyEntry, 0, w.companies.n)}
	for _, c := range w.companies.all() {
		list.Companies = append(list.Companies, CompanyEntry{c.id.String(), w.texts.string(c.name), w.texts.string(c.reference)})
	}
	return CompanyList{Companies: ordered(w, list.Companies)}
}
