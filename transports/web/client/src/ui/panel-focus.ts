/** What opened a panel: the row that is marked, or the place in a list of findings. */
const OPENERS = ['.beside .opened :is(button, a)', '.beside li [aria-pressed="true"]'];
const PANEL = '.file-panel';
const LISTS = '.beside, .around';
/** Less of a panel is not noticed at the end of a window. */
const SEEN_PX = 100;

/** What opened the panel, where no row is marked. */
let opener: HTMLElement | undefined;

/**
 * Brings a panel that opens into sight: in a narrow window it stands above its list. It gets the focus there, and wherever
 * it was opened by the keyboard, which would have to go through the rest of the list. A field of it that has the focus
 * keeps it. Of a panel that is gone (by the button of the browser for Back), what opened it gets the focus.
 */
export function focusPanel(): void {
  const panel = document.querySelector<HTMLElement>(PANEL);
  const { activeElement: focused } = document;
  if (!panel) focusOpened();
  if (!panel || panel.contains(focused)) return;
  const isOfList = focused instanceof HTMLElement && focused.closest(LISTS) !== null;
  if (focused instanceof HTMLElement && focused !== document.body) opener = focused;
  if (!isOfList && focused !== document.body) return;
  const { top } = panel.getBoundingClientRect();
  const isSeen = top >= 0 && top <= innerHeight - SEEN_PX;
  if (isSeen && isOfList && !focused.matches(':focus-visible')) return;
  panel.focus({ preventScroll: true });
  if (!isSeen) panel.scrollIntoView();
}

/**
 * Gives the focus of a panel, which is about to close, to what opened it, or to the page where that is gone. Browsers would
 * give it to the document, from whose top the keyboard would begin again.
 */
export function focusOpened(): void {
  const { activeElement: focused } = document;
  if (focused !== document.body && !focused?.closest(PANEL)) return;
  const target = openerOf(focused);
  if (target instanceof HTMLElement) target.focus();
  else document.querySelector('main')?.focus({ preventScroll: true });
}

/** Where the keys of a list go on from: inside a panel, from what opened it. */
export function openerOf(focused: Element | null): Element | null {
  if (focused !== document.body && !focused?.closest(PANEL)) return focused;
  const [marked] = OPENERS.flatMap((selector) => document.querySelector<HTMLElement>(selector) ?? []);
  return marked ?? (opener?.isConnected === true ? opener : null);
}
