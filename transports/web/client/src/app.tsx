import { Suspense } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { NotFound } from './pages/not-found.js';
import { PAGES, VIEW_PAGE } from './pages.js';
import { Shell } from './shell/shell.js';
import { PageBoundary } from './ui/boundary.js';
import { Skeleton } from './ui/states.js';

export function App() {
  const [location] = useLocation();
  return (
    <Shell>
      <PageBoundary key={location.split('/')[1]}>
        <Suspense fallback={<Skeleton lines={8} />}>
          <Switch>
            {PAGES.map(({ path, component }) => (
              <Route key={path} path={path === '/' ? path : `${path}/*?`} component={component} />
            ))}
            <Route path="/views/:plugin/:id" component={VIEW_PAGE} />
            <Route component={NotFound} />
          </Switch>
        </Suspense>
      </PageBoundary>
    </Shell>
  );
}
