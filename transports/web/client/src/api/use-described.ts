import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { send, type Answer } from './call.js';
import { ofChange, type Failure } from './failure.js';
import type { DescribedTool } from './tool-table.js';
import { useRun } from './use-run.js';
import { refresh } from './use-tool.js';

type Input = Readonly<Record<string, unknown>>;

const POLL_MS = 10_000;

/**
 * The result of a tool that reads, of any plugin; as `useTool`, with a schema in the place of types. `polled`: events do
 * not tell of its changes, so that it is asked again and again while the tab is shown. It is idle until `enabled`.
 */
export function useDescribed(tool: DescribedTool, input: Input, { polled = false, enabled = true } = {}) {
  return useQuery<unknown, Failure>({
    queryKey: [tool.name, input],
    queryFn: async ({ signal }) => (await send(tool.route, input, signal)).result,
    placeholderData: keepPreviousData,
    enabled,
    ...(polled && { refetchInterval: ({ state: { error } }) => error === null && POLL_MS }),
  });
}

interface TimedAnswer extends Answer {
  /** From the request to the answer, in milliseconds. */
  readonly tookMs: number;
}

/** A call of any tool; what it changed is read again. `atOnce`: it is over with its answer, before that was read. */
export function useDescribedAction(tool: DescribedTool, { atOnce = false } = {}) {
  const client = useQueryClient();
  const action = useMutation<TimedAnswer, Failure, Input>({
    mutationFn: async (input) => {
      const start = performance.now();
      const answer = await send(tool.route, input).catch(tool.effect === 'read' ? undefined : ofChange);
      return { ...answer, tookMs: Math.round(performance.now() - start) };
    },
    onSuccess: async () => {
      if (tool.effect === 'read') return;
      const own = tool.name.slice(0, tool.name.indexOf('_') + 1);
      // Who leaves a workspace does not see it any longer.
      const reading = refresh(client, tool.unlessSelf === undefined ? [own] : [own, 'workspaces_']);
      if (!atOnce) await reading;
    },
  });
  return { ...action, run: useRun(action) };
}
