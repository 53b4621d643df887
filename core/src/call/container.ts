import 'reflect-metadata';
import {
  container as tsyringe,
  instancePerContainerCachingFactory,
  type DependencyContainer,
} from 'tsyringe';
import type { Admission } from '../caller.js';
import { CallAdmission } from '../services.js';
import type { Collection, Dependency, Provider, Token, Uses } from '../token.js';
import { BootError } from '../boot/boot-error.js';

/** A value that the host itself provides. */
export interface Instance {
  readonly target: Token<unknown> | Collection<unknown>;
  readonly value: unknown;
}

/**
 * Builds every service once, eagerly, in order of what each uses, and closes them in reverse. The
 * only file that knows tsyringe: no decorators, symbols as tokens, nothing disposed by it.
 */
export class Container {
  readonly #root: DependencyContainer = tsyringe.createChildContainer();
  readonly #closers: Array<() => unknown> = [];
  readonly #callScoped = new Set<symbol>();

  static async build(instances: readonly Instance[], providers: readonly Provider[]): Promise<Container> {
    const container = new Container();
    container.#callScoped.add(CallAdmission.key);
    for (const { target, value } of instances) container.#root.registerInstance(target.key, value);
    try {
      for (const provider of inOrder(instances, providers)) await container.#add(provider);
    } catch (error) {
      await container.close();
      throw error;
    }
    return container;
  }

  async #add(provider: Provider): Promise<void> {
    const { target, uses, lifetime } = provider;
    const create = provider.create as (deps: unknown) => unknown; // erasure: `uses` and `create` were typed together
    if (lifetime === 'call') {
      this.#callScoped.add(target.key);
      this.#root.register(target.key, {
        useFactory: instancePerContainerCachingFactory((child) => create(resolveAll(child, uses))),
      });
      return;
    }
    const service = await create(resolveAll(this.#root, uses));
    const close = provider.close as ((service: unknown) => unknown) | undefined;
    if (close) this.#closers.unshift(() => close(service));
    if (target.kind === 'service') this.#root.registerInstance(target.key, service);
    else members(this.#root, target).push(service);
  }

  /** Is there a provider, for the deployment or for each call? */
  has(target: Token<unknown>): boolean {
    return this.#callScoped.has(target.key) || this.#root.isRegistered(target.key);
  }

  /** Does any of these exist only inside a call? */
  needsCall(uses: Uses): boolean {
    return Object.values(uses).some((dependency) => this.#callScoped.has(keyOf(dependency)));
  }

  resolve(uses: Uses): Readonly<Record<string, unknown>> {
    return resolveAll(this.#root, uses);
  }

  /** Resolves for one call: call-scoped services are built for it and see its admission. */
  resolveForCall(uses: Uses, admission: Admission): Readonly<Record<string, unknown>> {
    const child = this.#root.createChildContainer();
    child.registerInstance(CallAdmission.key, admission);
    return resolveAll(child, uses);
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0)) await close();
  }
}

function keyOf(dependency: Dependency): symbol {
  return dependency.kind === 'optional' ? dependency.token.key : dependency.key;
}

function members(container: DependencyContainer, target: Collection<unknown>): unknown[] {
  if (!container.isRegistered(target.key, true)) container.registerInstance(target.key, []);
  return container.resolve<unknown[]>(target.key);
}

function resolveAll(container: DependencyContainer, uses: Uses): Readonly<Record<string, unknown>> {
  const resolved: Record<string, unknown> = {};
  for (const name in uses) {
    const dependency = uses[name] as Dependency;
    if (dependency.kind === 'collection') resolved[name] = members(container, dependency);
    else {
      const key = keyOf(dependency);
      const absent = dependency.kind === 'optional' && !container.isRegistered(key, true);
      resolved[name] = absent ? undefined : container.resolve(key);
    }
  }
  return resolved;
}

/** Providers so that each comes after what it uses; refuses what is missing, doubled or circular, and prints the path. */
function inOrder(instances: readonly Instance[], providers: readonly Provider[]): Provider[] {
  const makers = new Map<symbol, Provider[]>();
  for (const provider of providers) {
    const made = makers.get(provider.target.key) ?? [];
    if (provider.target.kind === 'service' && made.length > 0) {
      throw new BootError(
        `service ${provider.target.name}`,
        'two plugins provide it',
        'Enable one of them: a service has one provider.',
      );
    }
    makers.set(provider.target.key, [...made, provider]);
  }
  const given = new Set<symbol>([CallAdmission.key, ...instances.map(({ target }) => target.key)]);
  const ordered = new Set<Provider>();
  const visit = (provider: Provider, path: readonly Provider[]): void => {
    if (ordered.has(provider)) return;
    const trail = [...path, provider].map(({ target }) => target.name).join(' → ');
    if (path.includes(provider)) {
      throw new BootError(`service ${provider.target.name}`, `it uses itself: ${trail}`, 'Break the circle.');
    }
    for (const dependency of Object.values(provider.uses)) {
      const needed = makers.get(keyOf(dependency)) ?? [];
      if (dependency.kind === 'service' && needed.length === 0 && !given.has(dependency.key)) {
        throw new BootError(
          `service ${dependency.name}`,
          `nothing provides it (${trail} → ${dependency.name})`,
          'Enable the plugin that provides it in the deployment file.',
        );
      }
      for (const next of needed) {
        if (provider.lifetime === 'service' && next.lifetime === 'call') {
          throw new BootError(
            `service ${provider.target.name}`,
            `it outlives ${next.target.name}, which lives for one call`,
            'Provide it for the call too.',
          );
        }
        visit(next, [...path, provider]);
      }
      if (provider.lifetime === 'service' && keyOf(dependency) === CallAdmission.key) {
        throw new BootError(
          `service ${provider.target.name}`,
          'it uses CallAdmission but is built at boot',
          'Use provideForCall.',
        );
      }
    }
    ordered.add(provider);
  };
  for (const provider of providers) visit(provider, []);
  return [...ordered];
}
