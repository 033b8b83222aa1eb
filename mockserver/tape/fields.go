package tape

// This file lists the fields of an encoded entry, once for all that a codec does
// with them.

func (c *codec) entry(e *Entry) {
	c.head(e)
	c.str(&e.Label)
	c.strs(&e.Entities)
	if e.Omitted == 0 {
		c.body(e)
	}
}

// head is what stands before the entities.
func (c *codec) head(e *Entry) {
	c.kind(&e.Kind)
	c.uint(&e.Seq)
	c.uint(&e.Cause)
	c.int64(&e.At)
	c.int64(&e.Omitted)
}

func (c *codec) body(e *Entry) {
	switch e.Kind {
	case KindExchange, KindPage, KindControl:
		own(c, &e.Exchange).fields(c)
	case KindClock:
		own(c, &e.Clock).fields(c)
	case KindTimer:
		own(c, &e.Timer).fields(c)
	case KindTransition:
		own(c, &e.Transition).fields(c)
	case KindEvent:
		own(c, &e.Event).fields(c)
	case KindAttempt:
		own(c, &e.Attempt).fields(c)
	case KindMessage:
		own(c, &e.Message).fields(c)
	case KindFetch:
		own(c, &e.Fetch).fields(c)
	case KindFinding:
		list(c, &e.Findings, 7)
		for i := range e.Findings {
			e.Findings[i].fields(c)
		}
	case KindHangup:
		c.int64(&own(c, &e.Hangup).After)
	}
}

// own gives the body to go over: a new one when an entry is read.
func own[T any](c *codec, body **T) *T {
	if c.pass == reading {
		*body = new(T)
	}
	return *body
}

// fields begin with the operation: filters look there.
func (x *Exchange) fields(c *codec) {
	c.str(&x.Operation, &x.Method, &x.Path, &x.Query, &x.Auth, &x.Token, (*string)(&x.Fault))
	c.bool(&x.InFlight)
	c.headers(&x.Request.Header)
	c.blob(&x.Request.Body)
	c.int(&x.Response.Status)
	c.headers(&x.Response.Header)
	c.blob(&x.Response.Body)
}

func (k *Clock) fields(c *codec) {
	c.int64(&k.From)
	c.int64(&k.To)
	c.str(&k.Mode)
}

func (t *Timer) fields(c *codec) {
	c.str(&t.Name)
	c.int64(&t.Due)
	c.uint(&t.Scheduled)
}

func (t *Transition) fields(c *codec) {
	c.str(&t.Machine, &t.Entity, &t.From, &t.To, &t.Event, &t.Reason)
}

func (v *Event) fields(c *codec) {
	c.str(&v.Name, &v.ID)
	c.blob(&v.Body)
}

func (a *Attempt) fields(c *codec) {
	c.str(&a.Delivery, &a.Endpoint, &a.Event)
	c.int(&a.Number)
	c.str((*string)(&a.Profile), &a.URL)
	c.headers(&a.Header)
	c.blob(&a.Body)
	c.int(&a.Status)
	c.headers(&a.ResponseHeader)
	c.blob(&a.ResponseBody)
	c.str(&a.Error)
	c.int64(&a.Next)
	c.str(&a.Reason)
	c.int64(&a.Took)
}

func (m *Message) fields(c *codec) {
	c.str(&m.Channel, &m.To, &m.Template)
	c.headers(&m.Params)
	c.str(&m.Subject, &m.Text, &m.HTML)
	c.strs(&m.Links)
	c.strs(&m.Codes)
}

func (f *Fetch) fields(c *codec) {
	c.str(&f.URL)
	c.int(&f.Status)
	c.str(&f.Error, &f.ContentType)
	c.int64(&f.Size)
	c.str(&f.SHA256)
	c.blob(&f.Body)
}

func (f *Finding) fields(c *codec) {
	c.str(&f.Pointer, &f.Clause, &f.Source, &f.Received, &f.Expected, &f.Fix)
	c.bool(&f.Advisory)
}
