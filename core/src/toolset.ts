/**
 * The effect of a tool on the world. Gives the four MCP hints, and read-only mode keeps `read` alone. `write` is for a tool
 * whose arguments say which of the other three it does.
 */
export const EFFECTS = ['read', 'create', 'update', 'delete', 'write'] as const;
export type Effect = (typeof EFFECTS)[number];

/** From which level on a tool is listed: `light` ⊂ `standard` ⊂ `complete`. */
export const LEVELS = ['light', 'standard', 'complete'] as const;
export type Level = (typeof LEVELS)[number];

/** A level, or none: an `optional` tool is listed only where a request or the deployment names its toolset or itself. */
export type ListedFrom = Level | 'optional';

/** Which tools a request asks to see: a level, or a list of toolset and tool names. */
export interface Selection {
  readonly toolsets: readonly string[];
  readonly readOnly: boolean;
}

/** The fields of a tool that a selection needs. */
export interface Selectable {
  readonly name: string;
  readonly level: ListedFrom;
  readonly effect: Effect;
  /** The id of the toolset that its plugin lists it in. */
  readonly toolset: string;
}

/** Is the tool in the selection? A level names every tool up to it; any other word a toolset or a tool. */
export function selects(selection: Selection, tool: Selectable): boolean {
  if (selection.readOnly && tool.effect !== 'read') return false;
  return selection.toolsets.some((wanted) =>
    isLevel(wanted)
      ? isLevel(tool.level) && LEVELS.indexOf(tool.level) <= LEVELS.indexOf(wanted)
      : wanted === tool.toolset || wanted === tool.name,
  );
}

export function isLevel(word: string): word is Level {
  return (LEVELS as readonly string[]).includes(word);
}
