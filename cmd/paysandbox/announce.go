package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"paysandbox/mockserver"
	"paysandbox/mockserver/console"
)

// announcement is what a started sandbox tells; as JSON it is one line.
type announcement struct {
	BaseURL       string            `json:"baseUrl"`
	ControlURL    string            `json:"controlUrl"`
	ConsoleURL    string            `json:"consoleUrl"`
	DocsURL       string            `json:"docsUrl"`
	ClientID      string            `json:"clientId"`
	ClientSecret  string            `json:"clientSecret"`
	ControlToken  *string           `json:"controlToken"`
	WebhookSecret string            `json:"webhookSecret"`
	StatusKey     *string           `json:"statusKey"`
	Environment   string            `json:"environment"`
	Clock         clockAnnouncement `json:"clock"`
	Seed          uint64            `json:"seed"`
	Latitude      map[string]string `json:"latitude"`
	Version       string            `json:"version"`
	PID           int               `json:"pid"`
	// Kept says where things are kept and what may be lost, null where nothing is kept.
	Kept *string `json:"kept"`
}

// clockAnnouncement is the clock's mode and where it stands.
type clockAnnouncement struct {
	Mode string `json:"mode"`
	Now  string `json:"now"`
}

// announcement collects what a server tells.
func (f *dataFlags) announcement(s *mockserver.Server, o mockserver.Options, l mockserver.Listeners) announcement {
	i := s.Registry().Default()
	base := "http://" + reachable(l.Partner.Addr())
	operator := base
	if l.Operator != nil {
		operator = "http://" + reachable(l.Operator.Addr())
	}
	_, now, _ := i.Clock()
	opts := i.Options()
	return announcement{
		BaseURL: base, ControlURL: operator + "/_sandbox", ConsoleURL: operator + console.Prefix, DocsURL: base + "/docs",
		ClientID: opts.ClientID, ClientSecret: opts.ClientSecret, ControlToken: optional(o.ControlToken),
		WebhookSecret: opts.WebhookSecret, StatusKey: optional(opts.StatusKey), Environment: string(opts.Environment),
		Clock: clockAnnouncement{Mode: string(opts.Clock), Now: now.Format(time.RFC3339)},
		Seed:  opts.Seed, Latitude: opts.Settings.Map(), Version: version, PID: os.Getpid(), Kept: optional(f.survives()),
	}
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// reachable is the listener's address as a client on this machine would call it.
func reachable(addr net.Addr) string {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok || !tcp.IP.IsUnspecified() {
		return addr.String()
	}
	return net.JoinHostPort("localhost", fmt.Sprint(tcp.Port))
}

// print writes the announcement for a person or for a program.
func (a *announcement) print(format string, w io.Writer) error {
	if format == "json" {
		return json.NewEncoder(w).Encode(a) //nolint:gosec // G117: the announcement is how scripts learn the secrets.
	}
	var b strings.Builder
	line := func(name, value string) { fmt.Fprintf(&b, "  %-15s %s\n", name, value) }
	b.WriteString("paysandbox " + a.Version + " is serving\n\n")
	line("base URL", a.BaseURL)
	line("client id", a.ClientID)
	line("client secret", a.ClientSecret)
	line("webhook secret", a.WebhookSecret)
	line("console", a.ConsoleURL)
	line("docs", a.DocsURL)
	line("control API", a.ControlURL+"/docs")
	if a.ControlToken != nil {
		line("control token", *a.ControlToken)
	}
	line("environment", a.Environment)
	line("clock", a.Clock.Mode+", "+a.Clock.Now)
	line("seed", fmt.Sprint(a.Seed))
	if a.Kept != nil {
		line("kept", *a.Kept)
	}
	for _, name := range sortedNames(a.Latitude) {
		line("latitude", name+"="+a.Latitude[name])
	}
	b.WriteString("\nTry it:\n\n  T=$(curl -s " + a.BaseURL + "/Authentication/Token -H 'Content-Type: application/json' \\\n" +
		"    -d '{\"clientId\":\"" + a.ClientID + "\",\"clientSecret\":\"" + a.ClientSecret + "\"}' | sed 's/.*\"accessToken\":\"\\([^\"]*\\)\".*/\\1/')\n" +
		"  curl -s " + a.BaseURL + "/Company/List -H \"Authorization: Bearer $T\"\n\nCtrl-C stops it.\n")
	_, err := io.WriteString(w, b.String())
	return err
}
