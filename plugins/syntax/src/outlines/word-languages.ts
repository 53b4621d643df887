import type { Declarations } from './outline.js';
import { after, HASHES, SLASHES } from './patterns.js';

const ADA = 'overriding|not|separate|private';
const VB =
  '<[^>]*>|public|private|protected|friend|shared|shadows|overloads|overridable|overrides|notoverridable|mustoverride|' +
  'mustinherit|notinheritable|partial|static|async|iterator|default|readonly|writeonly';
const VERILOG = 'virtual|static|protected|local|automatic';

const HARDWARE: Declarations = {
  ...SLASHES,
  until: /^end(?:module|interface|package|class|function|task|program)\b/,
  patterns: [
    ['module', after(VERILOG, '(?:module|macromodule|package|program)\\s+(?:automatic\\s+)?(\\w+)')],
    ['interface', /^interface\s+(?!class\b)(\w+)/],
    ['class', after(VERILOG, '(?:interface\\s+)?class\\s+(\\w+)')],
    ['function', after(VERILOG, '(?:function|task)\\s+[^;(]*?(\\w+)\\s*(?:[;(]|$)')],
  ],
};

/** Languages whose bodies end with words. */
export const WORD_LANGUAGES: ReadonlyArray<readonly [language: string, declarations: Declarations]> = [
  [
    'ada',
    {
      leads: /^--/,
      closing: /^end\b/i,
      goesOn: /^(?:is|begin|private|exception|return|with)\b/i,
      patterns: [
        ['module', after(ADA, 'package\\s+(?:body\\s+)?(?!body\\b)([\\w.]+)', 'i')],
        ['function', after(ADA, '(?:procedure|function)\\s+([\\w.]+|"[^"]+")', 'i')],
        ['class', /^(?:task|protected)\s+(?:type\s+|body\s+)?(\w+)/i],
        ['type', /^(?:sub)?type\s+(\w+)/i],
      ],
    },
  ],
  [
    'cmake',
    {
      ...HASHES,
      closing: /^(?:\)|end(?:function|macro)\b)/i,
      patterns: [
        ['function', /^(?:function|macro)\s*\(\s*([\w.-]+)/i],
        ['module', /^add_(?:executable|library|custom_target)\s*\(\s*([\w.:-]+)/i],
      ],
    },
  ],
  [
    'crystal',
    {
      leads: /^[#@]/,
      patterns: [
        ['module', after('private', '(?:module|lib)\\s+([\\w:]+)')],
        ['class', after('private|abstract', '(?:class|struct|annotation)\\s+([\\w:]+)')],
        ['enum', after('private', 'enum\\s+([\\w:]+)')],
        [
          'function',
          after(
            'private|protected|abstract',
            '(?:def|macro|fun)\\s+(?:self\\.)?((?:[a-zA-Z_]\\w*[?!=]?|[^\\s\\w(]+))',
          ),
        ],
        ['type', after('private', 'alias\\s+(\\w+)')],
      ],
    },
  ],
  [
    'fortran',
    {
      leads: /^!/,
      until: /^end(?:\s*(?:subroutine|function|module|submodule|program|type|interface)\b.*|\s*(?:!.*)?)$/i,
      patterns: [
        ['module', /^(?:module|program)\s+(?!(?:procedure|subroutine|function)\b)(\w+)\s*(?:!.*)?$/i],
        ['module', /^submodule\s*\([^)]*\)\s*(\w+)/i],
        [
          'function',
          after('pure|impure|elemental|recursive|module|non_recursive', 'subroutine\\s+(\\w+)', 'i'),
        ],
        ['function', /^(?!end\b)(?:[\w*]+(?:\s*\([^)]*\))?\s+){0,6}function\s+(\w+)\s*\(/i],
        ['class', /^type(?:\s*,[^:]*::\s*|\s*::\s*|\s+)(?!is\b)(\w+)\s*(?:!.*)?$/i],
        ['interface', /^(?:abstract\s+)?interface\s+(?:operator|assignment)?\s*\(?\s*([\w.=+*/<>-]+)/i],
      ],
    },
  ],
  [
    'pascal',
    {
      leads: /^(?:\/\/|\{|\(\*|\[)/,
      spans: [
        [/^\{/, /\}/],
        [/^\(\*/, /\*\)/],
      ],
      closing: /^end\b/i,
      goesOn: /^(?:begin|var|const|label|type|asm|private|protected|public|published|strict)\b/i,
      patterns: [
        ['module', /^(?:unit|program|library|package)\s+([\w.]+)\s*;/i],
        [
          'function',
          /^(?:class\s+|generic\s+)?(?:procedure|function|constructor|destructor|operator)\s+([\w.]+)/i,
        ],
        [
          'class',
          /^(?:generic\s+)?(\w+)(?:<[^>]*>)?\s*=\s*(?:packed\s+)?(?:class|record|object)\b(?!\s*(?:;|of\b))/i,
        ],
        ['interface', /^(\w+)(?:<[^>]*>)?\s*=\s*(?:disp)?interface\b(?!\s*;)/i],
      ],
    },
  ],
  ['systemverilog', HARDWARE],
  [
    'vb',
    {
      leads: /^(?:'|rem\b|<)/i,
      until:
        /^end\s+(?:sub|function|property|class|module|structure|interface|enum|namespace|type|operator)\b/i,
      patterns: [
        ['module', after(VB, '(?:module|namespace)\\s+([\\w.]+)', 'i')],
        ['class', after(VB, '(?:class|structure|type)\\s+(\\w+)', 'i')],
        ['interface', after(VB, 'interface\\s+(\\w+)', 'i')],
        ['enum', after(VB, 'enum\\s+(\\w+)', 'i')],
        ['function', after(VB, '(?:sub|function)\\s+(\\w+)', 'i')],
        ['function', after(VB, 'property\\s+(?:(?:get|let|set)\\s+)?(\\w+)', 'i')],
      ],
    },
  ],
  ['verilog', HARDWARE],
  [
    'vhdl',
    {
      leads: /^--/,
      closing: /^end\b/i,
      goesOn: /^(?:is|begin)\b/i,
      patterns: [
        ['module', /^(?:entity|package(?:\s+body)?)\s+(?!body\b)(\w+)\s+is\b/i],
        ['module', /^architecture\s+(\w+)\s+of\b/i],
        ['function', /^(?:pure\s+|impure\s+)?(?:function|procedure)\s+(\w+|"[^"]+")/i],
        ['function', /^(\w+)\s*:\s*(?:postponed\s+)?process\b/i],
        ['type', /^(?:sub)?type\s+(\w+)\s+is\b/i],
      ],
    },
  ],
  [
    'vim',
    {
      leads: /^["#]/,
      until: /^end(?:f\w*|def|class)\b/,
      patterns: [
        [
          'function',
          /^(?:export\s+|static\s+)*(?:fu(?:n(?:c(?:t(?:i(?:o(?:n)?)?)?)?)?)?|def)!?\s+(?:[sgbwtl]:|<SID>)?([\w.#]+)\s*\(/,
        ],
        ['class', /^(?:export\s+|abstract\s+)*class\s+(\w+)/],
      ],
    },
  ],
];
