// Search looks through the rows in pieces, so that the page stays quick, and tells
// how far it has come. Without scripts the browser's own search does it.
(function () {
  "use strict";
  var rows = Array.prototype.slice.call(document.querySelectorAll("details.row, tr.sent"));
  var box = document.getElementById("q"), came = document.getElementById("came"), turn = 0;
  document.getElementById("search").hidden = false;
  function show() {
    var here = location.hash && document.getElementById(location.hash.slice(1));
    if (here && here.tagName === "DETAILS") { here.hidden = false; here.open = true; here.scrollIntoView(); }
  }
  // A day is shown where any of its rows is.
  function days() {
    document.querySelectorAll("#live ~ h3").forEach(function (day) {
      var row = day.nextElementSibling;
      while (row && row.tagName !== "H3" && row.hidden) { row = row.nextElementSibling; }
      day.hidden = !row || row.tagName === "H3";
    });
  }
  addEventListener("hashchange", show);
  show();
  box.addEventListener("input", function () {
    var mine = ++turn, text = box.value.toLowerCase(), at = 0, found = 0;
    (function piece() {
      if (mine !== turn) { return; }
      for (var end = Math.min(at + 200, rows.length); at < end; at++) {
        var hit = !text || rows[at].textContent.toLowerCase().indexOf(text) >= 0;
        rows[at].hidden = !hit;
        if (hit) { found++; }
      }
      if (at < rows.length) {
        came.textContent = "searching, " + at + " of " + rows.length;
        requestAnimationFrame(piece);
      } else {
        days();
        came.textContent = !text ? "" : found ? found + " found" : "none on this page";
      }
    })();
  });
})();
