import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { highlight } from './highlight.js';
import { splitLines, type Range } from './split-lines.js';

const NO_MARKS: readonly Range[] = [];

/** Code with the numbers of its lines; `hit` is the range of lines to point out and to scroll to, `shown` a line to have in view. */
export function Code({
  text,
  language,
  firstLine,
  marks = NO_MARKS,
  hit,
  shown,
  column = 1,
  label,
}: {
  readonly text: string;
  readonly language: string | null;
  readonly firstLine: number;
  readonly marks?: readonly Range[];
  readonly hit?: readonly [from: number, to: number];
  readonly shown?: number | undefined;
  /** In the first line of `hit`, from 1 on: a long line is scrolled sideways to it. */
  readonly column?: number;
  /** What screen readers call it. */
  readonly label: string;
}) {
  const { data: tokens = [{ text, className: '' }] } = useQuery({
    queryKey: ['', 'highlight', language, text], // a name that no tool has
    queryFn: () => highlight(text, language ?? ''),
    staleTime: Infinity,
  });
  const lines = useMemo(() => {
    const all = splitLines(tokens, marks);
    return all.length > 1 && all.at(-1)?.length === 0 ? all.slice(0, -1) : all; // a line feed ends the last line
  }, [tokens, marks]);
  const [from, to] = hit ?? [0, 0];
  return (
    <pre className="code" tabIndex={0} role="group" aria-label={label}>
      <code>
        {lines.map((pieces, index) => {
          const line = firstLine + index;
          return (
            <span
              key={line}
              className={line >= from && line <= to ? 'line hit' : 'line'}
              data-column={column}
              ref={hit && line === from ? scrollTo : line === shown ? bringIntoView : null}
            >
              <span className="number" aria-hidden="true">
                {line}
              </span>
              {/* Another element for its colours: React would look for the place of each piece among all others. */}
              <span key={pieces.length} className="text">
                {pieces.map(({ text: part, className, marked, start }) =>
                  marked ? (
                    <mark key={start}>{part}</mark>
                  ) : (
                    <span key={start} className={className}>
                      {part}
                    </span>
                  ),
                )}
                {'\n'}
              </span>
            </span>
          );
        })}
      </code>
    </pre>
  );
}

const ABOVE_PX = 60;
/** So much of the box is left of a match that it is scrolled to. */
const BEFORE = 0.25;

/** Moves the box alone; scrollIntoView would move the page too. */
function scrollTo(line: HTMLElement | null): void {
  const box = line?.closest('pre');
  if (!line || !box) return;
  box.scrollTop = Math.max(0, line.offsetTop - ABOVE_PX);
  const left = leftOf(line.querySelector('.text'), Number(line.dataset['column']) - 1);
  const inside = left - box.getBoundingClientRect().left;
  if (inside > box.clientWidth * (1 - BEFORE)) box.scrollLeft += inside - box.clientWidth * BEFORE;
}

/** Leaves the box at its start where that has the line already: the head of a function says more than what is before a match. */
function bringIntoView(line: HTMLElement | null): void {
  const box = line?.closest('pre');
  if (!line || !box) return;
  box.scrollTop = 0;
  const [{ top }, { bottom, top: lineTop }] = [box.getBoundingClientRect(), line.getBoundingClientRect()];
  if (bottom - top > box.clientHeight) box.scrollTop = lineTop - top - ABOVE_PX;
}

/** Where a character of an element is in the window; 0 where it has none there. */
function leftOf(element: Element | null, at: number): number {
  if (!element) return 0;
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let before = 0;
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const { length } = node.nodeValue ?? '';
    if (at < before + length) {
      const range = document.createRange();
      range.setStart(node, at - before);
      return range.getBoundingClientRect().left;
    }
    before += length;
  }
  return 0;
}
