/** The lines of a failure that say what is wrong, for a model that reads fifty tokens a second. */

/** Lines of ours; those of tracebacks and test reports come from their languages. */
const OURS = /^(?:Hint: |exit code )/;

const isHint = (line: string): boolean => line.startsWith('Hint: ');

/**
 * The telling lines of a long output, each once, at most `maxChars` of them, the first ones and
 * every hint; the end of the output where no line tells anything.
 */
export function shortError(
  output: string,
  maxChars: number,
  isTelling: (line: string) => boolean,
): string {
  if (output.length <= maxChars / 2) return output;
  const lines = [
    ...new Set(output.split('\n').filter((line) => OURS.test(line) || isTelling(line))),
  ];
  if (lines.length < 2) return output.length <= maxChars ? output : `…${output.slice(-maxChars)}`;
  const hints = lines.filter(isHint);
  let room = maxChars - hints.join('\n').length;
  const kept = lines.filter((line) => {
    if (!isHint(line)) room -= line.length + 1;
    return isHint(line) || room >= 0;
  });
  return kept.join('\n');
}
