package tape

// This file is the order of the fields in an encoded entry. It mirrors parse.go.

func (s *sink) entry(e *Entry) {
	s.uint(uint64(e.Kind))
	s.uint(e.Seq)
	s.uint(e.Cause)
	s.int(e.At)
	s.int(e.Omitted)
	s.strs(e.Entities)
	if e.Omitted == 0 {
		s.body(e)
	}
}

func (s *sink) body(e *Entry) {
	switch e.Kind {
	case KindExchange, KindPage, KindControl:
		s.exchange(e.Exchange)
	case KindClock:
		s.clock(e.Clock)
	case KindTimer:
		s.timer(e.Timer)
	case KindTransition:
		s.transition(e.Transition)
	case KindEvent:
		s.event(e.Event)
	case KindAttempt:
		s.attempt(e.Attempt)
	case KindMessage:
		s.message(e.Message)
	case KindFetch:
		s.fetch(e.Fetch)
	case KindFinding:
		s.findings(e.Findings)
	case KindHangup:
		s.int(e.Hangup.After)
	}
}

// exchange writes the operation first: filters look there.
func (s *sink) exchange(x *Exchange) {
	s.str(x.Operation)
	s.str(x.Method)
	s.str(x.Path)
	s.str(x.Query)
	s.str(x.Auth)
	s.str(x.Token)
	s.str(x.Fault)
	s.headers(x.Request.Header)
	s.blob(x.Request.Body)
	s.int(int64(x.Response.Status))
	s.headers(x.Response.Header)
	s.blob(x.Response.Body)
}

func (s *sink) clock(c *Clock) {
	s.int(c.From)
	s.int(c.To)
	s.str(c.Mode)
}

func (s *sink) timer(t *Timer) {
	s.str(t.Name)
	s.int(t.Due)
	s.uint(t.Scheduled)
}

func (s *sink) transition(t *Transition) {
	s.str(t.Machine)
	s.str(t.Entity)
	s.str(t.From)
	s.str(t.To)
	s.str(t.Event)
	s.str(t.Reason)
}

func (s *sink) event(v *Event) {
	s.str(v.Name)
	s.str(v.ID)
	s.blob(v.Body)
}

func (s *sink) attempt(a *Attempt) {
	s.str(a.Delivery)
	s.str(a.Endpoint)
	s.str(a.Event)
	s.int(int64(a.Number))
	s.str(a.Profile)
	s.str(a.URL)
	s.headers(a.Header)
	s.blob(a.Body)
	s.int(int64(a.Status))
	s.headers(a.ResponseHeader)
	s.blob(a.ResponseBody)
	s.str(a.Error)
	s.int(a.Next)
	s.str(a.Reason)
	s.int(a.Took)
}

func (s *sink) message(m *Message) {
	s.str(m.Channel)
	s.str(m.To)
	s.str(m.Template)
	s.headers(m.Params)
	s.str(m.Subject)
	s.str(m.Text)
	s.str(m.HTML)
	s.strs(m.Links)
	s.strs(m.Codes)
}

func (s *sink) fetch(f *Fetch) {
	s.str(f.URL)
	s.int(int64(f.Status))
	s.str(f.Error)
	s.str(f.ContentType)
	s.int(f.Size)
	s.str(f.SHA256)
	s.blob(f.Body)
}

func (s *sink) findings(list []Finding) {
	s.length(len(list))
	for i := range list {
		f := &list[i]
		s.str(f.Pointer)
		s.str(f.Clause)
		s.str(f.Source)
		s.str(f.Received)
		s.str(f.Expected)
		s.str(f.Fix)
		s.bool(f.Advisory)
	}
}
