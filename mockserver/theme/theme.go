// Package theme owns how paysandbox looks to people: the tokens of colour, type
// and spacing, light and dark, and the mark, as one stylesheet that the hosted
// pages, the documentation and the console share. It knows nothing of what they
// show.
package theme
