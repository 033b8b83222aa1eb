package prelude

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"paysandbox/fixtures"
	"paysandbox/harness/replay/correlate"
	"paysandbox/harness/replay/play"
	"paysandbox/harness/replay/recording"
	"paysandbox/harness/trail"
)

// RefusedForStruck are the members, struck out in its file, that a call was refused for, as far as its answer tells: all
// that are, where it names none. None for a call that was refused for something that is shown.
func RefusedForStruck(x *recording.Exchange) []string {
	struck, _ := correlate.Struck(x.Body)
	shortened := correlate.Shortened(x.Body)
	if x.Answer.Status != 400 || len(struck) == 0 && !shortened {
		return nil
	}
	named := wrongMembers(x)
	for _, name := range named {
		if shortened && !correlate.Has(x.Body, name) {
			struck = append(struck, name)
		}
		if !slices.ContainsFunc(struck, func(pointer string) bool { return strings.EqualFold(lastOf(pointer), name) }) {
			return nil
		}
	}
	if len(named) == 0 {
		return struck
	}
	return slices.DeleteFunc(struck, func(pointer string) bool {
		return !slices.ContainsFunc(named, func(name string) bool { return strings.EqualFold(lastOf(pointer), name) })
	})
}

// unstruck puts usual values in the place of those that a file has struck out of a body, each call others: of which it
// cannot be told whether they were the same, they are not taken for it.
func (b *builder) unstruck(c *play.Call) {
	operation, _ := b.routes.Match(c.Exchange.Method, c.Exchange.Path)
	struck, _ := correlate.Struck(c.Exchange.Body)
	raw, err := fixtures.Payload(trail.OperationNamed(operation).Payload)
	shortened := correlate.Shortened(c.Exchange.Body)
	if len(struck) == 0 && !shortened || err != nil {
		return
	}
	c.Exchange.Body = correlate.Unstruck(c.Exchange.Body, func(pointer string) (any, bool) {
		if t := correlate.TypeAt(operation, pointer); t.Made() {
			return b.newest(t, c.N)
		}
		value, there := correlate.At(raw, pointer)
		return other(lastOf(pointer), value, c.N), there || strings.EqualFold(lastOf(pointer), "reference")
	})
	c.Struck = struck
	what := "struck out " + strings.Join(struck, ", ")
	if shortened {
		what = "shortened the body"
	}
	if Served(&c.Exchange) && (shortened || operation == "createCompany") { // whoever shows the rest of the company is to have one
		c.Exchange.Body = b.lengthened(operation, raw, c, shortened)
	}
	b.noteOf("The file has "+what+" of", ": usual values were sent.", c.N)
}

// lengthened gives a body that was served the usual members that it lacks, and those that need not be there only where its file
// says that it leaves some out.
func (b *builder) lengthened(operation string, raw []byte, c *play.Call, shortened bool) []byte {
	var sent, usual map[string]any
	d := json.NewDecoder(bytes.NewReader(c.Exchange.Body))
	d.UseNumber()
	if d.Decode(&sent) != nil || json.Unmarshal(b.called(operation, raw, c), &usual) != nil {
		return c.Exchange.Body
	}
	if !shortened {
		delete(usual, "websiteUrl")
	}
	if ids, told := trail.ReadBody(c.Exchange.Answer.Body)["locationIds"].([]any); told { // it has as many as it was answered
		usual["locations"] = manyLocations(usual["locations"], len(ids))
		if len(ids) == 0 {
			delete(usual, "locations")
		}
	}
	lengthen(sent, usual, c.N)
	return trail.Quote(sent)
}

func lengthen(sent, usual map[string]any, n int) {
	for name, value := range usual {
		is, there := any(nil), false
		for as, v := range sent {
			if strings.EqualFold(as, name) {
				is, there = v, true
			}
		}
		within, both := value.(map[string]any)
		if into, object := is.(map[string]any); object && both {
			lengthen(into, within, n)
		}
		if !there {
			sent[name] = other(name, value, n)
		}
	}
}

// newest is the value of a type that a call before made last.
func (b *builder) newest(t correlate.Type, before int) (any, bool) {
	text, at := "", -1
	for i := range b.rec.Exchanges[:before] {
		x := &b.rec.Exchanges[i]
		operation, _ := b.routes.Match(x.Method, x.Path)
		for _, v := range correlate.InBody(operation, x.Answer.Body) {
			if v.Type == t && Served(x) && i >= at {
				text, at = v.Text, i
			}
		}
	}
	return text, at >= 0
}

// other is a usual value that is of a call alone, where that matters.
func other(member string, value any, n int) any {
	switch strings.ToLower(member) {
	case "reference", "companyreferenceid", "clientsecret": // the right one is put in where it was
		return fmt.Sprint("struck-out-", n+1)
	case "contactnumber":
		if text, ok := value.(string); ok && len(text) > 2 {
			return fmt.Sprintf("%s%02d", text[:len(text)-2], n%100)
		}
	case "emailaddress":
		return fmt.Sprintf("struck-out-%d.%v", n+1, value)
	case "amount":
		if cents, ok := value.(json.Number); ok {
			all, _ := cents.Int64()
			return all + int64(n)
		}
	}
	return value
}

// expired are the calls that were refused under an Authorization that the file has struck out, when the token that was
// granted last had had its time, by that token: who sends one sends that.
func (b *builder) expired() map[int]string {
	tokens := map[int]string{}
	last := -1
	for i := range b.rec.Exchanges {
		x := &b.rec.Exchanges[i]
		if op, _ := b.routes.Match(x.Method, x.Path); trail.OperationNamed(op).Token {
			if Served(x) {
				last = i
			}
			continue
		}
		if !x.Struck || x.Answer.Status != 401 || last < 0 {
			continue
		}
		granted := trail.ReadBody(b.rec.Exchanges[last].Answer.Body)
		life, _ := Life(granted)
		if b.clock.Calls[i].Sub(b.clock.Calls[last]) < life {
			continue
		}
		text := granted.Text("accessToken")
		if text == "" || recording.Struck(text) {
			text = fmt.Sprint("struck-out-", last+1)
			b.granted[last] = correlate.Value{Type: correlate.Token, Text: text, Where: "/accessToken"}
		}
		tokens[i] = text
	}
	return tokens
}
