import type { UseQueryResult } from '@tanstack/react-query';
import { useRef, type ReactNode } from 'react';
import type { Failure } from '../../api/failure.js';
import { counted } from '../../ui/format.js';
import { Pager } from '../../ui/pager.js';
import { Loaded } from '../../ui/states.js';
import { useListKeys } from '../../ui/use-list-keys.js';
import type { ViewProps } from './graph.js';
import { PlacePanel } from './place-panel.js';

/** A page of findings about the whole project; the code of the one that is chosen opens beside it. */
export function PlaceList<Page extends { readonly total: number }>({
  view: { projectId, get, set },
  query,
  pageSize,
  label,
  className,
  keys,
  noun,
  children,
}: {
  readonly view: ViewProps;
  readonly query: UseQueryResult<Page, Failure>;
  readonly pageSize: number;
  readonly label: string;
  readonly className: string;
  /** Selector of what the keys of lists go through. */
  readonly keys: string;
  /** What is listed, in the singular. */
  readonly noun: string;
  readonly children: (page: Page) => ReactNode;
}) {
  const place = get('at');
  const list = useRef<HTMLElement>(null);
  useListKeys(list, keys);
  return (
    <div className={place === '' ? 'beside' : 'beside open'}>
      <section className={className} aria-label={label} ref={list}>
        <Loaded query={query} lines={10}>
          {(page) => (
            <>
              {children(page)}
              <Pager
                page={pageOf(get)}
                pages={Math.ceil(page.total / pageSize)}
                about={counted(page.total, noun)}
                onPage={(next) => set({ page: String(next), at: '' })}
              />
            </>
          )}
        </Loaded>
      </section>
      <PlacePanel projectId={projectId} place={place} onClose={() => set({ at: '' })} />
    </div>
  );
}

/** The page of the address. */
export function pageOf(get: ViewProps['get']): number {
  return Number(get('page')) || 1;
}
