package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"paysandbox/harness/partner"
)

// operations tells what performs each kind of task.
func (a *App) operations() map[string]func(context.Context, *Job) error {
	return map[string]func(context.Context, *Job) error{
		partner.DoCreateCompany: a.createCompany, partner.DoCompanyStatus: a.askCompany, partner.DoAddLocation: a.addLocation,
		partner.DoListLocations: a.listLocations, partner.DoBankLink: a.linkBank,
		partner.DoRegisterUser: a.registerUser, partner.DoUserStatus: a.askPayer, partner.DoDebitAuth: a.askForDebits,
		partner.DoCreatePayment: a.createPayment, partner.DoPaymentStatus: a.askPayment,
		partner.DoCancelPayment: a.cancelPayment, partner.DoRefundPayment: a.refundPayment,
		partner.DoAuthoriseCard: a.authoriseCard, partner.DoPaymentMethods: a.listMethods,
		partner.DoChargeSavedCard: a.chargeSavedCard, partner.DoCardPayment: a.registerCardPayment,
		partner.DoCreatePlan: a.createPlan, partner.DoAddPlanPayer: a.addPlanPayer, partner.DoActivatePlan: a.activatePlan,
		partner.DoPausePlan: a.pausePlan, partner.DoCancelPlan: a.cancelPlan,
		partner.DoListConsents: a.listConsents, partner.DoDeclineConsent: a.declineConsent,
		partner.DoReport: a.readReport, partner.DoStatusOfMany: a.askMany, partner.DoAcceptSecret: a.acceptSecret,
	}
}

// perform does what a job asks for.
func (a *App) perform(ctx context.Context, j *Job) error {
	do := a.tasks[j.task.Do]
	if do == nil {
		return fmt.Errorf("there is no task %q", j.task.Do)
	}
	return do(ctx, j)
}

var errNoSecret = errors.New("the task names no secret")

func (a *App) acceptSecret(_ context.Context, j *Job) error {
	secret := j.text("secret")
	if secret == "" {
		return errNoSecret
	}
	a.AcceptSecret(secret)
	return nil
}

// with is what a task has to be sent; text gives one member of it as a text.
func (j *Job) with(name string) any    { return j.task.With[name] }
func (j *Job) text(name string) string { return shown(j.with(name)) }

// shown writes a value of JSON as a text; nothing is "".
func shown(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	default:
		return fmt.Sprint(v)
	}
}

// pick makes a body of the members that the operation has and the task names.
func (j *Job) pick(names ...string) object {
	body := object{}
	for _, name := range names {
		if v, has := j.task.With[name]; has && v != nil {
			body[name] = v
		}
	}
	return body
}

// fill sets members that are not there yet.
func fill(body object, members object) object {
	for name, v := range members {
		if _, has := body[name]; !has {
			body[name] = v
		}
	}
	return body
}

// asObject turns a typed body into one whose members can be replaced.
func asObject(body any) (object, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	var o object
	return o, json.Unmarshal(raw, &o)
}

// post sends a body of a job. Calls that move money carry the job's key.
func (a *App) post(ctx context.Context, j *Job, path string, body object, into any) error {
	return a.call(ctx, request{method: http.MethodPost, path: path, body: body, once: j.once()}, into)
}

// pay is post for calls that move money.
func (a *App) pay(ctx context.Context, j *Job, path string, body object, into any) error {
	if j.key == "" {
		j.key = a.chance.id() // random, and nothing else
	}
	r := request{method: http.MethodPost, path: path, body: body, key: j.key, once: j.once()}
	if j.lost {
		if done, err := a.policy.repeat(ctx, &r, errLost, into); done {
			return err
		}
	}
	err := a.call(ctx, r, into)
	j.lost = errors.Is(err, errLost)
	return err
}

// put sends a change without a body.
func (a *App) put(ctx context.Context, j *Job, path string) error {
	return a.call(ctx, request{method: http.MethodPut, path: path, once: j.once()}, nil)
}

// at writes a path with an id in it.
func at(before, id, after string) string { return before + url.PathEscape(id) + after }
