package features_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/schema"
	"paysandbox/harness/trail"
	"paysandbox/mockserver/mocktest"
)

// TestOperationsNameMembersOfTheirAnswers: what the harness's table of operations says of
// the members of answers stands in the sandbox's own description.
func TestOperationsNameMembersOfTheirAnswers(t *testing.T) {
	t.Parallel()
	res, err := http.Get(mocktest.Start(t, mocktest.Options{}).URL + "/openapi.json")
	require.NoError(t, err)
	text, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	d, err := schema.Read(text)
	require.NoError(t, err)
	looked := 0
	for _, path := range schema.Children(d.Node("/paths")) {
		at := "/paths/" + schema.Escape(path)
		for _, method := range schema.Children(d.Node(at)) {
			id, _ := d.Node(at + "/" + method + "/operationId").(string)
			does := trail.OperationNamed(id)
			for _, member := range slices.Concat(does.Makes, does.Shows, []string{does.State, does.Lists}) {
				if member != "" {
					require.NotNil(t, d.Node(answered(d, at+"/"+method+"/responses/200", member)), "%s: no answer has the member %s", id, member)
					looked++
				}
			}
		}
	}
	require.Greater(t, looked, 20)
}

// answered is where the schema of a member of an answer stands, which is named by a JSON pointer.
func answered(d *schema.Document, response, member string) string {
	at := d.Resolve(d.Resolve(response) + "/content/application~1json/schema")
	for part := range strings.SplitSeq(member, "/") {
		if part == "0" {
			at = d.Resolve(at + "/items")
		} else {
			at = d.Resolve(at + "/properties/" + part)
		}
	}
	return at
}
