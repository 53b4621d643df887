import type { Declarations } from './outline.js';
import { after, DASHES, HASHES, QUOTES } from './patterns.js';

const SQL_NAME =
  '((?:[\\w$]+|"[^"]+"|`[^`]+`|\\[[^\\]]+\\])(?:\\.(?:[\\w$]+|"[^"]+"|`[^`]+`|\\[[^\\]]+\\]))*)';

function sql(words: string): RegExp {
  const before =
    '(?:or\\s+(?:replace|alter)|temp(?:orary)?|global|local|unlogged|external|unique|materialized|recursive|constraint)';
  return after(before, `(?:${words})\\s+(?:concurrently\\s+)?(?:if\\s+not\\s+exists\\s+)?${SQL_NAME}`, 'i');
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
        ['module', /^\(ns\s+(?:\^\S+\s+)*([\w.*+!?<>=-]+)/],
        ['function', /^\((?:defn-?|defmacro|defmulti|defmethod)\s+(?:\^\S+\s+)*([^\s()[\]{}]+)/],
        ['interface', /^\(defprotocol\s+([^\s()[\]{}]+)/],
        ['class', /^\((?:defrecord|deftype)\s+([^\s()[\]{}]+)/],
        ['variable', /^\((?:def|defonce)\s+(?:\^\S+\s+)*([^\s()[\]{}]+)/],
      ],
      leads: /^;/,
    },
  ],
  [
    'elixir',
    {
      ...HASHES,
      comment: QUOTES,
      patterns: [
        ['module', /^(?:defmodule|defimpl)\s+([\w.]+)/],
        ['interface', /^defprotocol\s+([\w.]+)/],
        ['function', /^(?:defp?|defmacrop?|defguardp?|defdelegate)\s+([\w?!]+)/],
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
    },
  ],
  [
    'graphql',
    {
      ...HASHES,
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
        ['module', /^instance\s+(?:.*=>\s*)?([A-Z][\w'. ()[\]]*?)\s+where\b/],
        ['function', /^([a-z_][\w']*)\s*::/],
      ],
      leads: /^(?:--|\{-)/,
      comment: [/^\{-/, /-\}/],
      ends: 'equations',
    },
  ],
  [
    'hcl',
    {
      ...HASHES,
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
      comment: QUOTES,
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
      comment: [/^--\[\[/, /\]\]/],
    },
  ],
  [
    'perl',
    {
      patterns: [
        ['module', /^package\s+([\w:]+)/],
        ['function', /^(?:sub|method)\s+(\w+)/],
      ],
      ...HASHES,
      comment: [/^=[a-z]/, /^=cut\b/],
    },
  ],
  [
    'powershell',
    {
      ...HASHES,
      patterns: [
        ['function', /^(?:function|filter|workflow)\s+([\w:-]+)/i],
        ['class', /^class\s+(\w+)/i],
        ['enum', /^enum\s+(\w+)/i],
      ],
    },
  ],
  ['r', { ...HASHES, patterns: [['function', /^([\w.]+|`[^`]+`)\s*(?:<-|=)\s*(?:function\b|\\\()/]] }],
  [
    'shell',
    {
      ...HASHES,
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
        ['function', created(sql('function|procedure|trigger|aggregate'))],
        ['type', created(sql('type|domain|sequence'))],
        ['module', created(sql('schema|database|extension|package(?:\\s+body)?'))],
        ['variable', created(sql('index'))],
      ],
    },
  ],
];
