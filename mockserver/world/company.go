package world

import (
	"github.com/google/uuid"

	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/latitude"
)

// The states of a company's verification.
const (
	CompanyUnverified kernel.State = iota + 1
	CompanyVerified
	CompanyRejected
)

// EventCompanyVerification is the webhook event of a finished verification.
const EventCompanyVerification = "COMPANY_VERIFICATION_STATUS_CHANGED"

// CompanyMachine moves a company through business verification (KYB).
// Specification, States and transitions.
var CompanyMachine = kernel.Machine{
	Name:   "company",
	States: []string{"", "Unverified", "Verified", "Rejected"},
	Moves: []kernel.Move{
		{Event: "create", To: CompanyUnverified},
		{Event: "verify", From: CompanyUnverified, To: CompanyVerified, Emits: EventCompanyVerification},
		{Event: "reject", From: CompanyUnverified, To: CompanyRejected, Emits: EventCompanyVerification},
	},
}

// companies are the companies of an integration, also by their reference.
type companies struct {
	kernel.Table[company]
	byReference kernel.TextIndex
}

// Pack lists what companies are.
func (c *companies) Pack(k *kernel.Codec) {
	kernel.PackTable(k, &c.Table, func(row *company) uuid.UUID { return row.id })
	c.byReference.Pack(k, c.Len(), func(n uint32) string { return k.String(c.At(n).reference) })
}

// company is the row of a company. Its other texts are packed in details.
type company struct {
	id                      uuid.UUID
	reference, name, email  kernel.Text
	details                 kernel.Text
	created                 int64
	firstLocation, lastLoc  uint32
	firstPayment, lastPay   uint32
	bankMask                [4]byte
	state                   kernel.State
	reads                   uint8
	rejected, bankConnected bool
}

// Pack lists the fields of a company.
func (c *company) Pack(k *kernel.Codec) {
	k.ID(&c.id)
	k.Texts(&c.reference, &c.name, &c.email, &c.details)
	k.Ints(&c.created)
	k.Rows(toLocation, &c.firstLocation, &c.lastLoc)
	k.Rows(toPayment, &c.firstPayment, &c.lastPay)
	k.Fixed(c.bankMask[:])
	k.State(&c.state, &CompanyMachine)
	k.Num8s(&c.reads)
	k.Bools(&c.rejected, &c.bankConnected)
}

// CompanyCreated is the answer to a company's creation.
type CompanyCreated struct {
	// CompanyID is the service's id of the company.
	CompanyID string `json:"companyId" format:"uuid" required:"true" example:"7b0c5b0e-3f0c-4a53-9d3e-6f1f0e9d8c11"`
	// LocationIDs are the ids of the locations, in the order of the request.
	LocationIDs []string `json:"locationIds" required:"true" nullable:"false" items:"uuid" example:"[\"0d9b6f9e-6a0a-4a53-8d3e-6f1f0e9d8c22\"]"`
}

// CreateCompany registers a company and starts its verification. All rules are
// judged before anything is kept. Specification, Endpoints and Errors.
func (w *World) CreateCompany(req *NewCompany, noted ...kernel.Finding) (CompanyCreated, error) {
	if err := w.checkCompany(req, noted); err != nil {
		return CompanyCreated{}, err
	}
	row := company{id: w.core.NewID("company"), reference: w.texts.KeepString(req.CompanyReferenceID), name: w.texts.KeepString(req.Name), email: w.texts.KeepString(req.EmailAddress), details: w.texts.KeepPacked(req), created: w.core.Now()}
	id := row.id
	_, n := w.companies.Add(id, row)
	w.companies.byReference.Put(req.CompanyReferenceID, n)
	out := CompanyCreated{CompanyID: id.String(), LocationIDs: make([]string, 0, len(req.Locations))}
	for i := range req.Locations {
		out.LocationIDs = append(out.LocationIDs, w.addLocation(n, &req.Locations[i]).String())
	}
	w.moveCompany(n, "create", "")
	return out, w.startKYB(n, req.Name)
}

// moveCompany takes a step that is known to be legal.
func (w *World) moveCompany(n uint32, event, reason string) {
	if err := w.tryCompany(n, event, reason); err != nil {
		panic("world: " + err.Error())
	}
}

// tryCompany takes a step, and sends the event and the mail that go with it.
func (w *World) tryCompany(n uint32, event, reason string) error {
	c := w.companies.At(n)
	mv, err := w.core.Transition(&CompanyMachine, c.id, &c.state, event, reason)
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
	e := CompanyEvent{Live: w.live(), Event: EventCompanyVerification, Data: CompanyEventData{
		CompanyID: c.id.String(), Status: CompanyMachine.States[c.state], Timestamp: w.stamp(),
	}}
	w.emit(e.Event, c.id, e.Data.Status, companyEventJSON.Append(w.body[:0], &e, false))
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
	return nil, 0, kernel.NoSuch("company", ref)
}

// company finds a company by the caller's reference or by its uuid.
func (w *World) company(ref string) (*company, uint32, error) {
	if c, n := w.companyByReference(ref); n != 0 {
		return c, n, nil
	}
	return w.companies.Lookup("company", ref)
}

func (w *World) companyByReference(ref string) (*company, uint32) {
	n := w.companies.byReference.Find(ref, func(n uint32) bool {
		return string(w.texts.Bytes(w.companies.At(n).reference)) == ref
	})
	if n == 0 {
		return nil, 0
	}
	return w.companies.At(n), n
}
