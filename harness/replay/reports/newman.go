package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// newmanTool makes each call by a run of newman, with an environment for the address,
// and puts the runs' executions together.
type newmanTool struct {
	kit        *kit
	proxy      *proxy
	items      []any
	executions []json.RawMessage
	started    json.RawMessage
}

func (n *newmanTool) call(r *request) error {
	dir, err := os.MkdirTemp("", "newman")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	item := n.item(r)
	n.items = append(n.items, item)
	for name, value := range map[string]any{"collection.json": n.collection([]any{item}), "environment.json": n.environment()} {
		data, err := json.Marshal(value)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(dir, name), data); err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(n.kit.ctx, n.kit.bin("newman"), "run", "collection.json", "-e", "environment.json", "-r", "json", "--reporter-json-export", "run.json") //nolint:gosec // a tool of ours
	cmd.Dir = dir
	_ = cmd.Run() // a failed request makes newman fail; its report says so
	var run struct {
		Run struct {
			Timings    json.RawMessage   `json:"timings"`
			Executions []json.RawMessage `json:"executions"`
		} `json:"run"`
	}
	data, err := os.ReadFile(filepath.Join(dir, "run.json")) //nolint:gosec // our own folder
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, &run); err != nil {
		return err
	}
	if n.executions = append(n.executions, run.Run.Executions...); n.started == nil {
		n.started = run.Run.Timings
	}
	return nil
}

func (n *newmanTool) item(r *request) any {
	headers := []any{}
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		headers = append(headers, map[string]any{"key": name, "value": r.Headers[name]})
	}
	request := map[string]any{"method": r.Method, "header": headers, "url": "{{base}}" + r.URL[len("http://"+n.proxy.address):]}
	if r.Body != "" {
		request["body"] = map[string]any{"mode": "raw", "raw": r.Body}
	}
	id := fmt.Sprintf("00000000-0000-4000-8000-%012d", len(n.items)+1)
	return map[string]any{"id": id, "name": r.Method + " " + r.URL[len("http://"+n.proxy.address):], "request": request}
}

func (n *newmanTool) collection(items []any) any {
	return map[string]any{
		"info": map[string]any{"name": "shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
		"item": items,
	}
}

func (n *newmanTool) environment() any {
	return map[string]any{
		"name": "sandbox", "_postman_variable_scope": "environment",
		"values": []any{map[string]any{"key": "base", "value": "http://" + n.proxy.address, "enabled": true}},
	}
}

func (n *newmanTool) files() (map[string][]byte, error) {
	run := map[string]any{"collection": map[string]any{}, "run": map[string]any{"timings": n.started, "executions": n.executions}}
	all := map[string][]byte{}
	for name, value := range map[string]any{"collection.json": n.collection(n.items), "environment.json": n.environment(), "run.json": run} {
		data, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		all[name] = data
	}
	return all, nil
}
