/** The meaning of the result of a check, proof or trial. Pure; it reads counts, never printed text. */
import { plural } from '../../lib/text/figures.ts';
import type { RecordOf } from '../../schema/records.ts';
import type { Label, Red } from './label.ts';
import type { ChangedFileRow, CheckEntry } from './work.ts';

type CommandCheck = Pick<RecordOf<'check_ran'>, 'facts' | 'red' | 'scratch'> & {
  /** '' if no command ran. */
  readonly cmd: string;
};

/** @param files that the run changed; those that it created are missing from a copy as before the run */
export function redOf(
  { facts, red, scratch, cmd }: CommandCheck,
  files: { readonly [path: string]: ChangedFileRow },
): Red {
  if (testsFailed(facts) > 0) return 'failed';
  if (facts.testsRan === 'none' || facts.notStarted || red === 'absent') return 'absent';
  const created = Object.values(files).flatMap((one) => (one.became === 'made' ? one.path : []));
  const missing = scratch?.what === 'without' ? [scratch.about] : created;
  return missing.some((path) => commandNamesFile(cmd, path)) ? 'absent' : 'unknown';
}

export const testsFailed = ({ tests, failingTests }: CommandCheck['facts']): number =>
  tests?.failed ?? failingTests ?? 0;

/** Whether a word of the command names the file. */
export const commandNamesFile = (cmd: string, path: string): boolean =>
  cmd
    .split(/[\s"']+/)
    .map((word) => word.replace(/^\.\//, ''))
    .some((word) => word === path || word.endsWith(`/${path}`) || path.endsWith(`/${word}`));

type Kind =
  | 'passed'
  | 'not_passed'
  | 'skipped'
  /** The trial failed in a copy without the work. */
  | 'noticed'
  | 'red_before'
  /** A proof before the work that failed, but not because a test failed. */
  | 'unclear_before'
  | 'green_before'
  /** The trial failed there because its program or tests are missing, which shows little. */
  | 'absent'
  | 'unknown'
  /** The trial passed in a copy without the work. */
  | 'unnoticed';

export function checkKindOf({
  isSkipped,
  isMeantToFail,
  isProof,
  when,
  passed,
  red,
}: CheckEntry): Kind {
  const isBefore = isProof && when === 'before';
  if (isSkipped) return 'skipped';
  if (!isMeantToFail && !isBefore) return passed ? 'passed' : 'not_passed';
  if (isBefore) {
    if (passed) return 'green_before';
    return red === 'failed' ? 'red_before' : 'unclear_before';
  }
  if (passed) return 'unnoticed';
  return red === 'failed' ? 'noticed' : red;
}

/** Only results that show something have a tick or a cross. */
export const CHECKS: { readonly [kind in Kind]: Label } = {
  passed: { word: 'check or proof that passed', shape: 'done', tone: 'good' },
  not_passed: { word: 'check or proof that did not pass', shape: 'failed', tone: 'bad' },
  noticed: { word: 'failed where the work is missing, as it should', shape: 'done', tone: 'plain' },
  red_before: {
    word: 'proof that failed before the work, as it must',
    shape: 'failed',
    tone: 'plain',
  },
  unclear_before: {
    word: 'proof before the work: why it failed is not known',
    shape: 'unsure',
    tone: 'plain',
  },
  green_before: {
    word: 'proof that passed before the work, too',
    shape: 'unsure',
    tone: 'plain',
  },
  absent: little(),
  unknown: little(),
  unnoticed: little(),
  skipped: little(),
};

function little(): Label {
  return { word: 'try in a copy that shows little or nothing', shape: 'unsure', tone: 'plain' };
}

export function sayCheck(entry: CheckEntry): string {
  const { isProof, when, copy, what } = entry;
  const name =
    copy !== ''
      ? `Tried in a copy, ${copy}`
      : isProof
        ? `Proof${when === 'before' ? ' before the work' : ''}`
        : 'Check';
  return `${name}: ${what}, ${sayEnd(entry)}`;
}

function sayEnd(entry: CheckEntry): string {
  const { failedTests, exitCode } = entry;
  const counted = failedTests > 0 ? ` (${plural(failedTests, 'test')})` : '';
  const kind = checkKindOf(entry);
  switch (kind) {
    case 'noticed':
      return `failed, as it should${counted}`;
    case 'red_before':
      return `failed${counted}`;
    case 'absent':
    case 'unknown':
    case 'unclear_before':
      return entry.red === 'absent'
        ? 'could not run, which shows little'
        : `failed${exitCode === null ? '' : ` with exit code ${exitCode}`}, and nothing counted tells of what`;
    case 'unnoticed':
      return 'passed too';
    case 'green_before':
      return 'passed already';
    case 'not_passed':
      return `not passed${counted}`;
    case 'passed':
    case 'skipped':
      return kind;
    default:
      return kind satisfies never;
  }
}
