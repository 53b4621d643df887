import { execFileSync } from 'node:child_process';

/** A method of a class file with what it calls. */
export interface ClassMethod {
  readonly name: string;
  readonly descriptor: string;
  /** Written by the compiler: bridges, bodies of lambdas. */
  readonly synthetic: boolean;
  /** Of its first instruction; absent without a body. */
  readonly line: number | undefined;
  readonly calls: readonly {
    readonly line: number;
    readonly owner: string;
    readonly name: string;
    readonly descriptor: string;
  }[];
}

export interface ClassFile {
  /** `a/Outer$Inner`. */
  readonly name: string;
  readonly supertypes: readonly string[];
  /** `Outer.java`. */
  readonly source: string;
  readonly methods: readonly ClassMethod[];
}

/** Options of a JDK's tool that runs for a second: of its own compilers the quick one, and one thread collects garbage. */
export const BRIEF_RUN = ['-J-XX:TieredStopAtLevel=1', '-J-XX:+UseSerialGC'];
/** At most this many files at once: a command line has a limit. */
const BATCH = 200;

/** What `javap -v` says of class files, given by path or by name (`--module`). */
export function readClassFiles(
  javap: string,
  names: readonly string[],
  options: readonly string[] = [],
): ClassFile[] {
  const found: ClassFile[] = [];
  for (let at = 0; at < names.length; at += BATCH) {
    const text = execFileSync(javap, [...BRIEF_RUN, '-v', '-p', ...options, ...names.slice(at, at + BATCH)], {
      encoding: 'utf8',
      maxBuffer: 1024 ** 3,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    found.push(
      ...text
        .split(/^Classfile /m)
        .slice(1)
        .map(parseClass),
    );
  }
  return found;
}

const REFERENCE = /\/\/ (?:Interface)?Method (?:([\w/$[\];]+|"\[[^"]+")\.)?("?<?[\w$]+>?"?):(\S+)/;
const HANDLE = /REF_(?:invoke\w+|newInvokeSpecial) ([\w/$]+)\.("?<?[\w$]+>?"?):(\S+)/;

function parseClass(text: string): ClassFile {
  const name = /^ {2}this_class: #\d+\s+\/\/ (\S+)/m.exec(text)?.[1]?.replaceAll('"', '') ?? '';
  const superclass = /^ {2}super_class: #\d+\s+\/\/ (\S+)/m.exec(text)?.[1];
  const declared = /^(?:\w+ )*(?:class|interface) .*$/m.exec(text)?.[0] ?? '';
  const interfaces = (
    /(?:implements|interface \S+ extends) (.*)$/.exec(withoutArguments(declared))?.[1] ?? ''
  )
    .split(',')
    .map((each) => each.trim().replaceAll('.', '/'))
    .filter(Boolean);
  const [body = '', tail = ''] = text.slice(text.indexOf('\n{\n') + 3).split(/^}$/m);
  const bootstraps = tail
    .slice(Math.max(tail.indexOf('BootstrapMethods:'), 0))
    .split(/^ {2}\d+: /m)
    .slice(1)
    .map((each) => each.slice(each.indexOf('Method arguments:')));
  return {
    name,
    supertypes: [...(superclass ? [superclass] : []), ...interfaces],
    source: /^SourceFile: "(.*)"/m.exec(tail)?.[1] ?? '',
    methods: body
      .split(/\n\n(?= {2}\S)/)
      .flatMap((each) => (/^ {4}descriptor: \(/m.test(each) ? [parseMethod(each, name, bootstraps)] : [])),
  };
}

/** `a.B<c.D>` is `a.B`. */
function withoutArguments(text: string): string {
  let plain = text;
  for (let next = ''; next !== plain;) {
    next = plain;
    plain = plain.replaceAll(/<[^<>]*>/g, '');
  }
  return plain;
}

function parseMethod(text: string, owner: string, bootstraps: readonly string[]): ClassMethod {
  const signature = /^ {2}(\S.*)$/m.exec(text)?.[1] ?? '';
  const plain = withoutArguments(signature.replace(/ throws .*/, ''));
  const bare = /([\w$.]+)\(/.exec(plain)?.[1];
  const isStatic = signature.startsWith('static {}');
  const isConstructor = bare?.replaceAll('.', '/') === owner;
  const lines = [...text.matchAll(/^ {8}line (\d+): (\d+)$/gm)].map(([, line, at]) => ({
    line: Number(line),
    at: Number(at),
  }));
  lines.sort((a, b) => a.at - b.at);
  const lineOf = (at: number): number => lines.findLast((each) => each.at <= at)?.line ?? 0;
  const calls = [...text.matchAll(/^ +(\d+): invoke(\w+) +(.*)$/gm)].flatMap(([, at, kind, rest = '']) => {
    const line = lineOf(Number(at));
    if (kind !== 'dynamic') return call(REFERENCE.exec(rest), owner, line);
    const bootstrap = bootstraps[Number(/InvokeDynamic #(\d+)/.exec(rest)?.[1] ?? -1)] ?? '';
    return call(HANDLE.exec(bootstrap), owner, line);
  });
  return {
    name: isStatic ? '<clinit>' : isConstructor ? '<init>' : (bare ?? ''),
    descriptor: /^ {4}descriptor: (\S+)/m.exec(text)?.[1] ?? '',
    synthetic: /^ {4}flags: .*ACC_(?:SYNTHETIC|BRIDGE)/m.test(text),
    line: lines[0]?.line,
    calls,
  };
}

function call(match: RegExpExecArray | null, owner: string, line: number): ClassMethod['calls'][number][] {
  if (!match) return [];
  const [, given, name = '', descriptor = ''] = match;
  return [{ line, owner: (given ?? owner).replaceAll('"', ''), name: name.replaceAll('"', ''), descriptor }];
}
