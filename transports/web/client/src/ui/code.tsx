import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { highlight } from './highlight.js';
import { splitLines, type Range } from './split-lines.js';

const NO_MARKS: readonly Range[] = [];

/** Code with the numbers of its lines; `hit` is the range of lines to point out and to scroll to. */
export function Code({
  text,
  language,
  firstLine,
  marks = NO_MARKS,
  hit,
  label,
}: {
  readonly text: string;
  readonly language: string | null;
  readonly firstLine: number;
  readonly marks?: readonly Range[];
  readonly hit?: readonly [from: number, to: number];
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
    <pre className="code" tabIndex={0} role="region" aria-label={label}>
      <code>
        {lines.map((pieces, index) => {
          const line = firstLine + index;
          return (
            <span
              key={line}
              className={line >= from && line <= to ? 'line hit' : 'line'}
              ref={hit && line === from ? scrollTo : null}
            >
              <span className="number" aria-hidden="true">
                {line}
              </span>
              <span className="text">
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

/** Moves the box alone; scrollIntoView would move the page too. */
function scrollTo(line: HTMLElement | null): void {
  const box = line?.closest('pre');
  if (line && box) box.scrollTop = Math.max(0, line.offsetTop - ABOVE_PX);
}
