const go = (name: string, ...imports: string[]) =>
  `package ${name}\n\n${imports.map((each) => `import "acme/${each}"\n`).join('')}\nfunc ${name}() int { return 1 }\n`;

/** Versions of the files of a project, by path, for `randomEdits`. */
export const EDITED_TEXTS = {
  'go.mod': ['module acme\n', 'module acme.org/longer\n'],
  'store/store.go': [go('store'), go('store', 'cache'), go('store', 'user', 'cache'), 'package store\n'],
  'cache/cache.go': [go('cache'), go('cache', 'store')],
  'user/user.go': [go('user', 'store'), go('user', 'store', 'cache', 'missing'), 'package {{{'],
  'user/missing.go': [go('missing', 'user')],
  'README.md': ['# A\n', '# B\n\n## C\n'],
};
