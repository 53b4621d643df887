import type { Class } from '../declarations.js';
import type { LanguageRules } from '../language-rules.js';
import type { Unit } from '../program.js';
import type { Engine } from './engine.js';
import type { Project } from './project.js';
import { qualifiedName } from './qualified-name.js';

/** Joins the parts of classes that are declared in several places. */
export function mergeParts({ classes, project }: Engine, units: Iterable<Unit>): void {
  const parts = new Map<LanguageRules, Map<string, Class>>();
  const named = new Map<string, Class[]>();
  for (const unit of headersFirst(project, [...units])) {
    const { rules } = unit;
    let byName = parts.get(rules);
    if (!byName) parts.set(rules, (byName = new Map()));
    const shared = project.modules(rules).scopeOf?.(unit.path) ?? unit.path;
    const home = rules.namespaces === 'shared' ? unit.packageName : `${shared} `;
    for (const container of unit.classes) {
      const name = qualifiedName(container);
      if (name === undefined) continue;
      const full = home === undefined ? name : `${home}.${name}`;
      const key = rules.typesByArity ? `${full} ${container.generics.length}` : full;
      const first = byName.get(key);
      if (!first) {
        byName.set(key, container);
        if (!rules.typesByArity) continue;
        const all = named.get(full);
        if (all) all.push(container);
        else named.set(full, [container]);
        classes.noteArity(container, named.get(full) ?? []);
      } else if (container.code.form === 'namespace' || container.code.reopens || first.code.reopens) {
        classes.merge(container, first);
      }
    }
  }
}

/** A class of a header is the one that other files mean, whatever source files call theirs. */
function headersFirst(project: Project, units: readonly Unit[]): readonly Unit[] {
  const isHeader = (unit: Unit): boolean => unit.rules.prototypes === true && project.isLoaded(unit);
  return [...units.filter(isHeader), ...units.filter((unit) => !isHeader(unit))];
}
