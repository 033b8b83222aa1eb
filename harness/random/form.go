package random

import "net/url"

// entered are what people enter into fields that offer nothing.
var entered = []string{
	"4242424242424242", "4000000000000002", "4000000000009995", "12/30", "01/20", "123", "1234", "Pat Doe", "pat@example.com", "+12025550143",
	"123-45-6789", "1990-01-31", "2020-01-01", "10001", "1 Main Street", "New York", "NY", "021000021", "123456789", "12.50", "1", "", "x",
}

// send draws what is entered into the form, and sends it.
func (s *Source) send() Call {
	f := s.form
	s.form = nil
	sent := url.Values{}
	for _, name := range f.Names {
		switch offered := f.Offered[name]; {
		case s.oneIn(25):
		case len(offered) > 0 && !s.oneIn(20):
			sent.Set(name, pick(s, offered))
		case s.oneIn(6):
			sent.Set(name, s.text())
		default:
			sent.Set(name, pick(s, entered))
		}
	}
	return Call{To: Page, Operation: "send a form", Method: "POST", Target: f.Action.String(), Body: []byte(sent.Encode())}
}
