/* global SwaggerUIBundle */
// Draws /openapi.json with Swagger UI. A file of its own, because the page allows no inline script.

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

async function show() {
  const address = new URL('openapi.json', location.href);
  const reply = await fetch(address);
  if (!reply.ok) throw new Error(`openapi.json answered ${reply.status}`);
  const spec = await reply.json();
  // "Try it out" asks the address this page came from: the only one its policy lets it ask.
  spec.servers = [{ url: new URL('.', address).href.replace(/\/$/, '') }];
  SwaggerUIBundle({
    spec,
    dom_id: '#api',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    filter: true,
    validatorUrl: null,
    persistAuthorization: false,
    showExtensions: true,
  });
}

show().catch((error) => {
  console.error(error);
  document.getElementById('api').textContent =
    'The API document could not be loaded. Is the service still running? Reload the page to try again.';
});
