import './styles/index.css';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { APP } from './api/deployment.js';
import { Failure, isPassing } from './api/failure.js';
import { endSession } from './api/session-end.js';
import { LiveUpdates } from './api/use-live.js';
import { App } from './app.js';
import { WorkspaceChoice } from './shell/workspace.js';
import { RootBoundary } from './ui/boundary.js';
import { keepDisabledFocus } from './ui/disabled-focus.js';

const client = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof Failure && error.status === 401) endSession();
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000, // events say earlier what has changed
      retry: (failures, error) => isPassing(error) && failures < 3,
      refetchOnWindowFocus: false,
      networkMode: 'always', // a service on this machine answers without a network
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
});

const root = document.querySelector('#root');
if (root) {
  keepDisabledFocus();
  createRoot(root).render(
    <StrictMode>
      <RootBoundary>
        <QueryClientProvider client={client}>
          <LiveUpdates>
            <Router base={APP.pathname.replace(/\/$/, '')}>
              <WorkspaceChoice>
                <App />
              </WorkspaceChoice>
            </Router>
          </LiveUpdates>
        </QueryClientProvider>
      </RootBoundary>
    </StrictMode>,
  );
}
