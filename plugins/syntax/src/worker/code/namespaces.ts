import type { ClassCode, Located, Statement } from '../../code.js';

/** `namespace a.b { … }`: a namespace in a namespace. The symbol is that of the inner one. */
export function namespaceCode(
  path: readonly string[],
  place: Located & { readonly symbol?: number },
  members: readonly Statement[],
): ClassCode {
  const { start, line } = place;
  const innermost: ClassCode = {
    ...place,
    name: path.at(-1) ?? '',
    form: 'namespace',
    members,
    reopens: true,
  };
  return path.slice(0, -1).reduceRight<ClassCode>(
    (inner, name) => ({
      name,
      form: 'namespace',
      members: [{ kind: 'class', class: inner }],
      reopens: true,
      start,
      line,
    }),
    innermost,
  );
}
