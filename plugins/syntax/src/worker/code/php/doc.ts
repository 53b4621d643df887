/** A tag of a doc comment, with its type and the variable, property or method that it names. */
export interface DocTag {
  readonly tag: string;
  readonly type: string;
  /** With `$` for a variable or property. */
  readonly name?: string;
}

/** One type, which may hold spaces inside of brackets. Two levels of brackets cover real comments. */
const TYPE = String.raw`(?:[^\s<({]|<(?:[^<>]|<[^<>]*>)*>|\([^()]*\)|\{[^{}]*\})+`;
const TAG = new RegExp(
  String.raw`@(?:psalm-|phpstan-)?(param|return|var|property(?:-read|-write)?|method|extends|implements|use|template(?:-covariant)?)[ \t]+(?:static[ \t]+(?=\S+[ \t]+\w+\())?(${TYPE})(?:[ \t]+(?:of[ \t]+(${TYPE})|&?(?:\.\.\.)?(\$\w+|\w+(?=\())))?`,
  'g',
);
/** Longer comments are prose. */
const MAX_LENGTH = 20_000;

/** The tags that declare types. `@template T of Base` has the name `T` and the type `Base`. */
export function docTags(doc: string | undefined): DocTag[] {
  if (!doc?.startsWith('/**') || doc.length > MAX_LENGTH) return [];
  return Array.from(doc.matchAll(TAG), ([, tag = '', type = '', bound, name]) => {
    const kind = tag.replace(/-.*/, '');
    if (kind === 'template') return { tag: kind, type: bound ?? '', name: type };
    return { tag: kind, type, ...(name !== undefined && { name }) };
  });
}
