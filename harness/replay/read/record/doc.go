// Package record reads recordings that machines wrote: saved tapes, HAR files of
// browsers and proxies, Postman collections and newman's runs, exports of Insomnia, and
// JSON lines, into which any log can be turned. It resolves nothing between files and
// judges nothing.
//
// # JSON lines
//
// One call a line, in any order of the members; only url is needed:
//
//	{"time":"2026-03-02T17:00:00.250Z","end":"2026-03-02T17:00:00.310Z","method":"POST",
//	 "url":"https://api.example.com/Payment/Create","headers":{"Content-Type":"application/json"},
//	 "body":{"amount":5000},"status":200,"answer":{"paymentRequestId":"…"}}
//
// Times are RFC 3339 or a number since 1970. "headers" is an object of texts or lists of
// texts, or a list of {"name","value"}; without the member an object in "body" is taken as sent as application/json, and
// [] says that none was sent. "answerHeaders" are the answer's, in the same forms. A body
// is a text, or any other value, which stands for its JSON. Without "status" and
// "answer" the answer is not recorded; "answer": null says that none arrived, unless
// there is a "status" below 502: that, with null or without "answer", is an answer without its body. "bodyMissing": true says that there
// was a body that the log does not have.
//
// A line without "url" may be any logger's: its members are known by the names that
// loggers usually give them ("http.request.method", {"req":{"url":…},"res":{"statusCode":…}}).
//
// A webhook as received is a line with "webhook": true, or with a signature among its
// headers; "status" is then what the receiver answered.
//
// Where such lines were made of several files, a last line tells what no call does: {"besides":{"files":[…]}} says of each file what form
// it had and what it lacks, and "of" in a line says of which of them, from 1, that is. "dollars", "goesOn", "tokenCut", "asksOnce", "cameBack", "runAgain",
// "sentTo", "pageRows" and "tooSoon" keep what was found in the files beside a call: nobody needs to write them.
package record
