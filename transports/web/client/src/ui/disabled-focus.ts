/**
 * Gives the focus back to a button that was disabled while its call ran. Browsers take it away, and the keyboard would
 * begin again at the top of the page. Stays for as long as the page.
 */
export function keepDisabledFocus(): void {
  let waiting: Element | undefined;
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (!(target instanceof HTMLElement)) continue;
      const { activeElement: focused } = document;
      const isDisabled = target.matches(':disabled');
      if (isDisabled && target === focused) waiting = target;
      else if (!isDisabled && target === waiting) {
        waiting = undefined;
        if (focused === target || focused?.matches('body, dialog') === true)
          target.focus({ preventScroll: true });
      }
    }
  }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ['disabled'] });
}
