/** A change event as a stream told it. */
export interface ToldEvent {
  readonly type: string;
  /** The record that it is about. */
  readonly id: string;
}

/** Opens a stream of change events; resolves once the service has opened it. */
export async function readStream(url: string, workspaceId: string) {
  const leaving = new AbortController();
  const told: ToldEvent[] = [];
  const response = await fetch(`${url}/api/v1/stream?workspace_id=${workspaceId}`, {
    signal: leaving.signal,
  });
  if (!response.ok || !response.body) throw new Error(`the stream answered ${response.status}`);
  let opened: () => void = () => undefined;
  const isOpen = new Promise<void>((resolve) => (opened = resolve));
  const reading = (async () => {
    let text = '';
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (text + part).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const type = /^event: (.*)$/m.exec(block)?.[1] ?? '';
        if (type === 'stream.opened') opened();
        if (!type.startsWith('memory.')) continue;
        const { data } = JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '') as { data: { id: string } };
        told.push({ type, id: data.id });
      }
    }
  })();
  const ended = reading.catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error;
  });
  await Promise.race([isOpen, ended]);
  return {
    told,
    /** Rejects where the stream ended by itself. */
    async leave(): Promise<void> {
      leaving.abort();
      await ended;
    },
  };
}
