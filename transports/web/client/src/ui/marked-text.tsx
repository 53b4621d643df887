import { splitBlocks, splitInline } from './split-markdown.js';

/** A text that may be Markdown, with its headings, code and tables as such. */
export function MarkedText({ text }: { readonly text: string }) {
  return (
    <div className="marked-text">
      {splitBlocks(text).map(({ kind, text: block, line }) =>
        kind === 'code' ? (
          <pre key={line} className="mono">
            {block}
          </pre>
        ) : (
          <p key={line} className={kind === 'heading' ? 'strong' : undefined}>
            {splitInline(block).map((piece) =>
              piece.kind === 'text' ? (
                piece.text
              ) : piece.kind === 'code' ? (
                <code key={piece.start}>{piece.text}</code>
              ) : (
                <strong key={piece.start}>{piece.text}</strong>
              ),
            )}
          </p>
        ),
      )}
    </div>
  );
}
