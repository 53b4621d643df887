import { useEffect, useRef, useState } from 'react';
import type { Answer } from '../../api/call.js';
import { Code } from '../../ui/code.js';
import { CopyButton } from '../../ui/copy-button.js';
import { count } from '../../ui/format.js';
import { JsonTree } from './json-tree.js';

const SHAPES = [
  { id: 'tree', label: 'Tree' },
  { id: 'text', label: 'Text' },
] as const;

/** The result of one call, brought into view: as a tree or as text, with its status and time. */
export function Result({ answer, tookMs }: { readonly answer: Answer; readonly tookMs: number }) {
  const [shape, setShape] = useState<(typeof SHAPES)[number]['id']>('tree');
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // In braces: newer browsers return a promise, which React would take for the function that cleans up.
    section.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const text = JSON.stringify(answer.result, null, 2) ?? '';
  return (
    <section ref={section} className="card" aria-label="Result">
      <header className="card-head result-actions">
        <h2 className="grow">Result</h2>
        <output className="muted time">
          {answer.status} in {count(tookMs)} ms
        </output>
        <div className="segments" role="group" aria-label="Shape">
          {SHAPES.map(({ id, label }) => (
            <button key={id} type="button" aria-pressed={id === shape} onClick={() => setShape(id)}>
              {label}
            </button>
          ))}
        </div>
        <CopyButton text={text} />
      </header>
      {shape === 'tree' ? (
        <div className="json-tree">
          <JsonTree value={answer.result} />
        </div>
      ) : (
        <Code text={text} language="json" firstLine={1} label="Result" />
      )}
    </section>
  );
}
