package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"paysandbox/harness/partner"
	"paysandbox/harness/partner/app"
)

// standIn is what the application that does tasks in the console calls itself; nobody
// listens there.
const standIn = "https://partner.example"

// performTask lets the reference application do a task in somebody's place, by calls of
// the partner API. What may not be done yet is not waited for.
func performTask(ctx context.Context, api http.Handler, clientID, clientSecret string, task json.RawMessage) (later bool, err error) {
	var t partner.Task
	if err := json.Unmarshal(task, &t); err != nil {
		return false, fmt.Errorf("the task cannot be read: %w", err)
	}
	a, err := app.New(app.Options{
		BaseURL: "http://localhost", ClientID: clientID, ClientSecret: clientSecret, PublicURL: standIn,
		HTTP: &http.Client{Transport: inProcess{api}}, Now: time.Now, Manual: true, Seed: uint64(t.ID), //nolint:gosec // G115: tasks are counted from 1
	})
	if err != nil {
		return false, err
	}
	if err := a.Do(ctx, t); err != nil {
		return false, err
	}
	return a.Pending() > 0, nil
}
