/** What opened a panel: the row that is marked, or the place in a list of findings. */
const OPENERS = ['.beside .opened :is(button, a)', '.beside li [aria-pressed="true"]'];

/**
 * Gives the focus of a panel, which is about to close, to what opened it, or to the page where that is gone. Browsers would
 * give it to the document, from whose top the keyboard would begin again.
 */
export function focusOpened(): void {
  const { activeElement: focused } = document;
  if (focused !== document.body && !focused?.closest('.file-panel')) return;
  const [opener] = OPENERS.flatMap((selector) => document.querySelector<HTMLElement>(selector) ?? []);
  if (opener) opener.focus();
  else document.querySelector('main')?.focus({ preventScroll: true });
}
