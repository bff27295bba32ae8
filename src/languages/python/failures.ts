/** What failed in a run of Python's tests, a line each. Pure. */

/** pytest's summary; it cuts long reasons and leaves out those of files that it cannot load. */
const SUMMARY = /^(?:FAILED|ERROR) (\S+?)(?:::(\S.*?))?(?: - (.*))?$/gm;
const NOT_LOADED = /^_+ ERROR collecting (\S+) _+$([\s\S]*?)(?=^_{3,} |^={3,} )/gm;
const REASON = /^E +(\S.*)$/m;
/** unittest: a head, a line, a traceback whose last line says what is wrong. */
const BLOCK = /^(?:FAIL|ERROR): (\S+) \((\S+)\)\n-{3,}\n([\s\S]*?)(?=^={3,}$|^-{3,}$|(?![\s\S]))/gm;
const OWN_FRAME = /File "(?:[^"\n]*[\\/])?([^"\\/\n]+)", line (\d+), in (?!_|import)/g;

export function failures(output: string): readonly string[] {
  const reasons = new Map(
    [...output.matchAll(NOT_LOADED)].map(([, file = '', body = '']) => [
      file,
      REASON.exec(body)?.[1] ?? '',
    ]),
  );
  const summary = [...output.matchAll(SUMMARY)].map(([, file = '', test = '', why]) =>
    lineOf(file, test.replaceAll('::', '.'), why ?? reasons.get(file) ?? ''),
  );
  return summary.length > 0 ? summary : [...output.matchAll(BLOCK)].map(blockLine);
}

function blockLine([, test = '', place = '', body = '']: RegExpMatchArray): string {
  const frame = [...body.matchAll(OWN_FRAME)].at(-1)?.[1];
  const why =
    body
      .trimEnd()
      .split('\n')
      .findLast((line) => /^\S/.test(line)) ?? '';
  return lineOf(frame ?? place.split('.')[0] ?? '', test, why);
}

const lineOf = (file: string, test: string, why: string): string =>
  [[file, test].filter(Boolean).join(', '), why].filter(Boolean).join(': ');
