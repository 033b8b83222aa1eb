package webhook

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"time"
)

// keptText is how much of a text that we do not know is told, in bytes.
const keptText = 200

// notHTTP tells of an answer in another language.
const notHTTP = "the answer is not HTTP"

// explain puts an error into few words that are the same in every run: no port
// of ours, no time of day. How a receiver hung up, by a reset or by an end, is
// decided by chance, and therefore one class.
func explain(err error, limit time.Duration) string {
	var refused *refusal
	if errors.As(err, &refused) {
		return refused.Error()
	}
	for _, class := range []func(error) string{explainName, explainCertificate, explainConnection, explainAnswer} {
		if text := class(err); text != "" {
			return text
		}
	}
	var network net.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded) || errors.As(err, &network) && network.Timeout():
		return "timeout after " + limit.String()
	case errors.Is(err, context.Canceled):
		return "cancelled: the sandbox is shutting down"
	}
	return innermost(err)
}

// explainName tells of a host whose address cannot be found.
func explainName(err error) string {
	var dns *net.DNSError
	switch {
	case !errors.As(err, &dns):
		return ""
	case dns.IsNotFound:
		return "host name not found: " + printable(dns.Name, keptText)
	case dns.IsTimeout:
		return "timeout looking up the host name " + printable(dns.Name, keptText)
	default:
		return "host name cannot be looked up: " + printable(dns.Name, keptText)
	}
}

// explainCertificate tells of a certificate, or of the lack of one.
func explainCertificate(err error) string {
	var (
		authority x509.UnknownAuthorityError
		host      x509.HostnameError
		invalid   x509.CertificateInvalidError
		verify    *tls.CertificateVerificationError
		remote    *net.OpError
		record    tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &authority):
		return "certificate not trusted: signed by an unknown authority"
	case errors.As(err, &host):
		return "certificate is for another host than " + printable(host.Host, keptText)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "certificate has expired or is not yet valid"
	case errors.As(err, &invalid), errors.As(err, &verify):
		return "certificate is not valid"
	case errors.As(err, &remote) && remote.Op == "remote error":
		return "TLS refused by the receiver: " + innermost(remote.Err)
	case errors.As(err, &record), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return "the receiver does not speak TLS"
	default:
		return ""
	}
}

// explainConnection tells of a connection that did not come about, or broke.
func explainConnection(err error) string {
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "host unreachable"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "the sandbox has too many files open"
	case strings.Contains(err.Error(), "malformed"): // which may hold an end of file
		return ""
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, io.EOF),
		errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed),
		strings.Contains(err.Error(), "server closed idle connection"):
		return "connection closed by the receiver"
	default:
		return ""
	}
}

// explainAnswer tells of answers that are not HTTP. The library has no types
// for them.
func explainAnswer(err error) string {
	text := err.Error()
	switch {
	case strings.Contains(text, "headers exceeded"), strings.Contains(text, "header too large"):
		return "the answer's headers are too long"
	case strings.Contains(text, "malformed"), strings.Contains(text, "transport connection broken"),
		strings.Contains(text, "too many 1xx"), strings.Contains(text, "invalid byte in chunk length"):
		return notHTTP
	case strings.Contains(text, "stream error"), strings.Contains(text, "http2:"):
		return "the receiver broke the HTTP/2 connection off"
	default:
		return ""
	}
}

// innermost is the text of the cause, where addresses are not repeated.
func innermost(err error) string {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return printable(err.Error(), keptText)
		}
		err = next
	}
}
