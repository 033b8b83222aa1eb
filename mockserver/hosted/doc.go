// Package hosted serves the pages that payers and companies open in a browser:
// registration, payment, card, debit authorisation, consent, bank link and the
// back-office portal, all under /pages/{integration}/.
//
// It owns the addresses, the forms and what they look like: plain HTML without
// scripts, cookies or outside assets. It decides nothing about money: a form is
// read before the lock, a use case of the world acts inside integration.Do, and
// the answer is written once. It must not import the other adapters.
//
// Every visit goes on the tape as an input of kind page. What was typed goes
// there as it was acted upon: card numbers, card codes, social security digits
// and foreign account numbers are masked before anything looks at them, so that
// a replay of the recorded form comes to the same end. The body of an answer is
// recorded for posted forms only, without the form's token.
package hosted
