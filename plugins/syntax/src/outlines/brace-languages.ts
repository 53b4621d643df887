import type { Declarations } from './outline.js';
import { after, QUOTES, SLASHES } from './patterns.js';

const KOTLIN =
  '@\\w+(?:\\([^)]*\\))?|public|private|protected|internal|open|abstract|final|sealed|data|inline|value|annotation|inner|companion|override|' +
  'suspend|operator|infix|tailrec|external|const|lateinit|expect|actual';
const SWIFT =
  '@\\w+(?:\\([^)]*\\))?|public|private(?:\\(set\\))?|fileprivate|internal|open|final|static|class(?=\\s+(?:func|var|subscript))|override|' +
  'mutating|nonmutating|required|convenience|lazy|weak|indirect|nonisolated|isolated|dynamic|optional|package|prefix|postfix|distributed';
const SCALA =
  '@\\w+|private(?:\\[\\w+\\])?|protected(?:\\[\\w+\\])?|final|sealed|abstract|case|implicit|lazy|override|inline|transparent|opaque|open';
const DART =
  '@\\w+|abstract|base|final|sealed|interface|mixin(?=\\s+class)|external|static|const|late|covariant';
const GROOVY = '@\\w+|public|private|protected|static|final|abstract|synchronized';

/** Languages of braces and slashes. */
export const BRACE_LANGUAGES: ReadonlyArray<readonly [language: string, declarations: Declarations]> = [
  [
    'dart',
    {
      ...SLASHES,
      spans: [...SLASHES.spans, ...QUOTES, [/^(?!\/\/).*?'''/, /'''/]],
      topOnly: new Set(['variable']),
      localFunctions: false,
      patterns: [
        ['class', after(DART, '(?:class|mixin|extension(?:\\s+type)?)\\s+(\\w+)')],
        ['enum', after(DART, 'enum\\s+(\\w+)')],
        ['type', /^typedef\s+(?:[\w<>?,[\] ]+\s+)?(\w+)(?:<[^>]*>)?\s*(?:=|\()/],
        [
          'function',
          after(
            DART,
            '(?!(?:if|for|while|switch|catch|return|await|throw|assert|else|new|super|this|case|yield|do|in|is)\\b)' +
              '(?:[\\w<>?,.[\\]]+\\s+){0,4}?(?:get\\s+(\\w+)\\s*(?:=>|\\{|async)|(?:set\\s+|factory\\s+)?(\\w+(?:\\.\\w+)?)' +
              '(?:<[^>]*>)?\\((?:[^;]*\\)\\s*(?:async\\*?|sync\\*)?\\s*(?::[^;]*)?(?:=>.*|\\{.*)$|[^;)]*$))',
          ),
        ],
      ],
    },
  ],
  [
    'groovy',
    {
      ...SLASHES,
      spans: [...SLASHES.spans, ...QUOTES, [/^(?!\/\/).*?'''/, /'''/]],
      localFunctions: false,
      patterns: [
        ['class', after(GROOVY, '(?:class|trait)\\s+(\\w+)')],
        ['interface', after(GROOVY, 'interface\\s+(\\w+)')],
        ['enum', after(GROOVY, 'enum\\s+(\\w+)')],
        [
          'function',
          after(
            GROOVY,
            '(?:<[^()]*>\\s*)?(?:def|void|int|long|boolean|double|float|char|byte|short|[A-Z][\\w.]*(?:<[^()]*>)?)(?:\\[\\])*\\s+' +
              '(\\w+|"[^"]+"|\'[^\']+\')\\s*\\([^;]*\\)\\s*(?:throws\\s+[\\w., ]+)?\\{?$',
          ),
        ],
        ['function', /^task\s+(\w+)/],
        ['function', /^(?:def\s+\w+\s*=\s*)?(?:project\.)?tasks\.(?:register|create)\(\s*["']([\w-]+)["']/],
      ],
    },
  ],
  [
    'kotlin',
    {
      ...SLASHES,
      spans: [...SLASHES.spans, ...QUOTES],
      topOnly: new Set(['variable']),
      patterns: [
        ['interface', after(KOTLIN, '(?:fun\\s+)?interface\\s+(`[^`]+`|\\w+)')],
        ['enum', after(KOTLIN, 'enum\\s+class\\s+(`[^`]+`|\\w+)')],
        ['class', after(KOTLIN, '(?:class|object)\\s+(`[^`]+`|\\w+)')],
        ['class', /^(?:private\s+|internal\s+)?(companion)\s+object\b/],
        ['function', after(KOTLIN, 'fun\\s+(?:<.*>\\s+)?(?:[\\w<>?,. *]+\\.)?(`[^`]+`|\\w+)\\s*\\(')],
        ['type', after(KOTLIN, 'typealias\\s+(\\w+)')],
        ['variable', after(KOTLIN, '(?:val|var)\\s+(?:<[^>]*>\\s*)?(?:[\\w<>?,. *]+\\.)?(`[^`]+`|\\w+)')],
      ],
    },
  ],
  [
    'objectivec',
    {
      ...SLASHES,
      spans: [...SLASHES.spans, [/^#\s*define\b/, /(?:^|[^\\])$/]],
      localFunctions: false,
      holds: [/^@(?:interface|implementation|protocol)\b(?!.*;)/, /^@end\b/, true],
      patterns: [
        ['interface', /^@protocol\s+(\w+)(?!.*;)/],
        ['class', /^@(?:interface|implementation)\s+(\w+)/],
        ['function', /^[-+]\s*\([^)]*\)\s*(\w+)/],
        ['function', /^(?:static\s+|inline\s+|extern\s+)*[A-Za-z_][\w\s*]*?[\s*](\w+)\s*\([^;]*\)\s*\{?$/],
      ],
    },
  ],
  [
    'prisma',
    {
      ...SLASHES,
      patterns: [
        ['class', /^(?:model|type|view)\s+(\w+)\s*\{/],
        ['enum', /^enum\s+(\w+)\s*\{/],
        ['module', /^(?:datasource|generator)\s+(\w+)\s*\{/],
      ],
    },
  ],
  [
    'protobuf',
    {
      ...SLASHES,
      patterns: [
        ['class', /^(?:message|extend)\s+([\w.]+)/],
        ['enum', /^enum\s+(\w+)/],
        ['interface', /^service\s+(\w+)/],
        ['function', /^rpc\s+(\w+)/],
      ],
    },
  ],
  [
    'scala',
    {
      ...SLASHES,
      spans: [...SLASHES.spans, ...QUOTES],
      topOnly: new Set(['variable']),
      patterns: [
        ['interface', after(SCALA, 'trait\\s+(\\w+)')],
        ['enum', after(SCALA, 'enum\\s+(\\w+)')],
        ['class', after(SCALA, '(?:class|object)\\s+(\\w+)')],
        ['function', after(SCALA, 'def\\s+(`[^`]+`|[\\w$]+|[^\\s\\w([:]+)')],
        ['type', after(SCALA, 'type\\s+(\\w+)')],
        ['module', /^given\s+(\w+)\s*[:(]/],
        ['variable', after(SCALA, '(?:val|var)\\s+(\\w+)')],
      ],
    },
  ],
  [
    'solidity',
    {
      ...SLASHES,
      patterns: [
        ['class', /^(?:abstract\s+)?(?:contract|library)\s+(\w+)/],
        ['interface', /^interface\s+(\w+)/],
        ['class', /^struct\s+(\w+)/],
        ['enum', /^enum\s+(\w+)/],
        ['function', /^(?:function|modifier)\s+(\w+)/],
        ['function', /^(constructor|receive|fallback)\s*\(/],
        ['type', /^(?:event|error|type)\s+(\w+)/],
      ],
    },
  ],
  [
    'swift',
    {
      ...SLASHES,
      spans: [...SLASHES.spans, ...QUOTES],
      topOnly: new Set(['variable']),
      patterns: [
        ['interface', after(SWIFT, 'protocol\\s+(\\w+)')],
        ['enum', after(SWIFT, 'enum\\s+(\\w+)')],
        ['class', after(SWIFT, '(?:class|struct|actor|extension)\\s+([\\w.]+)')],
        ['function', after(SWIFT, 'func\\s+(`[^`]+`|\\w+|[^\\s\\w(]+)')],
        ['function', after(SWIFT, '(init|deinit|subscript)[?!]?\\s*(?:<[^>]*>)?\\s*(?:\\(|\\{)')],
        ['type', after(SWIFT, '(?:typealias|associatedtype)\\s+(\\w+)')],
        ['variable', after(SWIFT, '(?:let|var)\\s+(\\w+)')],
      ],
    },
  ],
  [
    'thrift',
    {
      ...SLASHES,
      patterns: [
        ['class', /^(?:struct|union|exception)\s+(\w+)/],
        ['enum', /^enum\s+(\w+)/],
        ['interface', /^service\s+(\w+)/],
        ['type', /^typedef\s+.*\s(\w+)/],
      ],
    },
  ],
  [
    'zig',
    {
      ...SLASHES,
      patterns: [
        ['class', /^(?:pub\s+)?const\s+(\w+)\s*=\s*(?:packed\s+|extern\s+)?(?:struct|union|opaque)\b/],
        ['enum', /^(?:pub\s+)?const\s+(\w+)\s*=\s*enum\b/],
        ['function', /^(?:pub\s+)?(?:export\s+|extern\s+|inline\s+|noinline\s+)*fn\s+(\w+)/],
        ['function', /^test\s+"([^"]+)"/],
      ],
    },
  ],
];
