/* global SwaggerUIBundle */
// Draws /openapi.json with Swagger UI. A file of its own, because the page allows no inline script.

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

// Descriptions are Markdown of third parties. Swagger UI would clean their HTML; here it is shown as the text it is.
function plain(value) {
  if (typeof value !== 'object' || value === null) return value;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'description' && typeof inner === 'string') value[key] = escapeTags(inner);
    else plain(inner);
  }
  return value;
}

function escapeTags(markdown) {
  const parts = markdown.split(/(`[^`]*`)/); // code spans show entities as they are written
  return parts.map((part, at) => (at % 2 ? part : part.replaceAll(/<(?=[a-z/!?])/gi, '&lt;'))).join('');
}

async function show() {
  const address = new URL('openapi.json', location.href);
  const reply = await fetch(address);
  if (!reply.ok) throw new Error(`openapi.json answered ${reply.status}`);
  const spec = plain(await reply.json());
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

show().catch(() => {
  document.getElementById('api').textContent =
    'The API document could not be loaded. Is the service still running? Reload the page to try again.';
});
