import type { FuncKeywordDefinition } from 'ajv';
import type { DayMeans } from '../schemas.js';

const DAY = /^\d{4}-\d\d-\d\d$/;
const DAY_MS = 24 * 60 * 60 * 1000;
const AFTER_START_MS: Record<DayMeans, number> = {
  first: 0,
  within: DAY_MS - 2,
  last: DAY_MS - 1,
  next: DAY_MS,
};

/** Puts the time that a plain day means in its place, before its format is checked. Leaves all else. */
export const dayKeyword: FuncKeywordDefinition = {
  keyword: 'x-day',
  type: 'string',
  schemaType: 'string',
  before: 'format',
  modifying: true,
  errors: false,
  validate(means: DayMeans, text: string, _schema, context) {
    if (context && DAY.test(text)) {
      const start = new Date(`${text}T00:00:00Z`);
      // 30 February reads as 2 March.
      if (!Number.isNaN(start.getTime()) && start.toISOString().startsWith(text))
        (context.parentData as Record<string, unknown>)[context.parentDataProperty] = new Date(
          start.getTime() + AFTER_START_MS[means],
        ).toISOString();
    }
    return true;
  },
};
