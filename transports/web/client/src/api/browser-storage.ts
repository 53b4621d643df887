/** All tabs of this browser, or this tab alone. */
type Place = 'localStorage' | 'sessionStorage';

/** A text that the browser keeps; undefined where there is none, or where its storage is blocked. */
export function readStored(place: Place, key: string): string | undefined {
  try {
    return window[place].getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** A value that was kept as JSON; undefined where there is none that can be read. */
export function readStoredValue<T>(place: Place, key: string): T | undefined {
  try {
    return (JSON.parse(readStored(place, key) ?? 'null') as T | null) ?? undefined; // written by this client
  } catch {
    return undefined;
  }
}

/** Lets the browser keep a text, or forget it. False where its storage is blocked or full. */
export function writeStored(place: Place, key: string, text: string | undefined): boolean {
  try {
    if (text === undefined) window[place].removeItem(key);
    else window[place].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
