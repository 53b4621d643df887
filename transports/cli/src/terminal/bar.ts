import { clip } from './format.js';

/** The texts of a progress line. */
export interface BarText {
  readonly label: string;
  /** From 0 to 1. */
  readonly share: number;
  /** `12/80 files` */
  readonly amount: string;
  /** Files a second, then bytes a second and time left where they are known. */
  readonly rate: string;
  readonly flow: string | undefined;
  readonly left: string | undefined;
}

const MAX_BAR = 28;
const MIN_BAR = 8;

/**
 * A progress line that fits `columns`: the bar shrinks first, then bytes, rate and remaining time are dropped in
 * that order, then the bar itself.
 */
export function barLine(
  text: BarText,
  columns: number,
  paint: (style: 'cyan' | 'dim', text: string) => string,
): string {
  const { label, share, amount, rate, flow, left } = text;
  const percent = `${String(Math.floor(share * 100)).padStart(3)}%`;
  // The last column stays free: some terminals break the line when it is filled.
  const room = columns - 1;
  const choices = [[amount, rate, flow, left], [amount, rate, left], [amount, left], [amount]].map((parts) =>
    parts.filter((part) => part !== undefined).join('  '),
  );
  const barFor = (words: string): number => room - `${label.padEnd(9)}  ${percent}  ${words}`.length;
  const words = choices.find((choice) => barFor(choice) >= MIN_BAR);
  if (words === undefined) return clip(`${label} ${percent.trimStart()} ${amount}`, room);
  const width = Math.min(MAX_BAR, barFor(words));
  const full = Math.round(share * width);
  const drawn = paint('cyan', '━'.repeat(full)) + paint('dim', '─'.repeat(width - full));
  return `${label.padEnd(9)} ${drawn} ${percent}  ${words}`;
}
