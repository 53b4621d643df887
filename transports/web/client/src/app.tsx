import { Suspense } from 'react';
import { Redirect, Route, Switch, useLocation, useSearchParams } from 'wouter';
import { NotFound } from './pages/not-found.js';
import { PAGES, VIEW_PAGE } from './pages.js';
import { Shell } from './shell/shell.js';
import { useWorkspace } from './shell/workspace.js';
import { PageBoundary } from './ui/boundary.js';
import { Skeleton } from './ui/states.js';

export function App() {
  const [location] = useLocation();
  const { workspace } = useWorkspace();
  return (
    <Shell>
      {/* A page begins again in another workspace, so that no form carries what was typed for the one before. */}
      <PageBoundary key={`${workspace.id}/${location.split('/')[1]}`}>
        <Suspense fallback={<Skeleton lines={8} />}>
          <Switch>
            {PAGES.map(({ path, component }) => (
              <Route key={path} path={path} component={component} />
            ))}
            {PAGES.map(
              ({ path, below }) =>
                below !== undefined && (
                  <Route key={path} path={`${path}/:name`}>
                    {({ name }) => <Below path={path} value={[below, name]} />}
                  </Route>
                ),
            )}
            <Route path="/views/:plugin/:id" component={VIEW_PAGE} />
            <Route component={NotFound} />
          </Switch>
        </Suspense>
      </PageBoundary>
    </Shell>
  );
}

/** Goes on to the address of a page in which a value stands, in place of a name below its path. */
function Below({
  path,
  value: [key, name],
}: {
  readonly path: string;
  readonly value: readonly [key: string, name: string];
}) {
  const [parameters] = useSearchParams();
  const next = new URLSearchParams(parameters);
  next.set(key, name);
  return <Redirect to={`${path}?${next}`} replace />;
}
