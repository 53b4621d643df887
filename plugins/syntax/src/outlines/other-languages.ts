import type { Declarations } from './outline.js';
import { after, DASHES, HASHES, HERE, QUOTES } from './patterns.js';

const SQL_NAME =
  '((?:[\\w$]+|"[^"]+"|`[^`]+`|\\[[^\\]]+\\])(?:\\.(?:[\\w$]+|"[^"]+"|`[^`]+`|\\[[^\\]]+\\]))*)';

function sql(words: string): RegExp {
  const before =
    '(?:or\\s+(?:replace|alter)|temp(?:orary)?|global|local|unlogged|external|foreign|virtual|unique|(?:non)?clustered|' +
    'materialized|recursive|constraint|transient|secure|definer\\s*=\\s*\\S+|algorithm\\s*=\\s*\\w+|sql\\s+security\\s+\\w+)';
  return after(before, `(?:${words})\\s+(?:concurrently\\s+)?(?:if\\s+not\\s+exists\\s+)?${SQL_NAME}`, 'i');
}

/** A form that defines a name, behind which there may be metadata. */
function clojure(words: string): RegExp {
  return new RegExp(`^\\(${words}\\s+(?:\\^(?:\\{[^}]*\\}\\s*|[^\\s{^]+\\s+))*([^\\s()[\\]{}"':^]+)`);
}

/** A pattern behind `CREATE`. */
function created(pattern: RegExp): RegExp {
  return new RegExp(pattern.source.replace('^', '^create\\s+'), pattern.flags);
}

/** Languages of other shapes. */
export const OTHER_LANGUAGES: ReadonlyArray<readonly [language: string, declarations: Declarations]> = [
  [
    'clojure',
    {
      patterns: [
        ['module', clojure('(?:ns|defproject)')],
        ['interface', clojure('defprotocol')],
        ['class', clojure('(?:defrecord|deftype)')],
        ['variable', clojure('(?:def|defonce)')],
        // Macros of libraries that define something are named so.
        ['function', clojure('(?:[\\w.-]+/)?def(?!ault)[a-z][\\w*!?-]*')],
      ],
      leads: /^;/,
    },
  ],
  [
    'elixir',
    {
      ...HASHES,
      spans: [[/^(?!#).*(?:"""|''')$/, /^\s*(?:"""|''')/]],
      patterns: [
        ['module', /^(?:defmodule|defimpl)\s+([\w.]+)/],
        ['interface', /^defprotocol\s+([\w.]+)/],
        ['function', /^(?:defp?|defmacrop?|defguardp?|defdelegate)\s+(?!unquote\b)([\w?!]+)/],
      ],
    },
  ],
  [
    'gdscript',
    {
      ...HASHES,
      patterns: [
        ['class', /^(?:class|class_name)\s+(\w+)/],
        ['enum', /^enum\s+(\w+)/],
        ['function', /^(?:static\s+)?func\s+(\w+)/],
      ],
      holds: [/^class_name\s/, /^class_name\s/],
    },
  ],
  [
    'graphql',
    {
      leads: /^[#"]/,
      spans: [[/^"""/, /"""/]],
      patterns: [
        ['interface', /^(?:extend\s+)?interface\s+(\w+)/],
        ['enum', /^(?:extend\s+)?enum\s+(\w+)/],
        ['type', /^(?:extend\s+)?(?:type|input|union|scalar)\s+(\w+)/],
        ['function', /^(?:query|mutation|subscription|fragment|directive)\s+@?(\w+)/],
      ],
    },
  ],
  [
    'haskell',
    {
      patterns: [
        ['class', /^(?:data|newtype)\s+(?:instance\s+)?(?:.*=>\s*)?([A-Z][\w']*)/],
        ['interface', /^class\s+(?:.*=>\s*)?([A-Z][\w']*)/],
        ['type', /^type\s+(?:family\s+)?([A-Z][\w']*)/],
        ['module', /^instance\s+(?:\{-#.*?#-\}\s*)?(?:.*=>\s*)?([A-Z][^{=]*?)(?:\s+where\b.*)?$/],
        ['function', /^(?:([a-z_][\w']*)|\(([^\s()\w]+)\))(?:,\s*[a-z_][\w']*)*\s*::/],
      ],
      leads: /^(?:--|\{-)/,
      spans: [[/^\{-/, /-\}/]],
      ends: 'equations',
    },
  ],
  [
    'hcl',
    {
      leads: /^(?:#|\/\/|\/\*|\*)/,
      spans: [[/^\/\*/, /\*\//], ...HERE],
      topOnly: new Set(['module', 'variable']),
      patterns: [
        ['module', /^(?:resource|data|ephemeral)\s+"?[\w-]+"?\s+"?([\w-]+)"?\s*\{/],
        ['variable', /^(?:variable|output)\s+"?([\w-]+)"?\s*\{/],
        ['module', /^(?:module|provider|backend|check)\s+"?([\w-]+)"?\s*\{/],
      ],
    },
  ],
  [
    'julia',
    {
      ...HASHES,
      spans: [...QUOTES, [/^#=/, /=#/]],
      localFunctions: false,
      patterns: [
        ['module', /^(?:bare)?module\s+(\w+)/],
        ['class', /^(?:mutable\s+)?struct\s+(\w+)/],
        ['type', /^(?:abstract|primitive)\s+type\s+(\w+)/],
        ['function', /^(?:@\w+\s+)*(?:function|macro)\s+([\w.!]+)/],
        ['function', /^([\w.!]+)\([^=]*\)\s*=(?!=)/],
      ],
    },
  ],
  [
    'lua',
    {
      patterns: [
        ['function', /^(?:local\s+)?function\s+([\w.:]+)/],
        ['function', /^(?:local\s+)?([\w.]+)\s*=\s*function\b/],
      ],
      leads: /^--/,
      spans: [
        [/^--\[=*\[/, /\]=*\]/],
        [/^(?!--).*?\[=*\[(?!.*\]=*\])/, /\]=*\]/],
      ],
    },
  ],
  [
    'perl',
    {
      patterns: [
        ['module', /^package\s+([\w:]+)/],
        ['function', /^(?:sub|method)\s+(\w+)/],
      ],
      holds: [/^package\s[^{]*;/, /^(?:package\s|__(?:END|DATA)__$)/],
      ...HASHES,
      spans: [[/^=[a-z]/, /^=cut\b/], [/^__(?:END|DATA)__$/, /(?!)/], ...HERE],
    },
  ],
  [
    'powershell',
    {
      ...HASHES,
      spans: [
        [/^<#/, /#>/],
        [/^(?!#).*?@"$/, /^"@/],
        [/^(?!#).*?@'$/, /^'@/],
      ],
      patterns: [
        ['function', /^(?:function|filter|workflow)\s+([\w:-]+)/i],
        ['class', /^class\s+(\w+)/i],
        ['enum', /^enum\s+(\w+)/i],
      ],
    },
  ],
  [
    'r',
    {
      ...HASHES,
      patterns: [
        ['class', /^([\w.]+)\s*(?:<-|=)\s*(?:\w+::)?(?:R6Class|ggproto|setRefClass|setClass)\(/],
        ['class', /^(?:setClass|setRefClass)\(\s*["'](\w[\w.]*)["']/],
        ['function', /^set(?:Generic|Method|Validity)\(\s*["']([^"']+)["']/],
        // Handlers of conditions are arguments.
        [
          'function',
          /^(?!(?:error|warning|message|condition|interrupt|finally)\s*=)([\w.]+|`[^`]+`)\s*(?:<-|=)\s*(?:function\b|\\\()/,
        ],
      ],
    },
  ],
  [
    'shell',
    {
      ...HASHES,
      spans: HERE,
      patterns: [
        ['function', /^(?:function\s+)([\w:.-]+)/],
        ['function', /^([\w:.-]+)\s*\(\)/],
      ],
    },
  ],
  [
    'sql',
    {
      ...DASHES,
      ends: 'statement',
      patterns: [
        ['class', created(sql('table|view'))],
        ['function', created(sql('function|procedure|trigger|aggregate|event'))],
        ['type', created(sql('type|domain|sequence|policy'))],
        ['module', created(sql('schema|database|extension|package(?:\\s+body)?'))],
        ['variable', created(sql('index(?!\\s+(?:concurrently\\s+)?on\\s)'))],
      ],
    },
  ],
];
