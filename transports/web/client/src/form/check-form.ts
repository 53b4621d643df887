import { useEffect, type RefObject } from 'react';
import type { Arguments } from './values.js';

/** What marks a control with the JSON Pointer of its argument. */
export const POINTER = 'data-pointer';
const CONTROLS = 'input, select, textarea, button';

/**
 * What is wrong in a form, by JSON Pointer: `issues` of its values, and the controls whose text a browser cannot read,
 * such as a date without a time. Their value is empty, so that they would be left out.
 */
export function issuesOf(form: HTMLFormElement | null, { issues }: Arguments): ReadonlyMap<string, string> {
  const all = new Map(issues);
  for (const control of form?.querySelectorAll('input') ?? []) {
    if (!control.validity.badInput) continue;
    const message = control.type === 'number' ? 'must be a number' : 'must be a whole date and time';
    all.set(control.getAttribute(POINTER) ?? '', message);
  }
  return all;
}

/** Leads to the first control with an issue, or the first one of a group that has one itself. */
export function useInvalidFocus(
  form: RefObject<HTMLFormElement | null>,
  issues: ReadonlyMap<string, string>,
): void {
  useEffect(() => {
    if (issues.size === 0) return;
    const found = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], fieldset[data-invalid]');
    const control = found?.matches('fieldset') ? found.querySelector<HTMLElement>(CONTROLS) : found;
    control?.focus();
  }, [form, issues]);
}
