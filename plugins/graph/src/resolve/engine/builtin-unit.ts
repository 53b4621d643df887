import type { code } from '@service-mcp/plugin-syntax/contract';
import { parseBuiltins } from '../builtins.js';
import { compileMembers, insideOf } from '../compile/classes.js';
import { compilePart } from '../compile/compile-file.js';
import type { Place, Walker } from '../compile/walker.js';
import type { Func } from '../declarations.js';
import { switchWork } from '../file-work.js';
import type { LanguageRules } from '../language-rules.js';
import { Unit, type Variable } from '../program.js';
import type { InstalledCode } from './install.js';
import { LazyMap } from './lazy-map.js';

/** What an engine does with builtin types. */
export interface BuiltinFollower {
  /** A function was compiled, as soon as that. */
  compiled(func: Func): void;
  install(unit: Unit, code: InstalledCode): void;
}

type Statements = ReadonlyMap<string, readonly code.Statement[]>;

/** By name, read once: compiling leaves them as they are. */
const statements = new Map<LanguageRules, Statements>();

function statementsOf(rules: LanguageRules): Statements {
  const known = statements.get(rules);
  if (known) return known;
  const byName = new Map<string, code.Statement[]>();
  for (const statement of parseBuiltins(rules.builtins ?? '')) {
    const name = nameOf(statement);
    const others = byName.get(name);
    if (others) others.push(statement);
    else byName.set(name, [statement]);
  }
  statements.set(rules, byName);
  return byName;
}

function nameOf(statement: code.Statement): string {
  const named =
    statement.kind === 'class'
      ? statement.class
      : statement.kind === 'function'
        ? statement.function
        : undefined;
  return named?.name ?? '';
}

/**
 * The builtin types of one language, compiled like a file, as far as a resolution asks for them: a type when its name is
 * looked up, its members when one of them is. There is an engine for each group of files, and many files are a group alone.
 */
export class BuiltinUnit {
  readonly unit: Unit;
  readonly #statements: Statements;
  readonly #declared = new Set<string>();
  readonly #follower: BuiltinFollower;
  /** Parts that are being compiled, one for another. */
  #compiling = 0;
  #isStarted = false;
  #isInstalling = false;
  /** How many of the functions of the unit were noted. */
  #noted = 0;

  constructor(rules: LanguageRules, follower: BuiltinFollower) {
    this.unit = new Unit('', rules, undefined, []);
    this.#statements = statementsOf(rules);
    this.#follower = follower;
    this.unit.scope.keepNamesIn(new LazyMap((name) => this.#declare(name)));
  }

  /** Lets what is compiled be installed, from now on at once. */
  start(): void {
    this.#isStarted = true;
    this.#install();
  }

  #declare(name: string | undefined): void {
    if (name === undefined) for (const each of this.#statements.keys()) this.#declare(each);
    else if (!this.#declared.has(name)) {
      const found = this.#statements.get(name);
      if (!found) return;
      this.#declared.add(name);
      this.#compile((walker, place) => {
        for (const statement of found) this.#statement(name, statement, walker, place);
      });
    }
  }

  #statement(name: string, statement: code.Statement, walker: Walker, place: Place): void {
    if (statement.kind !== 'class') {
      walker.statements([statement], place);
      return;
    }
    const { members } = statement.class;
    walker.statements([{ kind: 'class', class: { ...statement.class, members: [] } }], place);
    const container = this.unit.scope.names.get(name)?.declarations?.at(-1);
    if (container?.kind !== 'class' || members.length === 0) return;
    let filled = false;
    const fill = (): void => {
      if (filled) return;
      filled = true;
      this.#compile((inner, around) =>
        compileMembers(inner, container, members, insideOf(container, around)),
      );
    };
    container.instanceMembers = new LazyMap<Variable>(fill);
    container.scope.keepNamesIn(new LazyMap<Variable>(fill));
  }

  #compile(compile: (walker: Walker, place: Place) => void): void {
    this.#compiling += 1;
    compilePart(this.unit, compile);
    this.#compiling -= 1;
    const { functions } = this.unit;
    for (; this.#noted < functions.length; this.#noted += 1) this.#follower.compiled(functions[this.#noted]!);
    this.#install();
  }

  /** What is compiled meanwhile has its turn after it. */
  #install(): void {
    if (!this.#isStarted || this.#isInstalling || this.#compiling > 0) return;
    const { unit } = this;
    const { functions, classes, instructions, names, seeds } = unit;
    this.#isInstalling = true;
    while (functions.length + classes.length + instructions.length + names.length + seeds.length > 0) {
      this.#noted = 0;
      const before = switchWork(unit.work);
      this.#follower.install(unit, {
        functions: functions.splice(0),
        classes: classes.splice(0),
        instructions: instructions.splice(0),
        names: names.splice(0),
        seeds: seeds.splice(0),
      });
      switchWork(before);
    }
    this.#isInstalling = false;
    unit.uses.length = unit.typeUses.length = 0;
  }
}
