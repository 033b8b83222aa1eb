package correlate

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Routes are the paths of the service with the operations behind them.
type Routes struct{ list []route }

type route struct {
	method, operation string
	parts             []string
}

// ReadRoutes reads them from the service's OpenAPI description.
func ReadRoutes(description []byte) (*Routes, error) {
	var d struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(description, &d); err != nil {
		return nil, fmt.Errorf("read the OpenAPI description: %w", err)
	}
	r := &Routes{}
	for path, methods := range d.Paths {
		for method, raw := range methods {
			var op struct{ OperationID string }
			if json.Unmarshal(raw, &op) == nil && op.OperationID != "" {
				r.list = append(r.list, route{strings.ToUpper(method), op.OperationID, split(path)})
			}
		}
	}
	if len(r.list) == 0 {
		return nil, errors.New("read the OpenAPI description: it has no operation with an operationId")
	}
	slices.SortStableFunc(r.list, func(a, b route) int { // a literal stands before a parameter
		return strings.Compare(strings.Join(a.parts, "/")+a.method, strings.Join(b.parts, "/")+b.method)
	})
	return r, nil
}

func split(path string) []string { return strings.Split(strings.Trim(path, "/"), "/") }

// Match finds the operation of a call and the parameters of its path with their
// types; "" for a path that the service does not have. The method of HEAD is GET's.
func (r *Routes) Match(method, path string) (operation string, params []Value) {
	parts := split(path)
	if method == "HEAD" {
		method = "GET"
	}
	for i := range r.list {
		if c := &r.list[i]; c.method == strings.ToUpper(method) && len(c.parts) == len(parts) {
			if params, fits := c.params(parts); fits {
				return c.operation, params
			}
		}
	}
	return "", nil
}

func (c *route) params(parts []string) (params []Value, fits bool) {
	for i, part := range c.parts {
		name, isParam := strings.CutPrefix(part, "{")
		if !isParam {
			if !strings.EqualFold(part, parts[i]) {
				return nil, false
			}
			continue
		}
		plain, err := url.PathUnescape(parts[i])
		if err != nil || plain == "" {
			return nil, false
		}
		name = strings.TrimSuffix(name, "}")
		params = append(params, Value{Type: members[strings.ToLower(name)], Text: plain, Where: "path " + name})
	}
	return params, true
}

// Knows says whether a path belongs to the service, whatever the method.
func (r *Routes) Knows(path string) bool {
	parts := split(path)
	return slices.ContainsFunc(r.list, func(c route) bool {
		if len(c.parts) != len(parts) {
			return false
		}
		_, fits := c.params(parts)
		return fits
	})
}
