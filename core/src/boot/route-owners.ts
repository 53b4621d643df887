import type { HttpMount } from '../http/index.js';
import type { Plugin } from '../plugin.js';
import { declaredPaths } from '../tool.js';
import { BootError } from './boot-error.js';

/** The owner of each route, so that two owners of one are refused: the first would answer for both. */
export class RouteOwners {
  readonly #router: HttpMount['router'];
  readonly #tools: ReadonlyMap<string, string>;
  readonly #owners = new Map<string, string>();
  #seen = 0;

  constructor(router: HttpMount['router'], plugins: readonly Plugin[]) {
    this.#router = router;
    const tools = plugins.flatMap(({ id, toolsets }) =>
      toolsets.flatMap((toolset) =>
        toolset.tools.map((tool) => ({ ...tool, place: `plugin ${id}, tool "${tool.name}"` })),
      ),
    );
    this.#tools = new Map(
      tools.flatMap(({ http, place }) =>
        (http ? declaredPaths(http) : []).flatMap((path) =>
          ['', '/api'].map((base) => [routeOf(http?.method ?? '', base + path), place] as const),
        ),
      ),
    );
  }

  /** Gives the routes that were mounted since the last call to an owner: a transport mounts those of tools. */
  claim(owner: string): void {
    for (const { methods, path } of this.#router.stack.slice(this.#seen)) {
      for (const method of methods) {
        if (method !== 'HEAD') this.#claim(method, String(path), owner); // HEAD comes with GET
      }
    }
    this.#seen = this.#router.stack.length;
  }

  #claim(method: string, path: string, owner: string): void {
    const route = routeOf(method, path);
    const taken = this.#owners.get(route);
    const tool = this.#tools.get(route);
    this.#owners.set(route, owner);
    // A tool's route is mounted once: where a transport mounts it twice, the other is its own.
    if (taken === undefined || (taken === owner && tool === undefined)) return;
    const [place, holder] =
      tool === undefined ? [owner, taken] : owner.startsWith('transport') ? [tool, taken] : [owner, tool];
    throw new BootError(place, `${method} ${path} is a route of ${holder}`, 'Change the path.');
  }
}

/** A route whatever its parameters are called. */
function routeOf(method: string, path: string): string {
  return `${method} ${path.replaceAll(/:[^/]+/g, ':')}`;
}
