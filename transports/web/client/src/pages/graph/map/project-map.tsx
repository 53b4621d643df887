import { useMemo, useState } from 'react';
import { useTool } from '../../../api/use-tool.js';
import { count, counted } from '../../../ui/format.js';
import { Loaded } from '../../../ui/states.js';
import type { ViewProps } from '../graph.js';
import { MapCanvas } from './map-canvas.js';
import { MapList } from './map-list.js';
import { sceneOf, type Overview } from './scene.js';

/** As many as the service gives of one project. */
export const MAX_NODES = 5_000;

/** A project by area: folders and their files, drawn where the service put them, beside a list that holds the same. */
export function ProjectMap({ projectId, get, set }: ViewProps) {
  const areas = useTool('graph_overview', { project_id: projectId, limit: MAX_NODES });
  const files = useTool('graph_overview', { project_id: projectId, level: 'module', limit: MAX_NODES });
  return (
    <Loaded query={areas} lines={12}>
      {(data) => <Map areas={data} files={files.data} get={get} set={set} />}
    </Loaded>
  );
}

function Map({
  areas,
  files,
  get,
  set,
}: {
  readonly areas: Overview;
  /** Not there yet: the list of areas does not wait for it. */
  readonly files: Overview | undefined;
} & Omit<ViewProps, 'projectId'>) {
  const scene = useMemo(() => sceneOf(areas, files), [areas, files]);
  const [active, setActive] = useState('');
  const area = areas.nodes.some(({ id }) => id === get('area')) ? get('area') : '';
  const openArea = (id: string) => set({ area: id, page: '' }, 'push');
  const openFile = (id: string) => set({ symbol: id, view: '', area: '', page: '' }, 'push');
  const { totals } = areas;
  const isPart = files !== undefined && files.totals.nodes > files.nodes.length;
  return (
    <>
      <p className="found muted">
        {counted(totals.nodes, 'area')}, {counted(totals.files, 'file')}, {counted(totals.symbols, 'symbol')}
        {isPart && `: the ${count(files.nodes.length)} files with the most symbols are drawn`}
      </p>
      <div className="around map-around">
        <MapList
          areas={areas}
          files={files}
          area={area}
          page={Number(get('page')) || 1}
          active={active}
          onActive={setActive}
          onArea={openArea}
          onFile={openFile}
          onPage={(page) => set({ page: String(page) })}
        />
        <MapCanvas
          scene={scene}
          active={active}
          area={area}
          onActive={setActive}
          onOpen={({ id, area: inside }) => (id === inside ? openArea(id) : openFile(id))}
        />
      </div>
    </>
  );
}
