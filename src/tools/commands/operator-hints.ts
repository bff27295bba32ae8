/** What to do instead of a shell operator: [the fault, the next step]. Pure. */

/** @param mayStay whether the tool can leave a program running in the background */
export function operatorHint(operator: string, mayStay: boolean): [string, string] {
  const shown = operator === '\n' || operator === '\r' ? 'A new line' : `"${operator}"`;
  return [
    `${shown} needs a shell, and there is none: one program at a time.`,
    operator === '&' && mayStay
      ? 'Run the program with the argument background set to true to keep it running.'
      : (NEXT[operator] ?? EACH_ALONE),
  ];
}

const EACH_ALONE =
  'Run each program in a call of its own; every one starts in the workspace folder, so cd is not needed.';
const INPUT = 'Run the program alone, with its input in the stdin argument.';
const OUTPUT =
  'Run the program alone and use what it prints; to save text in a file use write_file.';
const INNER =
  'Run the inner command first and write its result into this one, or quote the text with single quotes.';

const NEXT: { readonly [operator: string]: string } = {
  '&': 'Programs cannot be left in the background: run it alone and let it end.',
  '|': INPUT,
  '<': INPUT,
  '<<': INPUT,
  '>': OUTPUT,
  '>>': OUTPUT,
  '`': INNER,
  '$(': INNER,
};
