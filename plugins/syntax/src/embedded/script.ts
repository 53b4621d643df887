import { valueOf, type Attribute, type Range } from './markup.js';

/** A text of the same length and lines in the language of a grammar. */
export interface EmbeddedSource {
  /** A grammar of `GRAMMARS`. */
  readonly parser: string;
  readonly text: string;
}

/** Where the name of a component stands in its tag; undefined for an element of HTML. */
export function componentName({ start, name }: Range & { readonly name: string }): Range | undefined {
  const isComponent = /^[A-Z][\w.]*$|^[\w]+\.[\w.]+$/.test(name);
  return isComponent ? { start: start + 1, end: start + 1 + name.length } : undefined;
}

/** The grammar of scripts with these `lang`: of the richest. */
export class ScriptLanguage {
  #parser = 'javascript';

  add(text: string, attributes: readonly Attribute[]): void {
    const language = valueOf(text, attributes, 'lang')?.toLowerCase() ?? '';
    if (language === 'tsx' || language === 'jsx') this.#parser = 'tsx';
    else if (/^(?:ts|typescript)$/.test(language) && this.#parser !== 'tsx') this.#parser = 'typescript';
  }

  get parser(): string {
    return this.#parser;
  }
}
