import type { LanguageRules } from '../language-rules.js';

/** For languages without rules of their own: imports name nothing in the project. */
export const neutral: LanguageRules = {
  modules: () => ({ find: ({ module }) => ({ kind: 'external', module }) }),
};
