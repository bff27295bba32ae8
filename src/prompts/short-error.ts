/** The lines of a failure that say what is wrong, for a model that reads fifty tokens a second. */

/** Lines of ours; those of tracebacks and test reports come from their languages. */
const OURS = /^(?:Hint: |exit code )/;

const isHint = (line: string): boolean => line.startsWith('Hint: ');

/**
 * The telling lines of a long output, each once, at most `maxChars` of them, the first ones and
 * every hint; the end of the output where no line tells anything. The first line stays: it says how
 * the command ended, or what a check missed.
 */
export function shortError(
  output: string,
  maxChars: number,
  isTelling: (line: string) => boolean,
): string {
  if (output.length <= maxChars / 2) return output;
  const [first = '', ...rest] = output.split('\n');
  const telling = rest.filter((line) => OURS.test(line) || isTelling(line));
  if (telling.length === 0)
    return output.length <= maxChars ? output : ends(first, output, maxChars);
  const lines = [...new Set([first, ...telling])];
  const hints = lines.filter(isHint);
  let room = maxChars - hints.join('\n').length;
  const kept = lines.filter((line) => {
    if (!isHint(line)) room -= line.length + 1;
    return isHint(line) || room >= 0;
  });
  return kept.join('\n');
}

/** Of the first line, in characters. */
const MAX_FIRST = 400;

function ends(first: string, output: string, maxChars: number): string {
  const head = first.slice(0, Math.min(MAX_FIRST, Math.floor(maxChars / 2)));
  return `${head}\n…${output.slice(head.length - maxChars)}`;
}
