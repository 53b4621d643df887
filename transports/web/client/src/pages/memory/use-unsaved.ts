import { useCallback, useEffect, useState } from 'react';
import { readStoredValue, writeStored } from '../../api/browser-storage.js';

/** Input of a form that is not saved. */
export interface Unsaved<T> {
  readonly value: T;
  /** True: it was typed before the form was opened. */
  readonly isOld: boolean;
  readonly change: (next: (before: T) => T) => void;
  /** Forgets what was typed: it is saved, or given up. Other forms of the name that show it begin again. */
  readonly forget: () => void;
  /** Forgets it, and begins again. */
  readonly restart: () => void;
}

interface Typed<T> {
  readonly value: T;
  readonly isOld: boolean;
}

/** Told of what a form of a key has forgotten. */
const mounted = new Set<(key: string, forgotten: string) => void>();

/**
 * Keeps what is typed into the form of this name for this tab, until it is saved or given up: a reload, a session that
 * ends, the back button and a look at another record lose none of it.
 */
export function useUnsaved<T extends object>(name: string, begin: () => T): Unsaved<T> {
  const key = `memory-unsaved:${name}`;
  const [{ value, isOld }, setTyped] = useState<Typed<T>>(() => {
    const kept = readStoredValue<T>('sessionStorage', key);
    return { value: kept ?? begin(), isOld: kept !== undefined };
  });
  const change = useCallback(
    (next: (before: T) => T) =>
      setTyped((before) => {
        const after = next(before.value);
        write(key, after); // does no harm twice, if React calls this twice
        return { ...before, value: after };
      }),
    [key],
  );
  const forget = useCallback(() => {
    write(key, undefined);
    for (const tell of mounted) tell(key, JSON.stringify(value));
  }, [key, value]);
  useEffect(() => {
    const onForgotten = (of: string, forgotten: string) => {
      if (of !== key) return;
      if (JSON.stringify(value) === forgotten) setTyped({ value: begin(), isOld: false });
      else write(key, value); // more was typed meanwhile
    };
    mounted.add(onForgotten);
    return () => {
      mounted.delete(onForgotten);
    };
  });
  const restart = () => {
    forget();
    setTyped({ value: begin(), isOld: false });
  };
  return { value, isOld, change, forget, restart };
}

/** A browser without storage, or with a full one, keeps it until the form is left. */
function write(key: string, value: object | undefined): void {
  writeStored('sessionStorage', key, value && JSON.stringify(value));
}
