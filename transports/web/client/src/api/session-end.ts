import { useEffect, useState } from 'react';
import { signIn } from './deployment.js';

const dialogs = new Set<() => void>();

/** Leads to the sign-in, unless a dialog is open, which would lose what is typed into it: it tells the person then. */
export function endSession(): void {
  if (dialogs.size === 0) signIn();
  for (const tell of dialogs) tell();
}

/** For an open dialog: whether the session has ended since it was opened. */
export function useSessionEnd(): boolean {
  const [hasEnded, setEnded] = useState(false);
  useEffect(() => {
    const tell = () => setEnded(true);
    dialogs.add(tell);
    return () => {
      dialogs.delete(tell);
    };
  }, []);
  return hasEnded;
}
