package openapi

import "paysandbox/mockserver/latitude"

// Info is what a document says of the API as a whole. The zero value, but for
// Version, describes the partner API without its events.
type Info struct {
	// Version is the sandbox's own version, for example "v1.2.0"; empty means "dev".
	Version string
	// Choices are the choices of the ledger that the description follows.
	Choices latitude.Settings
	// Base is the path below which the document and its page are served, without
	// a slash at its end: "" for the partner API, "/_sandbox" for the control API.
	Base string
	// Integration is the integration that the page is about; empty for the default.
	Integration string
	// TryID and TrySecret are well-known credentials with which the page authorises
	// by one click; empty where there are none.
	TryID, TrySecret string
	// TryEnvironment is that of the integration: sandbox or rehearsal.
	TryEnvironment string
	// Title names the API. When it is empty, every field below but Events is the partner
	// API's.
	Title string
	// Release is the version of the described API, which goes before Version;
	// empty leaves Version alone.
	Release string
	// Description is CommonMark.
	Description string
	// Tags group operations, in the order in which a reader meets them.
	Tags []Tag
	// Token says what the bearer token is and where it comes from; empty means
	// that no operation needs one.
	Token string
	// TokenFormat is the bearer token's format, for example JWT.
	TokenFormat string
	// RequestMedia and ResponseMedia are the media types of JSON bodies; nil
	// means application/json alone.
	RequestMedia, ResponseMedia []string
	// Headers are the headers of answers.
	Headers []Header
	// Events are the webhooks that the API sends.
	Events []Event
	// Descriptions is YAML that describes properties of types that carry no
	// description tag: type name → property → text.
	Descriptions []byte
	// Tries is YAML that says how the examples are tried, as try.yaml explains; what it
	// can need is the partner API's and its own.
	Tries []byte
	// Closed are the ids of operations whose bodies may have no other members.
	Closed []string
}

// Tag is a group of operations.
type Tag struct{ Name, Description string }

// Header is a header of answers.
type Header struct {
	// Name and Description tell what it is.
	Name, Description string
	// Example is a value; it is a whole number where Integer is true.
	Example any
	// Integer says that the value is a whole number; else it is text.
	Integer bool
	// Format is date-time, uuid or empty.
	Format string
	// Enum lists all values; nil when there are others.
	Enum []string
	// Required says that it is there whenever On holds.
	Required bool
	// On says whether an answer can have it; op is nil for answers that
	// operations share, which are refusals. A nil On means every answer.
	On func(op *Operation, status int) bool
}

// Event is a webhook that the API sends.
type Event struct {
	// Name is the event's name, Summary one line about it.
	Name, Summary string
	// Body is a zero value of the payload's type.
	Body any
	// Headers are the headers of the delivery.
	Headers []Header
}

// version joins the API's release and the sandbox's version.
func (i *Info) version() string {
	v := i.Version
	if v == "" {
		v = "dev"
	}
	if i.Release == "" {
		return v
	}
	return i.Release + "+paysandbox." + v
}

// described fills in the partner API where no other is named, and the defaults.
func (i Info) described() Info {
	if i.Title == "" {
		partner := partnerInfo(i.Version, i.Choices)
		partner.Base, partner.Integration = i.Base, i.Integration
		partner.TryID, partner.TrySecret, partner.TryEnvironment = i.TryID, i.TrySecret, i.TryEnvironment
		partner.Events = i.Events
		i = partner
	}
	if i.RequestMedia == nil {
		i.RequestMedia = []string{mediaJSON}
	}
	if i.ResponseMedia == nil {
		i.ResponseMedia = []string{mediaJSON}
	}
	return i
}
