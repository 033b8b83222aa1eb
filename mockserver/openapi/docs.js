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
});
