import type { Declarations } from './outline.js';
import { HASHES, QUOTES } from './patterns.js';

const ML_COMMENT = [/^\(\*/, /\*\)/] as const;
const SECTIONS_OF_COBOL =
  'configuration|input-output|file|working-storage|local-storage|linkage|communication|report|screen';

const SCHEME: Declarations = {
  leads: /^;/,
  spans: [[/^#\|/, /\|#/]],
  patterns: [
    ['class', /^\((?:struct|define-record-type|define-structure|define-class)\s+[(<]*([^\s()<>]+)/],
    ['function', /^\(define[\w*/-]*\s+\(+([^\s()]+)/],
    ['variable', /^\(define[\w*/-]*\s+([^\s()'"]+)/],
  ],
};

/** Languages whose declarations end where the next one begins. */
export const FLAT_LANGUAGES: ReadonlyArray<readonly [language: string, declarations: Declarations]> = [
  [
    'batch',
    {
      leads: /^(?:::|rem\b)/i,
      goesOn: /^(?!:[\w-])/,
      localFunctions: false,
      patterns: [['function', /^:([\w-]+)/]],
    },
  ],
  [
    'cobol',
    {
      leads: /^\*/,
      localFunctions: false,
      patterns: [
        ['module', /^(?:\d{6}\s+)?program-id\.\s*([\w-]+)/i],
        [
          'module',
          new RegExp(
            `^(?:\\d{6}\\s+)?(?!(?:${SECTIONS_OF_COBOL})\\s)([a-z\\d][\\w-]*)\\s+section\\s*\\.$`,
            'i',
          ),
        ],
        [
          'function',
          /^(?:\d{6}\s+)?(?!(?:end-\w+|exit|stop|goback|continue|else|declaratives|file-control|i-o-control|special-names|source-computer|object-computer|repository)\b(?!-))([a-z\d][\w-]*)\s*\.$/i,
        ],
      ],
    },
  ],
  [
    'dockerfile',
    {
      ...HASHES,
      goesOn: /^(?!from\s)/i,
      patterns: [['module', /^from\s+.*\sas\s+([\w.-]+)$/i]],
    },
  ],
  [
    'elm',
    {
      leads: /^(?:--|\{-)/,
      spans: [[/^\{-/, /-\}/]],
      ends: 'equations',
      localFunctions: false,
      patterns: [
        ['type', /^type\s+(?:alias\s+)?(\w+)/],
        ['function', /^(?:port\s+)?([a-z]\w*)\s*:(?!:)/],
      ],
    },
  ],
  [
    'erlang',
    {
      leads: /^(?:%|-(?:spec|doc|callback)\b)/,
      ends: 'equations',
      localFunctions: false,
      patterns: [
        ['module', /^-module\(\s*'?([\w@]+)/],
        ['class', /^-record\(\s*'?([\w@]+)/],
        ['type', /^-(?:type|opaque)\s+([\w@]+)/],
        ['function', /^([a-z][\w@]*)\((?:.*->|[^.]*$)/],
      ],
    },
  ],
  [
    'fsharp',
    {
      leads: /^(?:\/\/|\(\*|\[<)/,
      spans: [ML_COMMENT, ...QUOTES],
      topOnly: new Set(['variable']),
      localFunctions: false,
      patterns: [
        ['module', /^(?:module|namespace)\s+(?:rec\s+|private\s+|internal\s+|public\s+)*([\w.]+)/],
        ['type', /^(?:type|and)\s+(?:private\s+|internal\s+|public\s+)*(?:\[<[^>]*>\]\s*)?(\w+)/],
        ['type', /^exception\s+(\w+)/],
        [
          'function',
          /^(?:static\s+)?(?:member|override|default|abstract(?:\s+member)?)\s+(?:(?:private|internal|public|inline)\s+)*(?:\w+\.)?(\w+)/,
        ],
        [
          'function',
          /^let\s+(?:(?:rec|inline|private|internal|mutable)\s+)*(\w+'?|``[^`]+``|\(\|?[^)]*\))(?:<[^>]*>)?(?:\(|\s+(?![=:])\S)/,
        ],
        ['variable', /^let\s+(?:(?:mutable|private|internal|inline)\s+)*(\w+)\s*[=:]/],
      ],
    },
  ],
  [
    'lisp',
    {
      leads: /^;/,
      spans: [[/^#\|/, /\|#/]],
      patterns: [
        ['class', /^\((?:cl-)?(?:defclass|defstruct|define-condition|deftype)\s+\(?([^\s()'"]+)/i],
        ['module', /^\(defpackage\s+[#:"]*([^\s()'"]+)/i],
        ['variable', /^\((?:defvar|defconst|defconstant|defparameter|defcustom)\s+([^\s()'"]+)/i],
        [
          'function',
          /^\((?:[\w-]+:)?(?:cl-)?def(?!ault|ine-key|group|advice)[\w-]*\*?\s+\(?(?:setf\s+)?([^\s()'"#:]+)/i,
        ],
      ],
    },
  ],
  [
    'makefile',
    {
      ...HASHES,
      localFunctions: false,
      spans: [[/^(?=.*\\$)/, /(?:^|[^\\])$/]],
      patterns: [
        [
          'function',
          /^(?!\.[A-Z])([\w.][\w./-]*)(?:\s+[\w./-]+)*\s*::?(?![:=])(?!\s*(?:override\s+|export\s+)?\w+\s*[:+?!]{0,2}=)/,
        ],
      ],
    },
  ],
  [
    'nim',
    {
      leads: /^#/,
      spans: [[/^#?#\[/, /\]##?/], ...QUOTES],
      patterns: [
        ['function', /^(?:proc|func|method|iterator|template|macro|converter)\s+(`[^`]+`|\w+)/],
        ['enum', /^(\w+)\*?\s*(?:\{\.[^}]*\.?\}\s*)?=\s*enum\b/],
        [
          'class',
          /^(\w+)\*?\s*(?:\[[^\]]*\]\s*)?(?:\{\.[^}]*\.?\}\s*)?=\s*(?:ref\s+|ptr\s+)?(?:object|tuple|concept)\b/,
        ],
      ],
    },
  ],
  [
    'ocaml',
    {
      leads: /^(?:\(\*|\[@)/,
      spans: [ML_COMMENT],
      topOnly: new Set(['variable']),
      localFunctions: false,
      patterns: [
        ['interface', /^module\s+type\s+(?!of\b)(\w+)/],
        ['module', /^(?:module|and)\s+(?:rec\s+)?([A-Z]\w*)/],
        ['class', /^class\s+(?:type\s+|virtual\s+)*(?:\[[^\]]*\]\s*)?([a-z]\w*)/],
        ['type', /^type\s+(?:nonrec\s+)?(?:(?:[+-]?'\w+|\([^)]*\))\s+)?(\w+)/],
        ['type', /^exception\s+(\w+)/],
        ['function', /^(?:val|external|method)\s+(?:(?:private|virtual)\s+|!\s*)*([a-z_][\w']*)/],
        [
          'function',
          /^(?:let|and)(?:%\w+)?\s+(?:rec\s+|inline\s+)?(?!open\b|module\b|exception\b)([a-z_][\w']*|\([^\s()]+\))(?:\(|\s+(?![=:])\S|\s*(?::[^=]*)?=\s*(?:fun|function)\b)/,
        ],
        ['variable', /^let\s+(?!open\b|module\b)([a-z][\w']*)\s*[=:]/],
      ],
    },
  ],
  ['racket', SCHEME],
  ['scheme', SCHEME],
  ['starlark', { ...HASHES, spans: QUOTES, patterns: [['function', /^def\s+(\w+)/]] }],
  [
    'tcl',
    {
      localFunctions: false,
      leads: /^#/,
      patterns: [
        ['function', /^(?:proc|method|(?:oo|itcl)::\w+\s+method)\s+([\w:.!?-]+)/],
        ['class', /^(?:oo::class\s+create|itcl::class|snit::type)\s+([\w:]+)/],
        ['module', /^namespace\s+eval\s+([\w:]+)/],
      ],
    },
  ],
];
