import { LEVELS, type Effect, type Level, type ListedFrom } from './tool.js';

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
