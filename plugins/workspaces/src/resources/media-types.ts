/** Media types of languages: registered ones, or else common names. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  asciidoc: 'text/asciidoc',
  c: 'text/x-c',
  cpp: 'text/x-c++',
  csharp: 'text/x-csharp',
  css: 'text/css',
  csv: 'text/csv',
  go: 'text/x-go',
  graphql: 'application/graphql',
  html: 'text/html',
  java: 'text/x-java',
  javascript: 'text/javascript',
  json: 'application/json',
  kotlin: 'text/x-kotlin',
  latex: 'text/x-latex',
  lua: 'text/x-lua',
  markdown: 'text/markdown',
  perl: 'text/x-perl',
  php: 'text/x-php',
  python: 'text/x-python',
  ruby: 'text/x-ruby',
  rust: 'text/x-rust',
  scala: 'text/x-scala',
  shell: 'text/x-shellscript',
  sql: 'application/sql',
  svg: 'image/svg+xml',
  swift: 'text/x-swift',
  toml: 'application/toml',
  typescript: 'text/x-typescript',
  xml: 'application/xml',
  yaml: 'application/yaml',
};

/** The media type of a text in this language; `text/plain` for an unknown language. */
export function mediaTypeOf(language: string | null): string {
  return (language !== null && Object.hasOwn(MEDIA_TYPES, language) && MEDIA_TYPES[language]) || 'text/plain';
}
