/** Names that a method cannot have: members of the base class, of every object, and of promises. */
const TAKEN = ['connect', 'invoke', 'then', ...Object.getOwnPropertyNames(Object.prototype)];

/** Method names for tools, given sorted by name: `search_hybrid` is `searchHybrid`; one that is taken gets a number. */
export function methodNames(tools: readonly string[]): readonly string[] {
  const taken = new Set(TAKEN);
  return tools.map((tool) => {
    const words = tool.match(/[A-Z]+(?![a-z])|[A-Za-z][a-z]*|\d+/g) ?? [];
    const camel = words
      .map((word, index) => (index === 0 ? word.toLowerCase() : capital(word.toLowerCase())))
      .join('');
    const base = /^[a-z]/.test(camel) ? camel : `tool${capital(camel)}`;
    let name = base;
    for (let n = 2; taken.has(name); n += 1) name = `${base}_${n}`;
    taken.add(name);
    return name;
  });
}

export function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
