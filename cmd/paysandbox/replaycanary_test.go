package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"paysandbox/fixtures"
	"paysandbox/harness/replay/writeout"
	"paysandbox/harness/sampling"
	"paysandbox/mockserver/console/cases"
)

// canaries draw values that no recording has by chance, and remember where they were put.
type canaries map[string]string

func (c canaries) in(place string) string {
	v := fmt.Sprintf("cAnArY%02dq7Zx9Kp", len(c))
	c[place] = v
	return v
}

type object = map[string]any

// pairs are headers, cookies or arguments of a HAR.
func pairs(list ...string) []object {
	var out []object
	for i := 0; i < len(list); i += 2 {
		out = append(out, object{"name": list[i], "value": list[i+1]})
	}
	return out
}

// secretive is a HAR with a canary in every place in which a secret may stand.
func secretive(t *testing.T, c canaries) []byte {
	t.Helper()
	payload := func(name string, more object) string {
		text, err := fixtures.Payload(name)
		require.NoError(t, err)
		var body object
		require.NoError(t, json.Unmarshal(text, &body))
		for k, v := range more {
			body[k] = v
		}
		text, err = json.Marshal(body)
		require.NoError(t, err)
		return string(text)
	}
	part := func(kind, claims string) string {
		return base64.RawURLEncoding.EncodeToString([]byte(kind)) + "." + base64.RawURLEncoding.EncodeToString([]byte(claims)) + "."
	}
	token := part(`{"alg":"HS256","typ":"JWT"}`, `{"sub":"shop","exp":1772474401}`) + c.in("a JWT's signature")
	entry := func(n int, method, target, kind, body, answer string, headers ...string) object {
		request := object{
			"method": method, "url": "https://api.example.com" + target, "comment": "note " + c.in(fmt.Sprint("a request's comment ", n)),
			"headers":     pairs(append([]string{"Content-Type", kind, "Cookie", "session=" + c.in(fmt.Sprint("a cookie header ", n))}, headers...)...),
			"cookies":     pairs("session", c.in(fmt.Sprint("a cookie ", n))),
			"queryString": pairs("api_key", c.in(fmt.Sprint("queryString ", n))),
		}
		if body != "" {
			request["postData"] = object{"mimeType": kind, "text": body, "comment": c.in(fmt.Sprint("postData's comment ", n))}
		}
		return object{
			"startedDateTime": fmt.Sprintf("2026-03-02T17:00:%02d.000Z", n), "time": 5, "comment": c.in(fmt.Sprint("an entry's comment ", n)), "request": request,
			"_initiator": object{"url": "https://shop.example/?t=" + c.in(fmt.Sprint("an initiator ", n))},
			"response": object{
				"status": 200, "headers": pairs("Content-Type", "application/json", "Set-Cookie", "sid="+c.in(fmt.Sprint("Set-Cookie ", n))),
				"content": object{"mimeType": "application/json", "encoding": "base64", "text": base64.StdEncoding.EncodeToString([]byte(answer))},
			},
		}
	}
	bearer := []string{"Authorization", "Bearer " + token}
	multipart := "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n" + c.in("a multipart field") +
		"\r\n--b\r\nContent-Disposition: form-data; name=\"doc\"; filename=\"" + c.in("a file's name") + ".pdf\"\r\nContent-Type: application/pdf\r\n\r\n" + c.in("a file's content") + "\r\n--b--\r\n"
	entries := []object{
		entry(1, "POST", "/Authentication/Token", "application/json", `{"clientId":"shop","clientSecret":"`+c.in("the client secret")+`"}`, `{"accessToken":"`+token+`","expires":3600}`),
		entry(2, "POST", "/Company/Create?access_token="+c.in("a token in a query"), "application/json", payload("company-create", object{"password": c.in("a member named password")}),
			`{"companyId":"6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f10","locationIds":["6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f11"],"apiKey":"`+c.in("a key in an answer in base64")+`"}`, bearer...),
		entry(3, "POST", "/User/Register", "application/json", payload("user-register", object{"emailAddress": c.in("an e-mail") + "@example.org", "lastName": c.in("a last name")}),
			`{"registrationId":"6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f12","registrationUrl":"https://api.example.com/r/x?token=`+c.in("a link's token")+`"}`, append(bearer, "X-Api-Key", c.in("X-Api-Key"))...),
		entry(4, "POST", "/Company/List", "application/x-www-form-urlencoded", "client_secret="+c.in("a form's secret")+"&note="+c.in("a form's note"), `{}`, append(bearer, "Proxy-Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("u:"+c.in("basic credentials"))))...),
		entry(5, "POST", "/Company/gym-1/Locations", "multipart/form-data; boundary=b", multipart, `{}`, append(bearer, "X-Signature", c.in("X-Signature"))...),
		entry(6, "POST", "/Payment/Create", "application/json", `{"amount":"50","locationId":"6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f11","registrationId":"6f1c2b9e-4d3a-4e57-9a61-0c8d5b7e2f12","metadata":{"token":"`+c.in("metadata named token")+`"},"shortDescription":"for `+c.in("a free text")+`"}`, `{"status":400}`, bearer...),
		entry(7, "GET", "/Company/List?signature="+c.in("a signature in a query")+"&code="+c.in("a code in a query"), "", "", `not JSON `+c.in("an answer that is no JSON"), append(bearer, "X-Auth-Token", c.in("X-Auth-Token"))...),
	}
	file, err := json.Marshal(object{"log": object{
		"version": "1.2", "comment": c.in("the log's comment"), "creator": object{"name": "Chrome", "version": "1", "comment": c.in("the creator's comment")},
		"pages": []object{{"title": "https://shop.example/?key=" + c.in("a page's title")}}, "entries": entries,
	}})
	require.NoError(t, err)
	return file
}

// TestACaseHasNoSecretAttack plants a canary wherever a secret may stand, in every form
// that is read, and looks for them in everything that a case can be written as and in the
// console, as it is and as JSON or base64 would have it.
func TestACaseHasNoSecretAttack(t *testing.T) {
	sampling.NotRaced(t, "it takes more than a minute with it; TestALeakIsFound goes the same way")
	t.Parallel()
	for _, form := range sampling.Every(t, 16, formNames()) {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			c := canaries{}
			files := plantedForms()[form](t, c)
			require.Empty(t, leaks(c, allTold(t, files)))
		})
	}
}

// TestALeakIsFound: a value that nobody takes for a secret is in what is written.
func TestALeakIsFound(t *testing.T) {
	sampling.NotRaced(t, "it is about what is written, and one thread writes it")
	t.Parallel()
	files := map[string]string{"calls.sh": "curl -X POST 'https://api.example.com/Company/Create' -H 'Content-Type: application/json' --data-raw '{\"companyReferenceId\":\"cAnArY-open\"}'\n"}
	found := leaks(canaries{"a reference": "cAnArY-open"}, allTold(t, files))["a reference"]
	for _, name := range []string{"console curl", "recording.json", "script.json", "written.curl", "written.go"} {
		require.Contains(t, found, name)
	}
}

// allTold is everything that is told of a case of files, by what tells it.
func allTold(t *testing.T, files map[string]string) map[string]string {
	t.Helper()
	folder, written := t.TempDir(), map[string]string{}
	var args []string
	var sent []cases.File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, []byte(files[name]), 0o600))
		args, sent = append(args, path), append(sent, cases.File{Name: name, Data: []byte(files[name])})
	}
	out := filepath.Join(folder, "out")
	require.NoError(t, os.MkdirAll(out, 0o700))
	_, written["json"] = replayed(t, append(slices.Clone(args), "--format", "json")...)
	_, written["minimised"] = replayed(t, append(slices.Clone(args), "--minimise")...)
	args = append(args, "--to", "case="+filepath.Join(out, "case"))
	for _, form := range writeout.Forms() {
		args = append(args, "--to", form+"="+filepath.Join(out, "written."+form))
	}
	_, written["pretty"] = replayed(t, args...)
	require.NoError(t, filepath.WalkDir(out, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		written[filepath.Base(name)] = string(text)
		return err
	}))
	require.GreaterOrEqual(t, len(written), 3+len(writeout.Forms())+5)
	c, err := caseOf(t.Context(), sent)
	require.NoError(t, err)
	written["console"] = fmt.Sprintf("%+v %q %q %q", c.Timeline, c.Lines, c.Notes, c.Assumptions)
	for _, form := range c.Forms {
		if content, _, err := c.Write(form); form != "case" {
			require.NoError(t, err)
			written["console "+form] = string(content)
		}
	}
	return written
}

// leaks are the canaries that stand in what is told, by their places.
func leaks(c canaries, written map[string]string) map[string][]string {
	list := map[string][]string{}
	for place, canary := range c {
		for _, name := range slices.Sorted(maps.Keys(written)) {
			text := written[name]
			found := strings.Contains(text, canary)
			for shift := range 3 { // as it stands within base64, which falls three ways
				inside := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + canary))
				found = found || strings.Contains(text, inside[4:len(inside)-4])
			}
			if found {
				list[place] = append(list[place], name)
			}
		}
	}
	return list
}
