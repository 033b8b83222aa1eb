package correlate

import (
	"strings"

	"paysandbox/harness/trail"
)

// shortMember is a member with a text that is too short to be unlike any other.
var shortMember = trail.Pattern(`"([A-Za-z_]+)"(\s*:\s*)"([^"\\]{1,7})"`)

// short puts the replay's values in the place of ids that are too short to be known by themselves, such as a payment method's "pm_1": each
// stands in a member whose name tells its type.
func (l *Links) short(body []byte) []byte {
	if !l.brief {
		return body
	}
	return shortMember().ReplaceAllFunc(body, func(member []byte) []byte {
		part := shortMember().FindSubmatch(member)
		t := members[strings.ToLower(string(part[1]))]
		if with, known := l.byType[Value{Type: t, Text: fold(string(part[3]))}]; known && t.Made() {
			return []byte(`"` + string(part[1]) + `"` + string(part[2]) + string(quoted(with)))
		}
		return member
	})
}
