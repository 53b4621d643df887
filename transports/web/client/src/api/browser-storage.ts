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
