import { Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { NotFound } from './pages/not-found.js';
import { PAGES, VIEW_PAGE } from './pages.js';
import { Shell } from './shell/shell.js';
import { Skeleton } from './ui/states.js';

export function App() {
  return (
    <Shell>
      <Suspense fallback={<Skeleton lines={8} />}>
        <Switch>
          {PAGES.map(({ path, component }) => (
            <Route key={path} path={path === '/' ? path : `${path}/*?`} component={component} />
          ))}
          <Route path="/views/:plugin/:id" component={VIEW_PAGE} />
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </Shell>
  );
}
