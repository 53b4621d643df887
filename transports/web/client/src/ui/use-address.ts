import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

export type Values = Readonly<Record<string, string>>;

/** The address of a page: reads a value, and sets some. An empty value leaves the address. */
export interface Address {
  readonly get: (name: string) => string;
  /** `push`: the back button undoes it. Otherwise the address is replaced. */
  readonly set: (values: Values, how?: 'push' | 'replace') => void;
}

/** Values in the address, so that a page can be linked to. */
export function useAddress(): readonly [Address['get'], Address['set']] {
  const [parameters, setParameters] = useSearchParams();
  const get = useCallback((name: string) => parameters.get(name) ?? '', [parameters]);
  const set = useCallback(
    (values: Values, how: 'push' | 'replace' = 'replace') =>
      setParameters(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(values))
            if (value === '') next.delete(name);
            else next.set(name, value);
          return next;
        },
        { replace: how === 'replace' },
      ),
    [setParameters],
  );
  return [get, set];
}
