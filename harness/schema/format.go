package schema

import (
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"strings"
	"time"
)

// formats are the formats that are judged; others say something to people.
var formats = map[string]func(string) error{
	"uuid": uuid, "date": date, "date-time": dateTime, "email": email, "uri": uri,
}

func uuid(s string) error {
	lengths := []int{8, 4, 4, 4, 12}
	groups := strings.Split(s, "-")
	if len(groups) != len(lengths) {
		return fmt.Errorf("must have %d elements", len(lengths))
	}
	for i, group := range groups {
		if len(group) != lengths[i] {
			return fmt.Errorf("element %d must be %d characters long", i+1, lengths[i])
		}
		for _, r := range group {
			if !strings.ContainsRune("0123456789abcdefABCDEF", r) {
				return fmt.Errorf("non-hex character %q", r)
			}
		}
	}
	return nil
}

func date(s string) error {
	_, err := time.Parse(time.DateOnly, s)
	return err
}

func dateTime(s string) error {
	_, err := time.Parse(time.RFC3339, s)
	return err
}

func email(s string) error {
	a, err := mail.ParseAddress(s)
	if err == nil && a.Address != s {
		err = errors.New("more than an address")
	}
	return err
}

func uri(s string) error {
	u, err := url.Parse(s)
	if err == nil && !u.IsAbs() {
		err = errors.New("relative url")
	}
	return err
}
