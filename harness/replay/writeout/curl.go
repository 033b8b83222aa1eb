package writeout

import (
	"fmt"
	"strings"
	"time"

	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/trail"
)

// curlHead makes the script run anywhere: what a service answers is put in the place of
// what was recorded, and what people did is done by the control API, or by who runs it.
const curlHead = `#!/bin/sh
# TITLE
# Run it against a fresh sandbox: paysandbox serve SERVED
# PAYSANDBOX_URL, PAYSANDBOX_CLIENT_ID and PAYSANDBOX_CLIENT_SECRET say which, also of another service.
# CONTROL= says that it has no control API: then you are asked to do what people did.
BASE=${PAYSANDBOX_URL-ADDRESS} CLIENT_ID=${PAYSANDBOX_CLIENT_ID-sandbox-client} CLIENT_SECRET=${PAYSANDBOX_CLIENT_SECRET-sandbox-secret}
CONTROL=${CONTROL-$BASE/_sandbox/integrations/default}
CLIENT=curl STANDS="s|ADDRESS|$BASE|g" ONCE= LOST=

curl() {
  for word do
    word=$(printf '%s.' "$word" | sed "$STANDS;$ONCE") && shift && set -- "$@" "${word%.}"
  done
  ONCE= ANSWER=$(command "$CLIENT" -sS -i -g --path-as-is "$@") && printf '%s\n\n' "${LOST:-$ANSWER}"
  LOST=
}

# keep MEMBER RECORDED: the member of the answer stands for what was recorded; of several tokens the last, of others the first.
keep() {
  is=$(printf '%s' "$ANSWER" | tr -d '\r\n' | sed -n "s/.*\"$1\" *: *\[\{0,1\} *\"\([A-Za-z0-9._~-]*\)\".*/\1/p")
  case ${is:+$1} in
  '') ;;
  *ccessToken) STANDS="s|$2|$is|g;$STANDS" ;;
  *) STANDS="$STANDS;s|$2|$is|g" ;;
  esac
}

# people PATH BODY WHAT: somebody else does something.
people() {
  printf '# %s\n' "$3"
  if [ -n "$CONTROL" ]; then
    curl -H 'Content-Type: application/json' -d "$2" "$CONTROL$1"
  else
    printf 'Do that, then press Enter. ' && read -r _
  fi
}

# own: the next call sends the credentials of the service that is called.
own() {
  ONCE="s|\"\([cC]lientId\)\" *: *\"[^\"]*\"|\"\1\":\"$CLIENT_ID\"|g;s|\"\([cC]lientSecret\)\" *: *\"[^\"]*\"|\"\1\":\"$CLIENT_SECRET\"|g"
}
`

// lostAnswer stands before a call whose answer never came.
const lostAnswer = "LOST='# It was carried out, and its answer never came to the caller.'\n"

// shortWait is how much time may pass by itself while a script runs.
const shortWait = 2 * time.Second

// curl writes a shell script that makes the calls with curl.
func curl(c *Case) ([]byte, error) {
	var b strings.Builder
	b.WriteString(strings.NewReplacer("TITLE", oneLine(c.Title), "ADDRESS", c.Base, "SERVED", c.served()).Replace(curlHead))
	at := c.Script.World.Start
	for i := range c.Script.Steps {
		s := &c.Script.Steps[i]
		if wait := s.At.Sub(at); wait >= shortWait {
			fmt.Fprintf(&b, "\npeople /clock/advance %s %s\n", quote(fmt.Sprintf(`{"by":%q}`, wait)), quote("time passes: "+wait.String()))
			at = s.At
		}
		switch {
		case s.Call != nil:
			c.curlCall(&b, i)
		case s.Move != nil:
			fmt.Fprintf(&b, "\npeople %s %s %s\n", quote(s.Move.Path), quote(moveBody(s.Move)), quote(oneLine(s.Text())))
			keepers(&b, s.Move.Stands)
		}
	}
	return []byte(b.String()), nil
}

// served are the flags of a sandbox that is as the case has it.
func (c *Case) served() string {
	w := &c.Script.World
	flags := "--clock manual --start " + w.Start.UTC().Format(time.RFC3339)
	if w.Environment == "rehearsal" {
		flags += " --environment rehearsal"
	}
	for _, one := range c.chosen() {
		flags += " --latitude " + oneLine(one)
	}
	if w.Strict {
		flags += " --strict"
	}
	return flags
}

// curlCall writes a call, and what of its answer stands for what was recorded.
func (c *Case) curlCall(b *strings.Builder, i int) {
	s := &c.Script.Steps[i]
	x := &s.Call.Exchange
	b.WriteByte('\n')
	if c.token(x) && s.Call.Admitted {
		b.WriteString("own\n")
	}
	if lost(s.Call) {
		b.WriteString(lostAnswer)
	}
	fmt.Fprintf(b, "curl -X %s %s", quote(x.Method), quote(c.address(x)))
	for _, h := range head(s.Call) {
		b.WriteString(" \\\n  -H " + quote(h.Name+": "+h.Value))
	}
	if len(x.Body) > 0 {
		b.WriteString(" \\\n  --data-raw " + quote(string(x.Body)))
	}
	b.WriteByte('\n')
	keepers(b, c.kept(x, s.Call.Stands))
}

// keepers are the lines that keep what values of the answer stand for.
func keepers(b *strings.Builder, list []correlate.Value) {
	for _, v := range list {
		if member := memberOf(v.Where); member != "" && plainWord().MatchString(v.Text) {
			fmt.Fprintf(b, "keep %s %s\n", quote(anyCase(member)), quote(v.Text))
		}
	}
}

// anyCase is a member's name as sed looks for it: services may begin it with a capital.
func anyCase(member string) string {
	return "[" + strings.ToLower(member[:1]) + strings.ToUpper(member[:1]) + "]" + member[1:]
}

// plainWord is a value that a script can replace wherever it stands: an id, or a token.
var plainWord = trail.Pattern(`^[A-Za-z0-9._~-]{8,}$`)

// memberOf is the name of the member that a pointer ends at, or of the list that it
// begins; empty for another place in a list.
func memberOf(pointer string) string {
	parts := strings.Split(pointer, "/")
	last := parts[len(parts)-1]
	if last == "0" && len(parts) > 1 {
		last = parts[len(parts)-2]
	}
	if !memberName().MatchString(last) {
		return ""
	}
	return last
}

var memberName = trail.Pattern(`^[A-Za-z][A-Za-z0-9_]*$`)

// quote writes a word for a POSIX shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
