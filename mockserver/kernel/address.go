package kernel

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// longestAddress bounds an address in bytes: it is kept, shown and called.
const longestAddress = 2048

// CallableForm says what else an http or https address must be that is [Callable].
const CallableForm = "at most 2,048 bytes, without user information and without a fragment"

// WebAddress says whether a value is an absolute http or https address of bearable
// length, and gives its parts.
func WebAddress(value string) (*url.URL, bool) {
	if len(value) > longestAddress {
		return nil, false
	}
	u, err := url.Parse(value)
	return u, err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

// noApps are the schemes of addresses that lead to no app: what a browser runs, opens
// or writes to instead of going there.
var noApps = []string{"http", "https", "javascript", "data", "vbscript", "file", "filesystem", "view-source", "blob", "about", "ftp", "ftps", "ws", "wss", "mailto", "tel"}

// AppLink says whether a value is an address of an app, such as myapp://back or, as
// RFC 8252 has it, com.example.app:/back, of bearable length. One letter is a drive.
func AppLink(value string) bool {
	if len(value) > longestAddress {
		return false
	}
	scheme, rest, found := strings.Cut(value, ":/")
	u, err := url.Parse(value)
	return found && len(scheme) > 1 && strings.Trim(rest, "/") != "" && err == nil && !slices.Contains(noApps, u.Scheme)
}

// Callable says whether the sandbox itself can be sent to an address: one that
// holds nothing which would not be sent.
func Callable(value string) (*url.URL, bool) {
	u, ok := WebAddress(value)
	if !ok || u.User != nil || strings.ContainsRune(value, '#') {
		return nil, false
	}
	port, err := strconv.Atoi(u.Port())
	return u, u.Port() == "" || err == nil && port > 0 && port <= math.MaxUint16
}

// GivenAddress shows a refused address, but never the password that it may hold.
func GivenAddress(s string) string {
	if strings.ContainsRune(s, '@') {
		return Masked
	}
	return Given(s)
}
