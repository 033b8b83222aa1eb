// Shows the document whose address the page names. No validator is asked: it
// would be another host's.
window.addEventListener('DOMContentLoaded', function () {
  window.ui = SwaggerUIBundle({
    url: document.getElementById('swagger-ui').dataset.document,
    dom_id: '#swagger-ui',
    deepLinking: true,
    displayRequestDuration: true,
    persistAuthorization: true,
    showExtensions: true,
    validatorUrl: null,
    defaultModelsExpandDepth: 0
  });
  var button = document.getElementById('authorise');
  if (!button) { return; }
  button.addEventListener('click', function () {
    var told = document.getElementById('authorised');
    fetch(button.dataset.address, {
      method: 'POST', headers: {'Content-Type': 'application/json'},
      body: JSON.stringify({clientId: button.dataset.id, clientSecret: button.dataset.secret})
    }).then(function (answer) {
      if (!answer.ok) { throw new Error('the token call answered ' + answer.status); }
      return answer.json();
    }).then(function (granted) {
      window.ui.preauthorizeApiKey('bearerAuth', granted.accessToken);
      told.textContent = 'Authorised: every call below carries a token.';
    }).catch(function (error) { told.textContent = 'Not authorised: ' + error.message; });
  });
});
