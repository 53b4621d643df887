import { Type } from 'typebox';
import type { EventType, Plugin } from '../plugin.js';
import { closed } from '../schemas.js';
import type { Events } from '../change-events.js';

/** Recorded by core. */
export const TOOLS_CHANGED: EventType = {
  type: 'tools.changed',
  description: 'The deployment was started with other tools: list them again.',
  scope: 'authenticated',
  data: Type.Object({}, closed),
  shared: true,
};

export const CORE_EVENTS: readonly EventType[] = [TOOLS_CHANGED];

/** The kinds of change event of a deployment. */
export function eventTypesOf(plugins: readonly Plugin[]): readonly EventType[] {
  return [...CORE_EVENTS, ...plugins.flatMap(({ events }) => events)];
}

/** The events of the deployment as one plugin gets them: it records no type that it has not declared. */
export function eventsOf(plugins: readonly Plugin[], events: Events, plugin: string): Events {
  const all = [{ id: 'core', events: CORE_EVENTS }, ...plugins];
  const owners = new Map(all.flatMap((owner) => owner.events.map((event) => [event.type, { owner, event }])));
  const refuse = (type: string): void => {
    const found = owners.get(type);
    if (found && (found.owner.id === plugin || found.event.shared)) return;
    throw new Error(
      `plugin ${plugin} records the event "${type}", which ${found ? `plugin ${found.owner.id} declares` : 'no plugin declares'}: list its own types in \`events\` of definePlugin`,
    );
  };
  return {
    ...events,
    change: (work) =>
      events.change((sql, record) =>
        work(sql, (...recorded) => {
          for (const { type } of recorded) refuse(type);
          record(...recorded);
        }),
      ),
  };
}
