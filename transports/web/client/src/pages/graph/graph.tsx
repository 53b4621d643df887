import type { ComponentType } from 'react';
import { Page } from '../../shell/page.js';
import { IndexState } from '../../ui/index-state.js';
import { NoProject, ProjectSelect, useProject } from '../../ui/project-choice.js';
import { Empty, Loaded } from '../../ui/states.js';
import { useAddress, type Address } from '../../ui/use-address.js';
import { NotFound } from '../not-found.js';
import { CallPaths } from './call-paths.js';
import { Cycles } from './cycles.js';
import { Impact } from './impact.js';
import { ProjectMap } from './map/project-map.js';
import { Neighbours } from './neighbours.js';
import { NoGraph } from './no-graph.js';
import { SymbolField } from './symbol-field.js';
import { Unused } from './unused.js';

/** What a view needs: the project, and the address with the symbol and the choices of the view. */
export type ViewProps = { readonly projectId: string } & Address;

interface View {
  readonly id: string;
  readonly label: string;
  readonly component: ComponentType<ViewProps>;
  /** It is about the whole project, not about a symbol. */
  readonly isWhole?: boolean;
}

const VIEWS: readonly View[] = [
  { id: 'map', label: 'Map', component: ProjectMap, isWhole: true },
  { id: 'neighbours', label: 'Neighbours', component: Neighbours },
  { id: 'impact', label: 'Impact', component: Impact },
  { id: 'paths', label: 'Call paths', component: CallPaths },
  { id: 'cycles', label: 'Cycles', component: Cycles, isWhole: true },
  { id: 'unused', label: 'Unused', component: Unused, isWhole: true },
];

/** Choices inside a view, which another symbol or view does not keep. */
const NO_CHOICES = {
  at: '',
  limit: '',
  area: '',
  steps: '',
  to: '',
  page: '',
  level: '',
  folder: '',
};

/** What code uses, what uses it and what a change affects, from a symbol outwards. Everything is in the address. */
export function Graph() {
  const [get, set] = useAddress();
  const { query, projects, project } = useProject(get, set);
  const symbol = get('symbol');
  const standard = symbol === '' ? 'map' : 'neighbours';
  const view = VIEWS.find(({ id }) => id === (get('view') || standard));
  if (!view) return <NotFound />;
  const View = view.component;
  return (
    <Page
      title="Graph"
      wide
      about="Dependencies of code in both directions, and the impact of a change."
      actions={
        projects.length > 0 && (
          <div className="filters">
            {project && <IndexState state={project.indexing_status} />}
            <ProjectSelect
              project={project}
              projects={projects}
              onChange={(id) => set({ ...NO_CHOICES, project: id, symbol: '' }, 'push')}
            />
          </div>
        )
      }
    >
      <Loaded query={query} lines={8}>
        {() =>
          project === undefined ? (
            <NoProject isOther={projects.length > 0} />
          ) : (
            <>
              <SymbolField
                key={project.id}
                projectId={project.id}
                label="Name of a function, type or file"
                autoFocus={symbol === ''}
                onChoose={({ id }) =>
                  set({ ...NO_CHOICES, symbol: id, view: view.isWhole ? '' : get('view') }, 'push')
                }
              />
              <NoGraph projectId={project.id}>
                <div className="segments views" role="group" aria-label="View">
                  {VIEWS.map(({ id, label }) => (
                    <button
                      key={id}
                      type="button"
                      aria-pressed={id === view.id}
                      onClick={() => set({ ...NO_CHOICES, view: id }, 'push')}
                    >
                      {label}
                    </button>
                  ))}
                </div>
                {symbol !== '' || view.isWhole ? (
                  <View projectId={project.id} get={get} set={set} />
                ) : (
                  <Empty title="Start with a name">
                    <p>Type the name of a function, type or file, or choose one on the map.</p>
                  </Empty>
                )}
              </NoGraph>
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
