import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { send, type Answer } from './call.js';
import type { Failure } from './failure.js';
import type { DescribedTool } from './tool-table.js';
import { refresh } from './use-tool.js';

type Input = Readonly<Record<string, unknown>>;

/** The result of a tool that reads, of any plugin; as `useTool`, with a schema in the place of types. */
export function useDescribed(tool: DescribedTool, input: Input) {
  return useQuery<unknown, Failure>({
    queryKey: [tool.name, input],
    queryFn: async ({ signal }) => (await send(tool.route, input, signal)).result,
    placeholderData: keepPreviousData,
  });
}

/** A call of any tool; what it changed is read again. */
export function useDescribedAction(tool: DescribedTool) {
  const client = useQueryClient();
  return useMutation<Answer, Failure, Input>({
    mutationFn: (input) => send(tool.route, input),
    onSuccess: async () => {
      if (tool.effect !== 'read') await refresh(client, [tool.name.slice(0, tool.name.indexOf('_') + 1)]);
    },
  });
}
