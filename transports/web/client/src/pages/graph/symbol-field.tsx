import { useState } from 'react';
import { useTool } from '../../api/use-tool.js';
import { FindField, MAX_SUGGESTIONS } from '../../ui/find-field.js';
import { kindName, symbolName, type GraphSymbol } from './symbols.js';

/** Finds a symbol as one types its name. */
export function SymbolField({
  projectId,
  ...field
}: {
  readonly projectId: string;
  readonly label: string;
  readonly autoFocus?: boolean;
  readonly onChoose: (symbol: GraphSymbol) => void;
}) {
  const [query, setQuery] = useState('');
  const { data, error } = useTool(
    'graph_symbols',
    { project_id: projectId, query, per_page: MAX_SUGGESTIONS },
    { enabled: query !== '' },
  );
  return (
    <FindField
      listLabel="Symbols"
      none="Nothing in this project is called so"
      query={query}
      onQuery={setQuery}
      items={data?.items}
      total={data?.total ?? 0}
      error={error}
      {...field}
    >
      {(symbol) => (
        <>
          <b className="mono">{symbolName(symbol)}</b>
          <span className="badge">{kindName(symbol.kind)}</span>
          {symbol.kind !== 'module' && <span className="path">{symbol.path}</span>}
        </>
      )}
    </FindField>
  );
}
