package api

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"paysandbox/mockserver/fault"
	"paysandbox/mockserver/kernel"
	"paysandbox/mockserver/tape"
)

// byHeader stands for the id of a fault that the caller has asked for itself.
const byHeader = "header"

// errTroubled says that a fault answers instead of the operation.
var errTroubled = errors.New("a fault answers instead of the operation")

// trouble is what faults do to one call.
type trouble struct {
	// asked is the caller's own Sandbox-Fault header; empty when none was sent.
	asked []string
	// label is the fault's; empty when none is met.
	label  tape.FaultLabel
	effect fault.Effect
	// left is how long the fault still goes on; 0 where no time ends it.
	left time.Duration
}

// asked reads the header that asks for a fault. Several lines become one, as
// the tape keeps one.
func asked(h http.Header) []string {
	lines := h[fault.Header]
	if len(lines) > 1 {
		lines = []string{strings.Join(lines, ", ")}
		h[fault.Header] = lines
	}
	return lines
}

// genuine says whether a verdict leaves no doubt who the caller is: the token
// is, or was, one of the integration's own. Only such callers meet faults.
func genuine(verdict string) bool {
	switch verdict {
	case tape.AuthValid, tape.AuthExpired, tape.AuthRevoked, tape.AuthCredentialsOK:
		return true
	default:
		return false
	}
}

// meetFaults finds the fault that the call meets, under the lock. An error
// means that the operation is not carried out. Replayed calls meet the same
// faults: which one it is depends on nothing but the calls before.
func (x *exchange) meetFaults() error {
	set := x.On.Faults()
	if len(x.trouble.asked) == 0 && set.Idle() || !genuine(x.Call.Exchange.Auth) {
		return nil
	}
	token := ""
	if x.takesToken() {
		token = x.Call.Exchange.Token
	}
	if by, gone := set.Revoked(token); gone {
		x.applyFault(by, fault.Effect{Revoke: fault.RevokeToken})
	}
	id, effect, err := x.pickFault(set, token)
	if err != nil || id == "" {
		return err
	}
	x.applyFault(id, effect)
	if effect.Revoke == fault.RevokeToken {
		set.Revoke(token, id)
	}
	if effect.Prevents() {
		return errTroubled
	}
	return nil
}

// takesToken says whether the call is one that needs a token.
func (x *exchange) takesToken() bool { return x.route != nil && !byCredential(x.Call.Exchange.Auth) }

// pickFault gives the fault that the caller has asked for, else the armed one
// that is due.
func (x *exchange) pickFault(set *fault.Set, token string) (id string, e fault.Effect, err error) {
	if len(x.trouble.asked) > 0 {
		if x.trouble.asked[0] == fault.None {
			return "", e, nil
		}
		e, err = fault.Parse(x.trouble.asked[0])
		switch {
		case err != nil:
			return "", e, badFault(err)
		case e.Revoke != "" && token == "":
			return "", e, badFault(&fault.Error{Problems: []fault.Problem{{
				Effect: "token-revoked", Expected: "an operation that needs a token", Fix: "send it with another call",
			}}})
		}
		return byHeader, e, nil
	}
	if x.route == nil {
		return "", e, nil
	}
	met, _ := set.Next(&fault.Call{
		Operation: x.route.ID, AliasOf: x.route.AliasOf, Method: x.Req.Method, Token: token, Names: x.names,
		Exchange: x.Call.Seq, At: x.Call.Time.UnixNano(),
	})
	if met.Until != 0 {
		x.trouble.left = time.Unix(0, met.Until).Sub(x.Call.Time)
	}
	return met.ID, met.Effect, nil
}

// applyFault notes what a fault does to the call.
func (x *exchange) applyFault(id string, e fault.Effect) {
	x.trouble.label, x.trouble.effect = tape.LabelFault(id, e.String()), e
	x.Call.Exchange.Fault = x.trouble.label
	if e.Revoke != "" {
		x.Call.Exchange.Auth = tape.AuthRevoked
	}
}

// names says whether the call names an id: in its path, its query, or as a
// whole value of its body.
func (x *exchange) names(id string) bool {
	for _, v := range x.Vars.Values() {
		if strings.EqualFold(v, id) {
			return true
		}
	}
	for _, list := range x.query {
		for _, v := range list {
			if strings.EqualFold(v, id) {
				return true
			}
		}
	}
	return namedIn(x.Call.Exchange.Request.Body, id)
}

// namedIn looks for a JSON string in a body, whatever its letter case.
func namedIn(body []byte, id string) bool {
	const most = 64 << 10 // ids do not hide behind attachments
	text := string(body[:min(len(body), most)])
	for len(text) > len(id)+1 {
		at := strings.IndexByte(text, '"')
		if at < 0 || len(text)-at < len(id)+2 {
			return false
		}
		text = text[at+1:]
		if text[len(id)] == '"' && strings.EqualFold(text[:len(id)], id) {
			return true
		}
	}
	return false
}

// badFault refuses a call for its Sandbox-Fault header.
func badFault(err error) *kernel.Error {
	e := &kernel.Error{Code: kernel.Invalid, Detail: "the header " + fault.Header + " asks for a fault that does not exist; nothing was done"}
	var list *fault.Error
	if errors.As(err, &list) {
		for _, p := range list.Problems {
			e.Findings = append(e.Findings, kernel.Finding{
				Pointer: "header:" + fault.Header, Clause: "sandbox.fault-header", Source: kernel.Assumed,
				Received: p.Received, Expected: p.Expected, Fix: p.Fix,
			})
		}
	}
	return e
}
