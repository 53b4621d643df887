import escapeHtml from 'escape-html';

/** Markup that is safe to send: made by {@link html} alone. */
export interface Html {
  readonly markup: string;
}

type Piece = Html | string | number | false | undefined | readonly Html[];

/** Markup with every value escaped; parts made by `html` itself stand as they are, false and undefined are nothing. */
export function html(texts: TemplateStringsArray, ...values: readonly Piece[]): Html {
  let markup = '';
  texts.forEach((text, i) => {
    markup += text + rendered(values[i]);
  });
  return { markup };
}

function rendered(value: Piece): string {
  if (value === undefined || value === false) return '';
  if (typeof value === 'object')
    return [value]
      .flat()
      .map(({ markup }) => markup)
      .join('');
  return escapeHtml(String(value));
}
