package steps

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
)

func credentialSteps() []Step {
	const area = "credential"
	return []Step{
		step(area, `the partner sends the authorization "([^"]*)"`, bind1((*story).authorises)),
		step(area, `the partner's token is (unsigned|signed with another key|tampered with|cut short|sent as Basic|in a lower-case scheme)`, bind1((*story).spoilsToken)),
		staged(area, `the partner's token is (revoked|another partner's)`, bind1((*story).losesToken)),
		step(area, `the partner holds a token`, bind((*story).holdsToken)),
		step(area, `the partner sends the token that was answered`, bind((*story).sendsAnsweredToken)),
		step(area, `the partner's secret is "([^"]*)"`, bind1((*story).hasSecret)),
	}
}

// authorises replaces the header of the partner's calls; empty sends none.
func (s *story) authorises(ctx context.Context, header string) error {
	a, err := s.me(ctx, partnerName)
	if err != nil {
		return err
	}
	a.client.Authorize(header)
	return nil
}

// holdsToken gets a token that later calls keep using.
func (s *story) holdsToken(ctx context.Context) error {
	a, err := s.me(ctx, partnerName)
	if err != nil {
		return err
	}
	token, err := a.client.Token(ctx)
	if err == nil {
		a.client.Authorize("Bearer " + token)
	}
	return err
}

// sendsAnsweredToken makes later calls with the token of the last answer that had one.
func (s *story) sendsAnsweredToken(ctx context.Context) error {
	return s.authorises(ctx, "Bearer "+s.known["token"])
}

func (s *story) hasSecret(ctx context.Context, secret string) error {
	a, err := s.me(ctx, partnerName)
	if err != nil {
		return err
	}
	s.known["client id"], s.known["client secret"] = a.client.ID, secret
	return nil
}

// spoilsToken makes a good token bad in one way.
func (s *story) spoilsToken(ctx context.Context, how string) error {
	a, err := s.me(ctx, partnerName)
	if err != nil {
		return err
	}
	token, err := a.client.Token(ctx)
	if err != nil {
		return err
	}
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return fmt.Errorf("expected a token of three parts, received %d", len(parts))
	}
	none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`))
	switch how {
	case "unsigned":
		token = none + "." + parts[1] + "."
	case "signed with another key":
		mac := hmac.New(sha256.New, []byte("a guess"))
		mac.Write([]byte(parts[0] + "." + parts[1]))
		token = parts[0] + "." + parts[1] + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	case "tampered with":
		token = parts[0] + "." + flipped(parts[1]) + "." + parts[2]
	case "cut short":
		token = parts[0] + "." + parts[1]
	}
	switch how {
	case "sent as Basic":
		a.client.Authorize("Basic " + token)
	case "in a lower-case scheme":
		a.client.Authorize("bearer " + token)
	default:
		a.client.Authorize("Bearer " + token)
	}
	return nil
}

// flipped changes the expiry that the claims name, so that nothing but the
// signature can tell.
func flipped(claims string) string {
	raw, err := base64.RawURLEncoding.DecodeString(claims)
	if err != nil {
		return claims
	}
	return base64.RawURLEncoding.EncodeToString([]byte(strings.Replace(string(raw), `"exp":`, `"exp":1`, 1)))
}

func (s *story) losesToken(ctx context.Context, how string) error {
	if err := s.holdsToken(ctx); err != nil {
		return err
	}
	if how == "revoked" {
		_, err := s.control(ctx, "/tokens/revoke", nil)
		return err
	}
	other, err := s.me(ctx, otherName)
	if err != nil {
		return err
	}
	token, err := other.client.Token(ctx)
	if err == nil {
		s.partners[partnerName].client.Authorize("Bearer " + token)
	}
	return err
}
