import { FilePanel } from '../../ui/file-panel.js';
import { placeOf } from './symbols.js';

/** The code of a place such as `src/store.ts:12` or, with its last line, `src/store.ts:12-20`; nothing without a line. */
export function PlacePanel({
  projectId,
  place,
  onClose,
}: {
  readonly projectId: string;
  readonly place: string;
  readonly onClose: () => void;
}) {
  const { path, hit } = placeOf(place);
  return hit && <FilePanel projectId={projectId} path={path} hit={hit} onClose={onClose} />;
}
