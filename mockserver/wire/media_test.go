package wire_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/mockserver/wire"
)

func TestJSONRequest(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]bool{
		"application/json": true, "Application/JSON; Charset=UTF-8": true, "text/json": true, `text/json;charset="utf-8"`: true,
		"application/vnd.acme+json": true, "application/problem+json; v=1": true, "application/json;": true,
		"": false, "application/+json": false, "text/plain": false, "application/x-www-form-urlencoded": false,
		"application/json; charset=utf-16": false, "application/json; charset": false, "text/x+json": false, "json": false,
		"application/json, text/json": false,
	} {
		require.Equal(t, want, wire.JSONRequest(header), header)
	}
}

func TestNegotiate(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]string{
		"": "application/json", "*/*": "application/json", "application/*": "application/json", "text/json": "text/json",
		"text/plain": "text/plain", "text/*": "text/json", "application/json, text/plain, */*": "application/json",
		"text/plain, */*": "text/plain", "text/plain;q=0.5, */*;q=0.1": "text/plain", "text/plain;q=0.1, text/json;q=0.2": "text/json",
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": "application/json",
		"application/json;q=0, text/*":                                    "text/json", "image/png": "application/json", "text/plain;q=0": "application/json",
		"TEXT/PLAIN ; Q=1": "text/plain", "*/*, application/json;q=0, text/json;q=0": "text/plain", "text/plain;q=2": "application/json",
		"text/plain;q=NaN": "application/json", "*/*;q=0.1, text/plain;q=0": "application/json",
	} {
		require.Equal(t, want+"; charset=utf-8", wire.Negotiate(accept), accept)
	}
}
