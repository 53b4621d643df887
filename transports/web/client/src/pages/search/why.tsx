import type { Result } from './results.js';

const MAX_WORDS = 6;

/** Why a hit is there: its score beside the best one of the list, what it has of the query, and where. */
export function Why({ result, best }: { readonly result: Result; readonly best: number }) {
  const { score, scores, stale } = result;
  const isRanked = Object.keys(scores).length > 0;
  return (
    <p className="scores muted">
      {isRanked && (
        <span title="The score of this hit; the bar is its part of the best one">
          <meter min={0} max={best} value={score} aria-label="Part of the best score" /> {score.toFixed(2)}
        </span>
      )}
      <span>{found(result)}</span>
      {scores.semantic !== undefined && (
        <span title="How near the meanings are: 1 is the same">meaning {scores.semantic.toFixed(2)}</span>
      )}
      {scores.keyword !== undefined && (
        <span title="How rare and how frequent the words are (BM25): more is better">
          words {scores.keyword.toFixed(2)}
        </span>
      )}
      {stale && <span className="badge busy">The file has changed since</span>}
    </p>
  );
}

/** `Matches in lines 4, 9` for a pattern; `Has “water”, “dawn”` where words were found; `By its meaning alone` otherwise. */
function found({ content, highlights, scores }: Result): string {
  if (Object.keys(scores).length === 0) {
    const lines = [...new Set(highlights.map(({ line }) => line))];
    const named = lines.slice(0, MAX_WORDS).join(', ') + (lines.length > MAX_WORDS ? ', …' : '');
    return lines.length === 1 ? `Matches in line ${named}` : `Matches in lines ${named}`;
  }
  const texts = highlights.map(({ start, end }) => content.slice(start, end).toLowerCase());
  const distinct = [...new Set(texts)].slice(0, MAX_WORDS).map((text) => `“${text}”`);
  return distinct.length > 0 ? `Has ${distinct.join(', ')}` : 'By its meaning alone';
}
