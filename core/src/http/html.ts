import escapeHtml from 'escape-html';

/** Safe markup, created only by {@link html}. */
export interface Html {
  readonly markup: string;
}

type Piece = Html | string | number | false | undefined | readonly Html[];

/** Markup with every value escaped, except {@link Html}; false and undefined render nothing. */
export function html(texts: TemplateStringsArray, ...values: readonly Piece[]): Html {
  let markup = '';
  texts.forEach((text, i) => {
    markup += text + render(values[i]);
  });
  return { markup };
}

function render(value: Piece): string {
  if (value === undefined || value === false) return '';
  if (typeof value === 'object')
    return [value]
      .flat()
      .map(({ markup }) => markup)
      .join('');
  return escapeHtml(String(value));
}
