/** One form of a page, as a person sees it. */
export interface Form {
  readonly action: string;
  readonly method: string;
  readonly fields: readonly Field[];
  readonly buttons: readonly Button[];
}
interface Field {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly required: boolean;
  readonly label: string | undefined;
}
interface Button {
  readonly text: string;
  readonly name: string | undefined;
  readonly value: string;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** Text as it is shown. */
export function plainText(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The forms of a page, read from its markup. */
export function formsIn(html: string): Form[] {
  const labels = new Map(
    [...html.matchAll(/<label([^>]*)>(.*?)<\/label>/gs)].map(([, attributes = '', text = '']) => [
      attributesOf(attributes).get('for'),
      plainText(text),
    ]),
  );
  return [...html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)].map(([, attributes = '', inside = '']) => {
    const form = attributesOf(attributes);
    return {
      action: form.get('action') ?? '',
      method: form.get('method') ?? 'get',
      fields: [...inside.matchAll(/<input([^>]*?)\/?>/gs)].map(([, text = '']) => {
        const input = attributesOf(text);
        return {
          name: input.get('name') ?? '',
          type: input.get('type') ?? 'text',
          value: input.get('value') ?? '',
          required: input.has('required'),
          label: labels.get(input.get('id')),
        };
      }),
      buttons: [...inside.matchAll(/<button([^>]*)>(.*?)<\/button>/gs)].map(([, text = '', shown = '']) => {
        const button = attributesOf(text);
        return { text: plainText(shown), name: button.get('name'), value: button.get('value') ?? '' };
      }),
    };
  });
}

function attributesOf(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [
      name,
      plainText(value),
    ]),
  );
}
