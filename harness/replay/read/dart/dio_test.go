package dart_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/harness/replay/read/dart"
	"paysandbox/harness/replay/read/source"
	"paysandbox/harness/replay/recording"
)

const dioLog = `*** Request ***
uri: https://api.example/Payment/Create
method: POST
connectTimeout: 0:00:05.000000
headers:
 content-type: application/json
 Authorization: Bearer t
data:
{amount: 4500, contactNumber: +12025550142, reference: a, b, metadata: {week: 12, tags: [x, y]}, zipCode: 90012}

*** Request ***
uri: https://api.example/Company/List
method: GET
headers:
data:
null

*** Response ***
uri: https://api.example/Company/List
statusCode: 200
headers:
 content-type: application/json
Response Text:
{"companies":[]}

*** DioException ***:
uri: https://api.example/Payment/Create
DioException [bad response]: This exception was thrown because the response has a status code of 400
statusCode: 400
headers:
 content-type: application/problem+json
Response Text:
{"status":400}

*** Request ***
uri: https://api.example/Payment/Refund/1
method: POST
headers:
 content-type: application/json

*** DioException ***:
uri: https://api.example/Payment/Refund/1
DioException [connection timeout]: The request connection took longer than 0:00:05.000000

`

// TestDio reads the log of Flutter's client, whose answers come in an order of their own, also behind the marks of a
// console and in the boxes of its pretty form.
func TestDio(t *testing.T) {
	t.Parallel()
	for name, log := range map[string]string{"plain": dioLog, "console": "I/flutter ( 4242): " + strings.ReplaceAll(strings.TrimSpace(dioLog), "\n", "\nI/flutter ( 4242): ")} {
		p, err := dart.Dio(&source.File{Name: name, Data: []byte(log)}, nil)
		require.NoError(t, err, name)
		require.Len(t, p.Exchanges, 3, name)
		create, list, refund := &p.Exchanges[0], &p.Exchanges[1], &p.Exchanges[2]
		require.JSONEq(t, `{"amount":4500,"contactNumber":"+12025550142","reference":"a, b","metadata":{"week":12,"tags":["x","y"]},"zipCode":"90012"}`, string(create.Body), name)
		require.Equal(t, "Bearer t", source.Header(create.Header, "Authorization"), name)
		require.Equal(t, 400, create.Answer.Status, name)
		require.JSONEq(t, `{"status":400}`, string(create.Answer.Body), name)
		require.Equal(t, 200, list.Answer.Status, name)
		require.JSONEq(t, `{"companies":[]}`, string(list.Answer.Body), name)
		require.False(t, list.BodyMissing, name)
		require.True(t, refund.BodyMissing, name)
		require.Equal(t, recording.NeverArrived, refund.Answer.Known, name)
	}
	boxes := "╔╣ Request ║ POST \n║  https://api.example/Payment/Create\n╚══\n╔ Headers \n╟ content-type: application/json\n╚══\n╔ Body \n╟ amount: 4500\n╟ contactNumber: +12025550142\n╚══\n\n" +
		"╔╣ DioError ║ Status: 400 Bad Request ║ Time: 180 ms\n║  https://api.example/Payment/Create\n╚══\n╔ Body\n║\n║    {\n║        \"status\": 400\n║    }\n║\n╚══\n"
	p, err := dart.Dio(&source.File{Name: "boxes", Data: []byte(boxes)}, nil)
	require.NoError(t, err)
	require.Len(t, p.Exchanges, 1)
	require.JSONEq(t, `{"amount":4500,"contactNumber":"+12025550142"}`, string(p.Exchanges[0].Body))
	require.JSONEq(t, `{"status":400}`, string(p.Exchanges[0].Answer.Body))
	_, err = dart.Dio(&source.File{Name: "none", Data: []byte("*** Response ***\nuri: x\n")}, nil)
	require.Error(t, err)
}
