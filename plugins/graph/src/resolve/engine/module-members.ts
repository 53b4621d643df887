import { Node } from '../node.js';
import type { Unit } from '../program.js';
import type { Value } from '../values.js';
import type { Engine } from './engine.js';
import { flowHit } from './flow-hit.js';
import { Site } from './site.js';

/** The elements of an object that is spread or copied: of a literal, or the exports of a module. */
export function elementsByName(engine: Engine, value: Value): Site | undefined {
  if (value.kind === 'instance') return value.site;
  if (value.kind !== 'module') return undefined;
  const { solver, members } = engine;
  const names = new Set([...filesOf(engine, value.units)].flatMap(({ exports }) => [...exports.keys()]));
  const [first] = value.units;
  const items = [...names].map((name) => {
    const node = new Node();
    if (first)
      for (const hit of members.find(value, { name, isSuper: false, scope: first.scope }))
        flowHit(engine, hit, node);
    return { key: name, node };
  });
  return new Site(solver, items);
}

/** Files, and those whose names they export: `export * from './a.js'`. */
function filesOf({ project }: Engine, units: readonly Unit[]): ReadonlySet<Unit> {
  const files = new Set(units);
  for (const unit of files) {
    for (const { statement } of unit.imports) {
      if (!statement.reexport || statement.form !== 'wildcard') continue;
      const target = project.find(statement, unit);
      if (target.kind === 'files') for (const each of project.unitsOf(target.paths)) files.add(each);
    }
  }
  return files;
}
