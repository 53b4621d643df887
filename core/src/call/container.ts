import 'reflect-metadata';
import {
  container as tsyringe,
  instancePerContainerCachingFactory,
  type DependencyContainer,
} from 'tsyringe';
import { endAll } from '../end-all.js';
import type { Admission } from '../caller.js';
import { CallAdmission } from '../services.js';
import type { Collection, Dependency, Token, Uses } from '../token.js';
import { BootError, faultOf } from '../boot/boot-error.js';
import { inOrderOfUse, keyOf, type PluginProvider } from './provider-order.js';

/** A value that the host itself provides. */
export interface Instance {
  readonly target: Token<unknown> | Collection<unknown>;
  readonly value: unknown;
  /** The same as one plugin gets it, where that differs. */
  readonly forPlugin?: (plugin: string) => unknown;
}

/**
 * Builds every service once, eagerly, in order of what each uses, and closes them in reverse. The
 * only file that knows tsyringe: no decorators, symbols as tokens, nothing disposed by it.
 */
export class Container {
  readonly #root: DependencyContainer = tsyringe.createChildContainer();
  readonly #closers: Array<() => unknown> = [];
  readonly #callScoped = new Set<symbol>([CallAdmission.key]);
  readonly #contributors = new Map<unknown, string>();
  readonly #perPlugin = new Map<symbol, (plugin: string) => unknown>();

  static async build(
    instances: readonly Instance[],
    providers: readonly PluginProvider[],
  ): Promise<Container> {
    const container = new Container();
    for (const { target, value, forPlugin } of instances) {
      container.#root.registerInstance(target.key, value);
      if (forPlugin) container.#perPlugin.set(target.key, oncePerPlugin(forPlugin));
    }
    try {
      const given = new Set([CallAdmission.key, ...instances.map(({ target }) => target.key)]);
      for (const provided of inOrderOfUse(given, providers)) await container.#add(provided);
    } catch (error) {
      await container.close();
      throw error;
    }
    return container;
  }

  async #add({ plugin, provider }: PluginProvider): Promise<void> {
    const { target, uses, lifetime } = provider;
    const create = provider.create as (deps: unknown) => unknown; // erasure: `uses` and `create` were typed together
    if (lifetime === 'call') {
      this.#callScoped.add(target.key);
      this.#root.register(target.key, {
        useFactory: instancePerContainerCachingFactory((child) =>
          create(this.#resolveAll(child, uses, plugin)),
        ),
      });
      return;
    }
    const deps = this.#resolveAll(this.#root, uses, plugin);
    const service = await Promise.resolve(deps)
      .then(create)
      .catch((error: unknown) => {
        if (error instanceof Error && error.name === 'BootError') throw error; // a plugin's own has only the name
        throw new BootError(
          `plugin ${plugin}, service ${target.name}`,
          `it fails at start: ${faultOf(error)}`,
          'Correct what it complains of, or take the plugin out of the deployment.',
          error,
        );
      });
    const close = provider.close as ((service: unknown) => unknown) | undefined;
    if (close) this.#closers.unshift(() => close(service));
    if (target.kind === 'service') this.#root.registerInstance(target.key, service);
    else {
      members(this.#root, target).push(service);
      this.#contributors.set(service, plugin);
    }
  }

  /** The plugin that contributed a member of a collection. */
  contributorOf(member: unknown): string {
    return this.#contributors.get(member) ?? 'core';
  }

  /** Is there a provider, for the deployment or for each call? */
  has(target: Token<unknown>): boolean {
    return this.#callScoped.has(target.key) || this.#root.isRegistered(target.key);
  }

  /** Does any of these exist only inside a call? */
  needsCall(uses: Uses): boolean {
    return Object.values(uses).some((dependency) => this.#callScoped.has(keyOf(dependency)));
  }

  /** What `uses` names, as the plugin of that id gets it. */
  resolve(uses: Uses, plugin: string): Readonly<Record<string, unknown>> {
    return this.#resolveAll(this.#root, uses, plugin);
  }

  /** Resolves for one call: call-scoped services are built for it and see its admission. */
  resolveForCall(uses: Uses, plugin: string, admission: Admission): Readonly<Record<string, unknown>> {
    const child = this.#root.createChildContainer();
    child.registerInstance(CallAdmission.key, admission);
    return this.#resolveAll(child, uses, plugin);
  }

  async close(): Promise<void> {
    await endAll(this.#closers.splice(0));
  }

  #resolveAll(container: DependencyContainer, uses: Uses, plugin: string): Readonly<Record<string, unknown>> {
    const resolved: Record<string, unknown> = {};
    for (const name in uses) {
      const dependency = uses[name] as Dependency;
      if (dependency.kind === 'collection') resolved[name] = members(container, dependency);
      else {
        const key = keyOf(dependency);
        const own = this.#perPlugin.get(key);
        const absent = dependency.kind === 'optional' && !container.isRegistered(key, true);
        resolved[name] = own ? own(plugin) : absent ? undefined : container.resolve(key);
      }
    }
    return resolved;
  }
}

function oncePerPlugin(make: (plugin: string) => unknown): (plugin: string) => unknown {
  const made = new Map<string, unknown>();
  return (plugin) => {
    if (!made.has(plugin)) made.set(plugin, make(plugin));
    return made.get(plugin);
  };
}

function members(container: DependencyContainer, target: Collection<unknown>): unknown[] {
  if (!container.isRegistered(target.key, true)) container.registerInstance(target.key, []);
  return container.resolve<unknown[]>(target.key);
}
