// Package price finds what files tell of the prices of calls that ask for money: as many dollars as a call asks for cents, or a cent
// that was cut off. It finds no calls and judges nothing.
package price
