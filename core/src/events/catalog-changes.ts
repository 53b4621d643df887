import { expandTemplate, variablesOf } from '../call/uri-template.js';
import type { CatalogChange } from '../catalog.js';
import type { Plugin } from '../plugin.js';
import type { ChangeEvent } from '../change-events.js';
import type { Log } from '../log.js';
import type { EventFeed } from './event-feed.js';
import { TOOLS_CHANGED } from './event-types.js';
import { changedResources } from './resource-changes.js';

const AGAIN_MS = 1000;
const LISTS = ['tools', 'resources', 'prompts'] as const;

/** Makes `Catalog.onChanged` of the change events. It reads them only while somebody listens. */
export function createOnChanged(plugins: readonly Plugin[], feed: EventFeed, log: Log) {
  const changedBy = changedResources(plugins);
  const listeners = new Set<(change: CatalogChange) => void>();
  let reading: AbortController | undefined;

  const changesOf = (event: ChangeEvent): CatalogChange[] => {
    if (event.type === TOOLS_CHANGED.type) return LISTS.map((kind) => ({ kind }));
    return changedBy(event).flatMap(({ template, variables }) =>
      variablesOf(template).every((name) => variables[name] !== undefined)
        ? [{ kind: 'resource', uri: expandTemplate(template, variables) }]
        : [],
    );
  };

  async function run({ signal }: AbortController): Promise<void> {
    let after: string | undefined;
    while (!signal.aborted) {
      try {
        for await (const item of feed.read(after, signal)) {
          after = item.kind === 'event' ? item.event.id : item.id;
          const changes = item.kind === 'event' ? changesOf(item.event) : [];
          for (const change of changes) for (const listener of listeners) listener(change);
        }
      } catch (err) {
        if (feed.stopped) return;
        log.warn({ err }, 'changes of the catalog are not told for a moment');
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS).unref());
      }
    }
  }

  return (listener: (change: CatalogChange) => void): (() => void) => {
    listeners.add(listener);
    if (!reading) {
      reading = new AbortController();
      void run(reading);
    }
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      reading?.abort();
      reading = undefined;
    };
  };
}
