package price

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// Another says what a call should have asked for where it asks for another amount than it or its file tells, by what [Read] has noted,
// and how to mend that; "" for any other call.
func Another(x *recording.Exchange) (what, fix string) {
	sent := trail.ReadBody(x.Body)
	cents, _ := sent.Whole("amount")
	if said := strings.TrimPrefix(x.Dollars, "the text around it says "); cut(said, cents) {
		return fmt.Sprintf("it asks for %d cents, and the text around it says %s, which is %d: a binary floating-point number does not hold that exactly, and what is behind its point was cut off", cents, said, cents+1),
			fmt.Sprintf("send %d: count in whole cents, or round before you make a whole number of it", cents+1)
	}
	if said := lowered().FindStringSubmatch(x.Dollars); said != nil {
		was, is := centsOf(said[1]), centsOf(said[2])
		return fmt.Sprintf("it gives back %d cents, and says itself that the sum goes %s, which leaves %d: what stays was sent, and not what goes back, %d", cents, said[0], is, was-is),
			fmt.Sprintf("send %d: the amount of a refund is what is given back, not the new total", was-is)
	}
	return "", ""
}

// newTotal is what a refund says of itself where it gives back what was to stay, "" for any other call.
func newTotal(x *recording.Exchange, sent trail.Body, cents int64) string {
	if !strings.Contains(strings.ToLower(x.Path), "refund") {
		return ""
	}
	for _, said := range lowered().FindAllStringSubmatch(sent.Text("description"), -1) {
		was, is := centsOf(said[1]), centsOf(said[2])
		if is == cents && is > 0 && was > is && was-is != cents {
			return saysLowered + said[0]
		}
	}
	return ""
}

// saysLowered stands before what is noted of such a refund.
const saysLowered = "its description says that the sum goes "

// lowered is how people write that a sum was made smaller, with their cents.
var lowered = trail.Pattern(`(?i)from (?:US)?\$? ?([0-9]{1,7}\.[0-9]{2})(?: ?USD)? to (?:US)?\$? ?([0-9]{1,7}\.[0-9]{2})\b`)

func centsOf(text string) int64 {
	p, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return int64(math.Round(p * 100))
}
