import { CopyButton } from './copy-button.js';

/** A text to copy: a command, or a file with its name. */
export function Command({ text, name }: { readonly text: string; readonly name?: string }) {
  return (
    <figure className="command">
      <figcaption>
        <span>{name ?? 'Terminal'}</span>
        <CopyButton text={text} />
      </figcaption>
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
