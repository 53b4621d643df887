import type { Mark, Marks } from '../mark-declarations.js';

/** Declarations with the blank macros before them on their line, as `API` of `API int f(void);` in a text. */
export function restoreStarts(marks: Marks, text: string, blank: string): Marks {
  if (blank === text) return marks;
  const declarations = marks.declarations.map((mark): Mark => {
    const { start, end } = mark.range;
    let first = start;
    for (let at = start - 1; blank[at] === ' ' || blank[at] === '\t'; at -= 1)
      if (text[at] !== blank[at]) first = at;
    return first === start ? mark : { ...mark, range: { start: first, end } };
  });
  return { ...marks, declarations };
}
