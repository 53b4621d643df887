/** Throws later outside of a promise. */
export function throwAlone(): void {
  setTimeout(() => {
    throw new RangeError('thrown by a timer');
  }, 1);
}

/** Rejects later with nobody to catch it, so that the stack names this file of the plugin alone. */
export function leaveAlone(): void {
  setTimeout(() => void Promise.reject(new TypeError('left in a file of the plugin')), 1);
}
