/**
 * The faults of the page that is shown, for sighted readers and for screen readers. Runs in the browser, so it stands alone:
 * WCAG 2.2, 1.4.3 (contrast), 1.4.10 (reflow), 2.4.2 (title), 2.5.8 (targets), 3.1.1 (language), 3.3.2 (labels).
 */
export function faultsOf(): string[] {
  const faults: string[] = [];
  const visible = (element: Element) => element.getClientRects().length > 0;
  const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].filter(visible);

  if (document.documentElement.lang !== 'en') faults.push('the page has no language');
  if (document.title === '') faults.push('the page has no title');
  if (all('h1').length !== 1) faults.push(`${all('h1').length} headings of the first level`);
  if (all('main').length !== 1) faults.push('no main part');
  if (document.documentElement.scrollWidth > window.innerWidth) faults.push('it scrolls sideways');
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  if (new Set(ids).size !== ids.length) faults.push(`ids are used twice: ${ids.join(' ')}`);

  for (const input of all('input') as HTMLInputElement[]) {
    if (!input.labels?.[0]?.textContent) faults.push(`the field ${input.name} has no label`);
    if (input.autocomplete === '') faults.push(`the field ${input.name} does not say what it is for`);
    const described = input.getAttribute('aria-describedby');
    if (described !== null && !document.getElementById(described)) faults.push(`${described} is not there`);
    if (input.getAttribute('aria-invalid') === 'true' && described === null)
      faults.push(`nothing says what is wrong with ${input.name}`);
  }
  for (const target of all('button, input, main li a, header a')) {
    const { width, height } = target.getBoundingClientRect();
    const isInText = target.matches('.link');
    if (!isInText && (width < 24 || height < 24)) faults.push(`${target.textContent} is small to hit`);
  }

  const channels = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const brightness = (colour: readonly number[]) => {
    const [red = 0, green = 0, blue = 0] = colour.map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const groundOf = (element: Element | null): number[] => {
    for (let at = element; at; at = at.parentElement) {
      const colour = channels(getComputedStyle(at).backgroundColor);
      if ((colour[3] ?? 1) > 0) return colour;
    }
    return [255, 255, 255];
  };
  for (const element of all('body *')) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
    if (!hasText && element.tagName !== 'INPUT') continue;
    const ink = brightness(channels(getComputedStyle(element).color));
    const ground = brightness(groundOf(element));
    const contrast = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
    if (contrast < 4.5)
      faults.push(`"${element.textContent?.trim()}" has a contrast of ${contrast.toFixed(2)}`);
  }
  return faults;
}
