/** `a->*f` as `a .*f`: the grammar knows no other access through a pointer to a member. */
export function withoutArrows(text: string): string {
  return text.replaceAll(/(?<!operator ?)->\*/g, ' .*');
}
