/**
 * What tests of a small model's own making are worth: its code is held against the same code as it wrote it a
 * second time. That the two do the same makes it likelier that it is right; that they do not says that nobody
 * knows which of them is, and never causes a repair.
 */
import { type Answer, type Ask, doubt, type Evidence, listed, type Verdict } from './evidence.ts';

/** `null` where nothing speaks against it. @param paths the files that the tests bear on */
export async function secondVerdict(
  evidence: Evidence,
  paths: readonly string[],
  ask: Ask,
): Promise<Verdict | null> {
  const { secondWritings, calls, proof } = evidence;
  if (secondWritings === undefined) return null;
  const head = `${proof.cmd} passes, but only tests of this run show it`;
  const missing = paths.filter((path) => (secondWritings.get(path) ?? null) === null);
  if (missing.length > 0)
    return doubt(`${head}, and there is no second writing of ${listed(missing)} to compare with`);
  for (const path of paths) {
    const answer = await ask({ what: 'second', path });
    if (answer.kind !== 'ran')
      return doubt(`${head}, and ${path} as written a second time could not be tried`);
    if (!answer.passed)
      return doubt(`${head}: ${path}, which the model wrote a second time, fails them`);
  }
  for (const call of calls.filter(({ path }) => paths.includes(path))) {
    const answers = [
      await ask({ what: 'call', call, second: false }),
      await ask({ what: 'call', call, second: true }),
    ];
    // Two that say nothing do not say the same.
    if (answers.some(({ kind }) => kind !== 'ran'))
      return doubt(
        `${head}, and ${call.says} could not be tried on what was written a second time`,
      );
    const [first = '', second = ''] = answers.map(givenBy);
    if (first !== second)
      return doubt(
        `${head}: for ${call.says} it gives ${said(first)}, and ${said(second)} as the model wrote ${call.path} a second time`,
      );
  }
  return null;
}

/** What stands behind `gives`; '' where it ended in an error instead. */
function givenBy(answer: Answer): string {
  const lines = answer.kind === 'ran' ? answer.output.split(/\r?\n/) : [];
  return lines.findLast((line) => line.startsWith('gives '))?.slice('gives '.length) ?? '';
}

const said = (value: string): string => (value === '' ? 'an error' : value);
