package control

import (
	"net/http"
	"strconv"

	"paysandbox/mockserver/door"
	"paysandbox/mockserver/integration"
)

// Description is an OpenAPI 3.1 document.
type Description struct {
	_       struct{} `additionalProperties:"true"`
	OpenAPI string   `json:"openapi" required:"true" example:"3.1.0"`
}

// readDescription answers with the description of the partner API as the integration
// has it.
func readDescription(x *exchange, i *integration.Integration) (door.Empty, error) {
	text, err := x.control.opts.Describe(i.Settings())
	if err != nil {
		return door.Empty{}, err
	}
	x.streamed = true
	h := x.Writer.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(text)))
	x.Writer.WriteHeader(http.StatusOK)
	_, _ = x.Writer.Write(text) // who is gone does not miss it
	return door.Empty{}, nil
}

func descriptionRoutes() []*route {
	return []*route{
		row("readDescription", http.MethodGet, Prefix+"/integrations/{i}/openapi.json", reads(readDescription), nil, Description{}).
			About("Integrations", "Get the OpenAPI description of the partner API as this integration has it").
			Says("It follows the choices of the ledger: operations, statuses, bodies and events are described as this integration answers. Its x-choices names the choices."),
	}
}
