package excerpt

import (
	"strings"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// leastCut is how many characters of a token a call carries at least for these to be its beginning: the first part of a JSON Web Token is
// that of all others, too.
const leastCut = 40

// Read notes what answers and headers do not show whole: pages of a report that were not asked for, or that a log tells in words of its own, and tokens that were cut.
func Read(files []source.File, r *recording.Recording) {
	GoesOn(files, r)
	Pages(files, r)
	cutTokens(r)
}

// cutTokens notes at calls that were refused with 401 that they carry the beginning alone of the token that was granted last before: a
// column or a variable was too short for it. It is noted here since what stands for secrets later is not shorter where they are. Where a
// file shows so much of the token of a call that was admitted, it cuts all of them itself, and says nothing.
func cutTokens(r *recording.Recording) {
	granted, cut, shown := "", map[int]int{}, map[string]bool{}
	for i := range r.Exchanges {
		x := &r.Exchanges[i]
		if source.GrantsToken(x.Path) {
			if said := trail.ReadBody(x.Answer.Body).Text("accessToken"); x.Answer.Status/100 == 2 && said != "" {
				granted = said
			}
			continue
		}
		n := begins(source.Header(x.Header, "Authorization"), granted)
		switch {
		case n == 0:
		case x.Answer.Status == 401:
			cut[i] = n
		case x.Answer.Status != 0:
			shown[x.Place.Source] = true
		}
	}
	for i, n := range cut {
		if x := &r.Exchanges[i]; !shown[x.Place.Source] {
			x.TokenCut = n
		}
	}
}

// begins is how many characters of a token a header carries, where these are its beginning alone; 0 for any other, and for one that the
// file has struck out.
func begins(authorization, granted string) int {
	_, sent, _ := strings.Cut(authorization, " ")
	sent = strings.TrimSpace(sent)
	if len(sent) < leastCut || len(sent) >= len(granted) || !strings.HasPrefix(granted, sent) || !pastHead(sent) || recording.Struck(sent) || recording.Struck(granted) {
		return 0
	}
	return len(sent)
}

// pastHead says whether a token goes on behind its first part, which tokens share: so does one without parts.
func pastHead(sent string) bool {
	head, rest, parts := strings.Cut(sent, ".")
	return !strings.HasPrefix(head, "eyJ") || parts && len(rest) > 0
}
