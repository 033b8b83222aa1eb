package drive

import "paysandbox/harness/partner/app"

// Careless makes reference applications that break one clause on purpose, by the
// name of the variant; "" makes careful ones. They work in what they are called
// for alone, one thing after the other.
func Careless(variant string) func(Setting) (Application, error) {
	return func(s Setting) (Application, error) {
		return app.New(app.Options{
			BaseURL: s.BaseURL, ClientID: s.ClientID, ClientSecret: s.ClientSecret, WebhookSecret: s.WebhookSecret,
			PublicURL: s.PublicURL, Keys: s.Keys, HTTP: s.HTTP, Seed: s.Seed, Now: s.Now, Sleep: s.Sleep,
			Manual: true, Parallel: 1, Careless: app.Carelessness(variant),
		})
	}
}
