package tape

// This file is the order of the fields in an encoded entry. It mirrors
// layout.go. The members of a literal are read in the order of their calls.

func (d *decoder) entry() Entry {
	h := d.fixed()
	e := Entry{Kind: h.kind, Seq: h.seq, Cause: h.cause, At: h.at, Omitted: h.omitted}
	e.Entities = d.strs()
	if e.Omitted == 0 {
		d.body(&e)
	}
	return e
}

func (d *decoder) body(e *Entry) {
	switch e.Kind {
	case KindExchange, KindPage, KindControl:
		e.Exchange = d.exchange()
	case KindClock:
		e.Clock = &Clock{From: d.int(), To: d.int(), Mode: d.str()}
	case KindTimer:
		e.Timer = &Timer{Name: d.str(), Due: d.int(), Scheduled: d.uint()}
	case KindTransition:
		e.Transition = d.transition()
	case KindEvent:
		e.Event = &Event{Name: d.str(), ID: d.str(), Body: d.blob()}
	case KindAttempt:
		e.Attempt = d.attempt()
	case KindMessage:
		e.Message = d.message()
	case KindFetch:
		e.Fetch = d.fetch()
	case KindFinding:
		e.Findings = d.findings()
	case KindHangup:
		e.Hangup = &Hangup{After: d.int()}
	}
}

func (d *decoder) exchange() *Exchange {
	x := &Exchange{
		Operation: d.str(), Method: d.str(), Path: d.str(), Query: d.str(),
		Auth: d.str(), Token: d.str(), Fault: d.str(),
	}
	x.Request = Request{Header: d.headers(), Body: d.blob()}
	x.Response = Response{Status: int(d.int()), Header: d.headers(), Body: d.blob()}
	return x
}

func (d *decoder) transition() *Transition {
	return &Transition{
		Machine: d.str(), Entity: d.str(), From: d.str(),
		To: d.str(), Event: d.str(), Reason: d.str(),
	}
}

func (d *decoder) attempt() *Attempt {
	return &Attempt{
		Delivery: d.str(), Endpoint: d.str(), Event: d.str(), Number: int(d.int()),
		Profile: d.str(), URL: d.str(), Header: d.headers(), Body: d.blob(),
		Status: int(d.int()), ResponseHeader: d.headers(), ResponseBody: d.blob(),
		Error: d.str(), Next: d.int(), Reason: d.str(), Took: d.int(),
	}
}

func (d *decoder) message() *Message {
	return &Message{
		Channel: d.str(), To: d.str(), Template: d.str(), Params: d.headers(),
		Subject: d.str(), Text: d.str(), HTML: d.str(), Links: d.strs(), Codes: d.strs(),
	}
}

func (d *decoder) fetch() *Fetch {
	return &Fetch{
		URL: d.str(), Status: int(d.int()), Error: d.str(), ContentType: d.str(),
		Size: d.int(), SHA256: d.str(), Body: d.blob(),
	}
}

func (d *decoder) findings() []Finding {
	n := d.count(7)
	list := make([]Finding, 0, n)
	for range n {
		list = append(list, Finding{
			Pointer: d.str(), Clause: d.str(), Source: d.str(), Received: d.str(),
			Expected: d.str(), Fix: d.str(), Advisory: d.bool(),
		})
	}
	return list
}
