package openapi_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/conform"
	"paysandbox/harness/sampling"
	"paysandbox/mockserver/api"
	"paysandbox/mockserver/latitude"
	"paysandbox/mockserver/openapi"
)

// under is the partner API's description under some choices.
func under(t *testing.T, choices ...latitude.Choice) string {
	t.Helper()
	s := latitude.Settings{}.Choose(choices...)
	raw, err := openapi.Document(openapi.Info{Version: "test", Choices: s, Events: api.Events(s)}, api.New(api.Options{}).OperationsUnder(s))
	require.NoError(t, err)
	return string(raw)
}

// choiceOfOne is a choice between one schema, or one type, and nothing else.
var choiceOfOne = regexp.MustCompile(`"anyOf": \[\s*\{[^{}]*\}\s*\]|"type": \[\s*"[a-z]+"\s*\]`)

// TestEachChoiceIsDescribed: the document stays sound, names the choice, and what it
// says of the choice is the ledger's word.
func TestEachChoiceIsDescribed(t *testing.T) {
	sampling.NotRaced(t, "it writes one description after the other")
	t.Parallel()
	usual := under(t)
	var list []latitude.Alternative
	for _, e := range latitude.Ledger() {
		list = append(list, e.Choices[1:]...)
	}
	for _, a := range sampling.Every(t, 20, list) {
		raw := under(t, a.Choice)
		require.NoError(t, conform.Check([]byte(raw)), "%s", a.Choice)
		require.False(t, usual == raw, "%s", a.Choice)
		require.Empty(t, choiceOfOne.FindString(raw), "%s", a.Choice)
		var d struct{ Info struct{ Description string } }
		require.NoError(t, json.Unmarshal([]byte(raw), &d))
		require.Contains(t, d.Info.Description, "`"+a.Choice.String()+"`: "+a.Meaning)
	}
}

// TestWordsThatAChoiceMakesUntrue: each text that is replaced stands in the usual
// description, and is gone under the choice.
func TestWordsThatAChoiceMakesUntrue(t *testing.T) {
	t.Parallel()
	usual := under(t)
	for _, w := range sampling.Every(t, 5, openapi.Words()) {
		from, err := json.Marshal(w.From)
		require.NoError(t, err)
		text := strings.Trim(string(from), `"`)
		holds(t, usual, text, true, w.Choice)
		holds(t, under(t, w.Choice), text, false, w.Choice)
	}
}

// TestShapesFollow looks at one thing of each choice that changes a body or a status.
func TestShapesFollow(t *testing.T) {
	sampling.NotRaced(t, "it writes one description after the other")
	t.Parallel()
	usual := under(t)
	shapes := map[latitude.Choice][2]string{ // what stands there only under it, and only without it
		latitude.ResponseNamesPascal:            {`"PaymentRequestId"`, `"paymentRequestId": {`},
		latitude.ExtraResponseFieldsOne:         {`"sandboxExtra"`, ``},
		latitude.DetailsShapeWrapped:            {`"WrappedMoney"`, `"Money": {`},
		latitude.EventTimestampAbsent:           {``, `"Timestamp"`},
		latitude.MetadataShownNowhere:           {``, `"The object that the payment was created with; null when there was none."`},
		latitude.ErrorBodyEmpty:                 {`"BadRequestDetailed"`, ``},
		latitude.ErrorBodyPlainText:             {``, `"application/problem+json"`},
		latitude.IdempotencyHonoured:            {`"Idempotent-Replayed"`, `An Idempotency-Key is ignored here`},
		latitude.SavedCardStatusPaymentRequired: {`"402"`, ``},
		latitude.DuplicateReferenceConflict:     {`"409"`, ``},
		latitude.RateLimitTen:                   {`"Retry-After"`, ``},
		latitude.DebitAuthReadOff:               {``, `"getDebitAuthorisation"`},
		latitude.CancelVerbPutOnly:              {``, `"cancelPaymentByPost"`},
		latitude.TokenPathsReferenceOnly:        {``, `"createTokenGuide"`},
		latitude.RefundPathPathOnly:             {``, `"refundPaymentByQuery"`},
		latitude.ReleaseV049:                    {`v0.4.9+`, `v0.4.11+`},
		latitude.ZipPlusFourOnly:                {`^[0-9]{5}(-[0-9]{4})?$`, `^[0-9]{5}(-([0-9]{4})?)?$`},
		latitude.DeliveryHeadersNone:            {``, `Sandbox-Delivery`},
		latitude.TokenLifetimeMinute:            {`good for 60 seconds`, `good for 3600 seconds`},
	}
	for _, choice := range sampling.Every(t, 5, slices.SortedFunc(maps.Keys(shapes), func(a, b latitude.Choice) int { return strings.Compare(a.String(), b.String()) })) {
		want := shapes[choice]
		other := under(t, choice)
		if want[0] != "" {
			holds(t, other, want[0], true, choice)
			holds(t, usual, want[0], false, choice)
		}
		if want[1] != "" {
			holds(t, usual, want[1], true, choice)
			holds(t, other, want[1], false, choice)
		}
	}
}

// holds says of a document whether it has a text, without printing the document.
func holds(t *testing.T, document, text string, has bool, choice latitude.Choice) {
	t.Helper()
	require.Equal(t, has, strings.Contains(document, text), "%q under %s", text, choice)
}
