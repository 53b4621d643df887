import type { Class, Func } from '../declarations.js';
import type { Node } from '../node.js';
import type { Variable } from '../program.js';
import type { Value } from '../values.js';

/** Result of a member access on one value. */
export type Hit =
  | {
      readonly kind: 'method';
      readonly functions: readonly Func[];
      readonly receiver: Value;
      readonly owner: Class;
      /** The receiver is a class, and the object of the method: one of its metaclass. */
      readonly ofMetaclass?: true;
    }
  /** A field, or a name of a module. `declares`: functions and classes that the name itself declares. */
  | {
      readonly kind: 'node';
      readonly node: Node;
      readonly variable: Variable | undefined;
      readonly inModule: boolean;
      /** Functions are methods of it. */
      readonly receiver?: Value | undefined;
      /** A member of a class, read on this: descriptors run. */
      readonly object?: Value | undefined;
    }
  | { readonly kind: 'accessor'; readonly function: Func; readonly receiver: Value }
  /** A function that answers for a name which the value lacks. */
  | {
      readonly kind: 'answer';
      readonly found: readonly Hit[];
      readonly name: string;
      readonly value: Value;
      /** It is called in place of the member, with its name and arguments. */
      readonly runs?: true;
    }
  | { readonly kind: 'value'; readonly value: Value };
