import type { FileLinks } from '../file-links.js';
import type { LanguageRules } from '../language-rules.js';

/** Names of so many types that one type of the project with such a member tells nothing. */
const COMMON = new Set(
  (
    'add all any append apply at call clear close concat contains copy count create delete each equals entries ' +
    'execute exists fail filter find first flush format forEach from get getName has hash hashCode includes indexOf ' +
    'init insert is isEmpty items iterator join keys last length list load log main map match merge name next of off ' +
    'on open parse pop print println push put read reduce remove render replace reset resolve run save send set size ' +
    'slice sort split start stop substring test then toString trim update value valueOf values write'
  ).split(' '),
);
/** Shorter names are common too. */
const MIN_LENGTH = 4;

/** Members of which all files of a language have one only. */
export class UniqueNames {
  readonly #rules: LanguageRules;
  #asked = new Map<string, string | undefined>();
  /** Ids of symbols; null for several members of a name, and for one without a symbol. */
  readonly #ids = new Map<string, string | null>();

  constructor(rules: LanguageRules) {
    this.#rules = rules;
  }

  note(path: string, members: FileLinks['members']): void {
    for (const [name, qualifiedName] of members) {
      const id = qualifiedName === null || this.#ids.has(name) ? null : `${path}#${qualifiedName}`;
      this.#ids.set(name, id);
    }
  }

  /** The id of the symbol; undefined for a common name, and for one of several members. */
  find(name: string): string | undefined {
    if (name.length < MIN_LENGTH || COMMON.has(name) || this.#rules.commonMembers?.includes(name))
      return undefined;
    const id = this.get(name);
    this.#asked.set(name, id);
    return id;
  }

  /** As `find`, whatever the name. */
  get(name: string): string | undefined {
    return this.#ids.get(name) ?? undefined;
  }

  /** The names that `find` was asked for since the last call, with its answers. */
  takeAsked(): ReadonlyMap<string, string | undefined> {
    const asked = this.#asked;
    this.#asked = new Map();
    return asked;
  }
}
