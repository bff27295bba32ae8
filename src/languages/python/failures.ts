/** Pure: what failed in a run of Python's tests. */
import type { TestFailure } from '../language.ts';

/** pytest's summary, which shortens long reasons and omits those of files that it cannot load. */
const SUMMARY = /^(?:FAILED|ERROR) (\S+?)(?:::(\S.*?))?(?: - (.*))?$/gm;
/** Above the summary, where reasons are whole: of a test by its name, of a file as `ERROR collecting FILE`. */
const SECTION = /^_+ (\S.*?) _+$([\s\S]*?)(?=^_{3,} |^={3,} )/gm;
const REASON = /^E +(\S.*)$/m;
/** unittest: a head, a line, a traceback whose last line says what is wrong. */
const BLOCK = /^(?:FAIL|ERROR): (\S+) \((\S+)\)\n-{3,}\n([\s\S]*?)(?=^={3,}$|^-{3,}$|(?![\s\S]))/gm;
const OWN_FRAME = /File "(?:[^"\n]*[\\/])?([^"\\/\n]+)", line (\d+), in (?!_|import)/g;

export function failures(output: string): readonly TestFailure[] {
  const reasons = new Map(
    [...output.matchAll(SECTION)].map(([, name = '', body = '']) => [
      name,
      REASON.exec(body)?.[1] ?? '',
    ]),
  );
  const summary = [...output.matchAll(SUMMARY)].map(({ 1: file = '', 2: said = '', 3: short }) => {
    const test = said.replaceAll('::', '.');
    const isWhole = short !== undefined && !short.endsWith('...');
    const whole = reasons.get(test === '' ? `ERROR collecting ${file}` : test);
    return { file, test, why: isWhole ? short : whole || short || '' };
  });
  return summary.length > 0 ? summary : [...output.matchAll(BLOCK)].map(failureOf);
}

function failureOf([, test = '', place = '', body = '']: RegExpMatchArray): TestFailure {
  const frame = [...body.matchAll(OWN_FRAME)].at(-1)?.[1];
  const why =
    body
      .trimEnd()
      .split('\n')
      .findLast((line) => /^\S/.test(line)) ?? '';
  return { file: frame ?? place.split('.')[0] ?? '', test, why };
}
