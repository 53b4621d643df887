/** A typed name for one service. `T` exists for the compiler alone. */
export interface Token<T> {
  readonly kind: 'service';
  readonly name: string;
  readonly key: symbol;
  readonly type?: T;
}

/** A token whose absence is not an error: resolves to `undefined` where no plugin provides it. */
export interface OptionalToken<T> {
  readonly kind: 'optional';
  readonly token: Token<T>;
}

/** A typed name for a collection that several plugins add to; resolves to an array in order of the plugins. */
export interface Collection<T> {
  readonly kind: 'collection';
  readonly name: string;
  readonly key: symbol;
  readonly type?: T;
}

export type Dependency = Token<unknown> | OptionalToken<unknown> | Collection<unknown>;

/** Dependencies of a tool, service or worker: `{ files: FileStore, graph: optional(Graph) }`. */
export type Uses = Readonly<Record<string, Dependency>>;

/** The objects behind `Uses`. */
export type Resolved<U extends Uses> = {
  readonly [K in keyof U]: U[K] extends Token<infer T>
    ? T
    : U[K] extends OptionalToken<infer T>
      ? T | undefined
      : U[K] extends Collection<infer T>
        ? readonly T[]
        : never;
};

/** Declares a service's name: `export const FileStore = token<FileStore>('workspaces.FileStore')`. */
export function token<T>(name: string): Token<T> {
  return { kind: 'service', name, key: Symbol.for(`service-mcp:${name}`) };
}

export function optional<T>(wanted: Token<T>): OptionalToken<T> {
  return { kind: 'optional', token: wanted };
}

/** Declares a collection that other plugins may `contribute` to. */
export function collect<T>(name: string): Collection<T> {
  return { kind: 'collection', name, key: Symbol.for(`service-mcp:${name}`) };
}

/** The definition of a service. Made by {@link provide}, {@link provideForCall} or {@link contribute}. */
export interface Provider {
  readonly target: Token<unknown> | Collection<unknown>;
  /** `service`: built once at boot, closed at stop. `call`: built for the first use in each call. */
  readonly lifetime: 'service' | 'call';
  readonly uses: Uses;
  readonly create: (deps: never) => unknown;
  readonly close?: (service: never) => unknown;
}

interface ServiceDefinition<T, U extends Uses> {
  uses: U;
  create(deps: Resolved<U>): T | Promise<T>;
  /** Called at stop, in reverse order of creation. */
  close?(service: T): void | Promise<void>;
}

/** A service built once, eagerly at boot, after everything it uses. */
export function provide<T, const U extends Uses>(
  target: Token<T>,
  definition: ServiceDefinition<NoInfer<T>, U>,
): Provider {
  return { target, lifetime: 'service', ...definition };
}

/**
 * A service built for each call that uses it, synchronously, and dropped with the call. Only
 * these may use `CallAdmission`, and so only these are confined to the admission of the caller.
 */
export function provideForCall<T, const U extends Uses>(
  target: Token<T>,
  definition: { uses: U; create(deps: Resolved<U>): NoInfer<T> },
): Provider {
  return { target, lifetime: 'call', ...definition };
}

/** Adds one member to a collection that another plugin declared. */
export function contribute<T, const U extends Uses>(
  target: Collection<T>,
  definition: ServiceDefinition<NoInfer<T>, U>,
): Provider {
  return { target, lifetime: 'service', ...definition };
}
