package correlate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/correlate"
)

// FuzzReadRoutes reads any description, as a service that is asked by its address may give
// one, and looks for any call in it: what is found is known, with as many parameters as a
// path of so many parts can have.
func FuzzReadRoutes(f *testing.F) {
	f.Add([]byte(`{"paths":{"/Payment/{paymentRequestId}/Status":{"get":{"operationId":"paymentStatus"}},"/Payment/Create":{"post":{"operationId":"createPayment"}}}}`), "GET", "/Payment/1/Status")
	f.Add([]byte(`{"paths":{"//{a}{b}/%zz":{"":{"operationId":"x"}},"{":{"HEAD":{"operationId":"y"}}}}`), "HEAD", "{")
	f.Add([]byte(`{"paths":{"/a":{"parameters":[],"get":{"operationId":1}}}}`), "GET", "/a/%2")
	f.Add([]byte(`{"paths":null}`), "", "")
	f.Fuzz(func(t *testing.T, description []byte, method, path string) {
		routes, err := correlate.ReadRoutes(description)
		if err != nil {
			require.Nil(t, routes)
			return
		}
		operation, params := routes.Match(method, path)
		require.False(t, operation == "" && params != nil)
		require.False(t, operation != "" && !routes.Knows(path), "%s is %s", path, operation)
		for _, p := range params {
			require.NotEmpty(t, p.Text)
		}
	})
}
