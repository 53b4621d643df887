import type { LanguageRules } from '../language-rules.js';
import type { Func } from '../declarations.js';
import type { Unit } from '../program.js';

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

/** Members of which the project has one only. */
export class UniqueNames {
  readonly #byRules = new Map<LanguageRules, Map<string, Func | null>>();

  constructor(units: readonly Unit[]) {
    for (const unit of units) {
      let names = this.#byRules.get(unit.rules);
      if (!names) this.#byRules.set(unit.rules, (names = new Map()));
      for (const func of unit.functions) {
        const { owner, name } = func;
        if (owner && name !== undefined) names.set(name, names.has(name) ? null : func);
      }
    }
  }

  find(name: string, rules: LanguageRules): Func | undefined {
    if (name.length < MIN_LENGTH || COMMON.has(name) || rules.commonMembers?.includes(name)) return undefined;
    return this.#byRules.get(rules)?.get(name) ?? undefined;
  }
}
