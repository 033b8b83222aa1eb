package source

import (
	"regexp"
	"strconv"
	"strings"

	"paysandbox/harness/trail"
)

// UsualLines writes lines that some programs write in a way of their own as the most do. Of access logs that tell a status before its
// request, or by columns alone, these are a request in quotes, and its status behind it; where no answer came, words say so. Other
// lines stay as they are, and all where they are.
func UsualLines(text string) string {
	for _, form := range lineForms {
		if !strings.Contains(text, form.sign) {
			continue
		}
		pattern := form.line()
		text = pattern.ReplaceAllStringFunc(text, func(line string) string {
			return form.put(pattern.FindStringSubmatch(line))
		})
	}
	return text
}

// lineForms are the forms of such lines: a sign that a text has which may hold some, the line, and how it is written.
var lineForms = []struct {
	sign string
	line func() *regexp.Regexp
	put  func(f []string) string
}{
	// What Monolog writes behind a message that has no context: no body.
	{"", trail.Pattern(`(?m)(?:^NULL)?[ \t]+(?:\{\}|\[\])[ \t]+(?:\{\}|\[\])[ \t]*$`), func([]string) string { return "" }},
	// A request as Salesforce logs it, whose host its configuration holds, and what was sent, as its programs write that on a line above.
	{"System.HttpRequest[", trail.Pattern(`(\|USER_DEBUG\|[^{\n]{0,200}? )(?:OUT|REQUEST|BODY|SENT)[:=]? (\{")`), func(f []string) string { return f[1] + "out=" + f[2] }},
	{"System.HttpRequest[", trail.Pattern(`System\.HttpRequest\[Endpoint=(?:callout:[\w.-]{1,80}|https?://[\w.:-]{1,200})(/[^\s,\]]{0,500}), Method=([A-Z]{3,7})\]`), func(f []string) string { return f[2] + " " + f[1] }},
	// An answer's line that repeats the method of its request, as Chopper writes it: no request begins in it.
	{"<-- ", trail.Pattern(`(<-- [1-5][0-9]{2}\b[^\n{}]*? )(?:GET|POST|PUT|DELETE|PATCH) (https?://)`), func(f []string) string { return f[1] + f[2] }},
	// An answer's line that tells the status before its request once more, as programs write it: behind it.
	{"← ", statusFirst, statusBehind},
	{"< ", statusFirst, statusBehind},
	// AWS's load balancers: its own status and its target's, "-" where there is none.
	{" HTTP/", trail.Pattern(`(?m)^([^"\n]*?) ([1-5][0-9]{2}|-) (?:[1-5][0-9]{2}|-) [0-9]+ [0-9]+ ("(?:GET|POST|PUT|DELETE|PATCH) [^"\n]* HTTP/[0-9.]+")`), func(f []string) string {
		return f[1] + " " + f[3] + " " + came(f[2])
	}},
	// HAProxy, with the headers that it was told to keep.
	{"/", trail.Pattern(`(?m)\[([0-9]{2}/[A-Z][a-z]{2}/[0-9]{4}:[0-9:]{8})\.[0-9]{3}\] ([^"\n]*?) ([1-5][0-9]{2}|-1) \+?[0-9]+ \S+ \S+ [A-Za-z-]{4} [0-9/+]+ [0-9/]+(?: \{[^}\n]*\})* ("(?:GET|POST|PUT|DELETE|PATCH) [^"\n]*")`), func(f []string) string {
		return "[" + f[1] + " +0000] " + f[2] + " " + f[4] + " " + came(f[3])
	}},
	// Squid: when it ended, in seconds since 1970, how many milliseconds it took, what became of it, and its status.
	{"TCP_", trail.Pattern(`(?m)^([0-9]{9,11}\.[0-9]{3}) +([0-9]+) \S+ TCP_[A-Z_]+/([0-9]{3}) [0-9]+ (GET|POST|PUT|DELETE|PATCH) (\S+)`), func(f []string) string {
		seconds, _ := strconv.ParseFloat(f[1], 64)
		took, _ := strconv.ParseFloat(f[2], 64)
		return Unix(seconds-took/1e3).Format("2006-01-02T15:04:05.000Z") + ` "` + f[4] + " " + f[5] + `" ` + came(f[3])
	}},
	{"[GIN]", trail.Pattern(`(?m)^\[GIN\] ([0-9]{4})/([0-9]{2})/([0-9]{2}) - ([0-9:]{8}) \|[^|\n]*?([1-5][0-9]{2})[^|\n]*\|[^|\n]*\|[^|\n]*\|[^"\n]*?(GET|POST|PUT|DELETE|PATCH)[^"\n]*"([^"\n]*)"`), func(f []string) string {
		return f[1] + "-" + f[2] + "-" + f[3] + " " + f[4] + ` "` + f[6] + " " + f[7] + `" ` + f[5]
	}},
	// Morgan's short forms: "dev" and "tiny".
	{" ms", trail.Pattern(`(?m)^(GET|POST|PUT|DELETE|PATCH) (/\S*) ([1-5][0-9]{2}|-) (?:(?:[0-9]+|-) - )?(?:[0-9.]+|-) ms(?: - (?:[0-9]+|-))?[ \t]*$`), func(f []string) string {
		return `"` + f[1] + " " + f[2] + `" ` + came(f[3])
	}},
	// What nginx, urllib3 and Guzzle say of a call whose answer they waited for in vain.
	{"upstream timed out", trail.Pattern(`(?m)^([0-9]{4})/([0-9]{2})/([0-9]{2}) ([0-9:]{8}) [^\n]*upstream timed out[^\n]*?, request: ("[^"\n]*")([^\n]*)$`), func(f []string) string {
		return f[1] + "-" + f[2] + "-" + f[3] + " " + f[4] + " " + f[5] + f[6] + " " + noResponse
	}},
	{"Retrying (Retry(", trail.Pattern(`(?m)Retrying \(Retry\([^\n]*(?:ReadTimeoutError|ProtocolError|RemoteDisconnected)[^\n]*: /(\S+)$`), func(f []string) string {
		return "calling " + f[1] + " " + noResponse
	}},
	{"cURL error ", trail.Pattern(`(?m)cURL error (?:28|52|55|56): [^\n]*? for (https?://[^\s"]+)[^\n]*$`), func(f []string) string {
		return f[1] + " " + noResponse
	}},
}

var statusFirst = trail.Pattern(`(?m)(^|[ \t\]:])[<←][ \t]+([1-5][0-9]{2})[ \t]+((?:GET|POST|PUT|DELETE|PATCH) [^\s{"]+)`)

func statusBehind(f []string) string { return f[1] + f[3] + " -> " + f[2] }

// noResponse says that no answer came.
const noResponse = "no response"

// came is a status, or says that no answer came.
func came(status string) string {
	if len(status) != 3 || status[0] < '1' || status[0] > '5' {
		return noResponse
	}
	return status
}
