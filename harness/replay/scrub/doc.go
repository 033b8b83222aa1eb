// Package scrub takes secrets and personal data out of a recording. Stand-ins keep what
// a case needs: the same value has the same stand-in everywhere, another value another;
// what was valid stays valid (an e-mail, a telephone number of its region, a card's check
// digit, a zip code), and what was not stays so. Which stand-in a value gets follows from
// a key that is kept nowhere, so that nobody can try values until one fits.
//
// It owns its list of what is secret, knows nothing of the server's, and reports by kind
// how often it has replaced something, never what. Test data of the fixtures stays: it is
// nobody's, and means something to the sandbox.
package scrub
