import { diffWordsWithSpace } from 'diff';

/** A piece of two texts: in both, in the first alone or in the second alone. */
interface Piece {
  /** Its place among the pieces. */
  readonly key: number;
  readonly value: string;
  readonly added: boolean;
  readonly removed: boolean;
}

/** Edits above which two texts count as different throughout: finding more takes time and helps nobody. */
const MAX_EDITS = 2_000;
/** Characters on each side of a change that are shown of a long piece that both have. */
const AROUND = 120;

/** Texts that share less than this part are shown one after the other: word by word they could not be read. */
const MIN_SHARED = 0.4;

/** The pieces of two texts, word by word. */
export function diffPieces(before: string, after: string): readonly Piece[] {
  const found = diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS });
  const shared = (found ?? [])
    .filter(({ added, removed }) => !added && !removed)
    .reduce((sum, { value }) => sum + value.trim().length, 0);
  const isReadable = shared >= MIN_SHARED * Math.max(before.length, after.length);
  const pieces = found && isReadable ? found : wholeTexts(before, after);
  return pieces.map(({ value, added, removed }, key) => ({ key, value, added, removed }));
}

function wholeTexts(before: string, after: string) {
  const between = before === '' || after === '' ? '' : '\n';
  return [
    { value: before, added: false, removed: true },
    { value: between, added: false, removed: false },
    { value: after, added: true, removed: false },
  ];
}

/** What changed from one text to another. Screen readers hear `ins` and `del`. */
export function TextDiff({ before, after }: { readonly before: string; readonly after: string }) {
  return (
    <p className="text-diff">
      {diffPieces(before, after).map(({ key, value, added, removed }) => {
        if (added) return <ins key={key}>{value}</ins>;
        if (removed) return <del key={key}>{value}</del>;
        return <span key={key}>{shorten(value)}</span>;
      })}
    </p>
  );
}

function shorten(text: string): string {
  return text.length <= 2 * AROUND ? text : `${text.slice(0, AROUND)} … ${text.slice(-AROUND)}`;
}
