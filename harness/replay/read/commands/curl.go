package commands

import (
	"errors"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
	"paysandbox/mockserver/tape"
)

// command is a curl command: its words behind the name, and where it stands.
type command struct {
	words []string
	line  int
	// input is what its standard input says, if that stands in the same file.
	input    string
	hasInput bool
	// values hold the files that were given beside.
	values source.Variables
}

// addCurl adds the calls that a command makes: one for each address, and for each part
// between --next.
func addCurl(p *source.Part, c command) {
	var part []string
	for _, word := range append(c.words, "--next") {
		if word != "--next" && word != "-:" {
			part = append(part, word)
			continue
		}
		if len(part) > 0 {
			addCurlPart(p, c, part)
		}
		part = nil
	}
}

func addCurlPart(p *source.Part, c command, words []string) {
	at := p.Line(c.line)
	o := newCurlOptions(c)
	if err := o.flags.Parse(words); err != nil {
		p.Skip(at, "the curl line cannot be read: "+flagProblem(err))
		return
	}
	addresses := slices.DeleteFunc(append(append([]string{}, *o.urls...), o.flags.Args()...), leftOut)
	if len(addresses) == 0 {
		p.Skip(at, "the curl line has no address")
	}
	for _, address := range addresses {
		if p.Full(at) {
			return
		}
		x := recording.Exchange{Place: at, Answer: recording.Answer{Known: recording.NotRecorded}}
		if err := o.fill(&x, address); err != nil {
			p.Skip(at, "the curl line cannot be read: "+err.Error())
			continue
		}
		if x.BodyMissing {
			p.SkipKind(recording.OfCall, at, "the request's body stands in a file, which was not given")
		}
		p.Call(x)
	}
}

// leftOut says whether a word of a command stands for what was left out of it.
func leftOut(word string) bool { return strings.Trim(word, ".…[]<>") == "" }

// flagProblem says what is wrong with a flag, without its value.
func flagProblem(err error) string {
	text, _, _ := strings.Cut(err.Error(), ":")
	return text
}

// curlOptions are those of curl's options that shape a request.
type curlOptions struct {
	flags   *pflag.FlagSet
	command command

	method, user, agent, referer, cookie, bearer *string
	urls, headers                                *[]string
	get, head                                    *bool

	data              []piece
	isJSON, isForm    bool
	multipart, upload bool
}

// piece is a part of a body; those of a request are joined by &.
type piece struct {
	text    string
	missing bool
}

// without are options without a value that change nothing of a request, and takes are
// such with one. Others are passed over, and may take a word with them.
const (
	without = "basic compressed disable fail fail-early fail-with-body globoff http0.9 http1.0 http1.1 http2 http2-prior-knowledge http3 " +
		"include insecure ipv4 ipv6 junk-session-cookies location location-trusted no-buffer no-keepalive no-progress-meter path-as-is " +
		"progress-bar raw remote-header-name remote-name remote-name-all show-error silent ssl ssl-reqd sslv2 sslv3 styled-output tcp-fastopen " +
		"tcp-nodelay tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 trace-time verbose parallel create-dirs digest ntlm negotiate anyauth post301 post302 post303 " +
		"retry-all-errors retry-connrefused tr-encoding no-alpn no-clobber keepalive netrc netrc-optional"
	takes = "cacert capath cert cert-type ciphers config connect-timeout connect-to continue-at cookie-jar dump-header interface keepalive-time key " +
		"key-type limit-rate local-port max-filesize max-redirs max-time noproxy output output-dir pass pinnedpubkey proto proto-default proxy " +
		"proxy-header proxy-user range rate resolve retry retry-delay retry-max-time socks5 socks5-hostname speed-limit speed-time stderr time-cond " +
		"tls-max trace trace-ascii unix-socket write-out expand-url variable libcurl doh-url dns-servers happy-eyeballs-timeout-ms netrc-file"
	shorts = "fail=f insecure=k ipv4=4 ipv6=6 location=L silent=s show-error=S verbose=v include=i remote-name=O remote-header-name=J " +
		"globoff=g no-buffer=N progress-bar=# http1.0=0 tlsv1=1 disable=q netrc=n parallel=Z junk-session-cookies=j " +
		"output=o max-time=m proxy=x cert=E config=K cookie-jar=c dump-header=D write-out=w range=r continue-at=C proxy-user=U speed-time=y speed-limit=Y time-cond=z"
)

func newCurlOptions(c command) *curlOptions {
	f := pflag.NewFlagSet("curl", pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.ParseErrorsAllowlist.UnknownFlags = true
	f.Usage = func() {}
	o := &curlOptions{
		flags: f, command: c,
		method: f.StringP("request", "X", "", ""), user: f.StringP("user", "u", "", ""), agent: f.StringP("user-agent", "A", "", ""),
		referer: f.StringP("referer", "e", "", ""), cookie: f.StringP("cookie", "b", "", ""), bearer: f.String("oauth2-bearer", "", ""),
		urls: f.StringArray("url", nil, ""), headers: f.StringArrayP("header", "H", nil, ""),
		get: f.BoolP("get", "G", false, ""), head: f.BoolP("head", "I", false, ""),
	}
	f.BoolP("help", "h", false, "")
	short := map[string]string{}
	for pair := range strings.FieldsSeq(shorts) {
		name, letter, _ := strings.Cut(pair, "=")
		short[name] = letter
	}
	for name := range strings.FieldsSeq(without) {
		f.BoolP(name, short[name], false, "")
	}
	for name := range strings.FieldsSeq(takes) {
		f.StringP(name, short[name], "", "")
	}
	o.bodyFlags()
	return o
}

// bodyFlags are the options that give the body, in the order in which they stand.
func (o *curlOptions) bodyFlags() {
	data := func(add func(string) piece) pflag.Value {
		return dataFlag(func(v string) { o.data, o.isForm = append(o.data, add(v)), true })
	}
	o.flags.VarP(data(func(v string) piece { return o.fromFile(v, true) }), "data", "d", "")
	o.flags.Var(data(func(v string) piece { return o.fromFile(v, true) }), "data-ascii", "")
	o.flags.Var(data(func(v string) piece { return o.fromFile(v, false) }), "data-binary", "")
	o.flags.Var(data(func(v string) piece { return piece{text: v} }), "data-raw", "")
	o.flags.Var(data(o.urlEncoded), "data-urlencode", "")
	o.flags.Var(dataFlag(func(v string) { o.data, o.isJSON = append(o.data, o.fromFile(v, false)), true }), "json", "")
	o.flags.VarP(dataFlag(func(string) { o.multipart = true }), "form", "F", "")
	o.flags.Var(dataFlag(func(string) { o.multipart = true }), "form-string", "")
	o.flags.VarP(dataFlag(func(string) { o.upload = true }), "upload-file", "T", "")
}

// dataFlag is an option whose values are taken one after the other.
type dataFlag func(string)

func (f dataFlag) String() string     { return "" }
func (f dataFlag) Type() string       { return "data" }
func (f dataFlag) Set(v string) error { f(v); return nil }

// fromFile is data that may be a file's ("@name"): what stands in the same script
// as the command's input, or was given beside, is known. curl strips line ends from a file given with --data.
func (o *curlOptions) fromFile(v string, strip bool) piece {
	name, isFile := strings.CutPrefix(v, "@")
	switch {
	case !isFile:
		return piece{text: v}
	case (name == "-" || name == "/dev/stdin") && o.command.hasInput:
		text := o.command.input
		if strip {
			text = strings.NewReplacer("\r", "", "\n", "").Replace(text)
		}
		return piece{text: text}
	}
	text, given := o.command.values.Beside(name)
	if strip {
		text = strings.NewReplacer("\r", "", "\n", "").Replace(text)
	}
	return piece{text: text, missing: !given}
}

// urlEncoded is data in one of the forms content, =content, name=content, name@file.
func (o *curlOptions) urlEncoded(v string) piece {
	encode := func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
	if i := strings.IndexAny(v, "=@"); i >= 0 {
		if v[i] == '@' {
			return piece{missing: true}
		}
		if i == 0 {
			return piece{text: encode(v[1:])}
		}
		return piece{text: v[:i+1] + encode(v[i+1:])}
	}
	return piece{text: encode(v)}
}

// fill makes the call to an address.
func (o *curlOptions) fill(x *recording.Exchange, address string) error {
	for _, line := range *o.headers {
		if strings.HasPrefix(line, "@") {
			return errors.New("its headers stand in a file")
		}
		name, value, ok := strings.Cut(line, ":")
		if value = strings.TrimSpace(value); ok && value != "" && name != "" {
			x.Header = append(x.Header, tape.Header{Name: strings.TrimSpace(name), Value: value})
		} else if bare, ok := strings.CutSuffix(line, ";"); ok && bare != "" {
			x.Header = append(x.Header, tape.Header{Name: bare})
		}
	}
	if err := source.SetAddress(x, address); err != nil {
		return err
	}
	o.credentials(x)
	if x.Scheme == "" {
		x.Scheme = "http"
	}
	var texts []string
	for _, d := range o.data {
		texts, x.BodyMissing = append(texts, d.text), x.BodyMissing || d.missing
	}
	if o.multipart || o.upload {
		x.BodyMissing = true
	}
	o.place(x, strings.Join(texts, o.between()))
	return nil
}

// credentials are the headers that options of their own set.
func (o *curlOptions) credentials(x *recording.Exchange) {
	for _, h := range []struct{ name, value string }{
		{"User-Agent", *o.agent}, {"Referer", *o.referer}, {"Cookie", *o.cookie},
	} {
		if h.value != "" {
			x.Header = source.SetHeader(x.Header, h.name, h.value)
		}
	}
	if *o.bearer != "" {
		x.Header = source.SetHeader(x.Header, "Authorization", "Bearer "+*o.bearer)
	}
	if user, password, _ := strings.Cut(*o.user, ":"); *o.user != "" {
		x.Header = source.SetHeader(x.Header, "Authorization", source.Basic(user, password))
	}
}

func (o *curlOptions) between() string {
	if o.isJSON {
		return ""
	}
	return "&"
}

// place puts the data where it goes, and finds the method.
func (o *curlOptions) place(x *recording.Exchange, data string) {
	method := "GET"
	if *o.get {
		if data != "" && x.Query != "" {
			x.Query += "&"
		}
		x.Query += data
	}
	switch {
	case *o.head:
		method = "HEAD"
	case o.upload:
		method = "PUT"
	case *o.get:
	case len(o.data) > 0 || o.multipart:
		method = "POST"
		x.Body = []byte(data)
	}
	if x.BodyMissing {
		x.Body = nil
	}
	if o.isJSON {
		x.Header = source.SetHeader(source.SetHeader(x.Header, "Content-Type", "application/json"), "Accept", "application/json")
	} else if o.isForm && !*o.get {
		x.Header = source.SetHeader(x.Header, "Content-Type", "application/x-www-form-urlencoded")
	}
	if x.Method = strings.ToUpper(*o.method); x.Method == "" {
		x.Method = method
	}
}
