import type { Role } from './caller.js';
import type { Tool } from './tool.js';

/** Pictures that a page may have beside its name in the navigation. */
export const VIEW_ICONS = [
  'application',
  'folder',
  'key',
  'list',
  'log',
  'login',
  'mail',
  'people',
  'person',
  'star',
  'workspace',
] as const;
export type ViewIcon = (typeof VIEW_ICONS)[number];

/** A tool that is called for one row of a list. */
export interface RowAction<Name extends string = string, Column extends string = string> {
  readonly tool: Name;
  /** On the button: `Revoke`. */
  readonly label: string;
  /**
   * Arguments that the row supplies: argument to column. The action is hidden where such a column is null. A form asks for
   * the other arguments, filled from columns of their names.
   */
  readonly with: Readonly<Record<string, Column>>;
  /** A column: the action is hidden where it has a value (a time, true). */
  readonly unless?: Column;
  /** On the button where the row is the caller, of a tool that callers may use on themselves (`unlessSelf`): `Leave`. */
  readonly own_label?: string;
}

/**
 * A page of the dashboard, drawn from tools: a list, a form to create, and actions for each row. A caller sees the parts
 * whose tools they may call. An argument `workspace_id` or `project_id` of the list is what the person chose.
 */
export interface View<
  Name extends string = string,
  List extends string = string,
  Column extends string = string,
> {
  /** Unique in the plugin; part of the address of the page. */
  readonly id: string;
  readonly title: string;
  /** A sentence below the title, for the person who looks: what the page shows. */
  readonly about?: string;
  /** Beside its name in the navigation; default: `list`. */
  readonly icon?: ViewIcon;
  /** True of a page that says nothing to a single owner: it is there where the service has accounts. */
  readonly accounts?: boolean;
  /** The tool that answers the page of rows. */
  readonly list: List;
  /** Fields of a row, in the order of display. Their schemas say how to draw them; addresses in a column `url` or `…_url` are links. */
  readonly columns: readonly Column[];
  readonly create?: Name;
  /** Confirmed by the person before it is called. */
  readonly remove?: RowAction<Name, Column>;
  readonly actions?: ReadonlyArray<RowAction<Name, Column>>;
  /** The list is read again on change events whose types start with one of these: `project.`; without, every ten seconds. */
  readonly refresh_on?: readonly string[];
}

/** A view in a deployment: without the parts whose tools its toolsets or read-only mode leave out. */
export interface ServedView extends View {
  readonly plugin: string;
  /** Least role in the workspace that its list needs; absent where it needs none. */
  readonly role?: Role;
  /** True where its list is for administrators of the deployment alone. */
  readonly administrators?: boolean;
  readonly actions: readonly RowAction[];
  readonly refresh_on: readonly string[];
}

/** A view over these tools: its list is one that answers pages, its columns are fields of that tool's rows. */
export type ViewOf<T extends Tool, List extends Tool = T> =
  List extends Tool<infer Name, infer Column>
    ? [Column] extends [never]
      ? never
      : View<T['name'], Name, Column>
    : never;
