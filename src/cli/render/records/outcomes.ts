import { firstFailed, lastInformativeLine } from '../../../languages/testing/test-output.ts';
import type { ActionFacts } from '../../../schema/actions.ts';
import type { RecordOf, Stamped } from '../../../schema/records.ts';
import { storedHead } from '../../../schema/stored-head.ts';
import { inPersonsWords, STATUS_WORDS, toolLabel } from '../../../shown/calls.ts';
import type { ShownLine } from '../text/line.ts';
import type { Glyphs } from '../text/style.ts';
import { duration, oneLine, sanitize } from '../text/text.ts';
import { testSummary, testsText } from './notes.ts';

/** Pure: how a command or another action ended, in one line. */
type Intended = Extract<Stamped, { type: 'action_intended' }>;

/** `✓ pytest -q · 2 passed`. */
export function passedRun(
  { facts }: { readonly facts: ActionFacts },
  about: Pick<Intended, 'args'> | { readonly cmd: string },
  glyphs: Glyphs,
): string {
  const cmd = 'cmd' in about ? about.cmd : inItsFolder(about.args, '');
  return `  ${glyphs.ok} ${[oneLine(cmd), testsText(facts.tests)].filter(Boolean).join(` ${glyphs.dot} `)}`;
}

/** `npm test (in packages/a)`: in each folder it is another command. */
const inItsFolder = ({ cmd, cwd }: Intended['args'], otherwise: string): string =>
  `${String(cmd ?? otherwise)}${typeof cwd === 'string' && cwd !== '' && cwd !== '.' ? ` (in ${cwd})` : ''}`;

/** `✗ pytest -q · 1 of 2 failed · test_add: -1 == 3`, or the line that says what is wrong. */
export function failedRun(facts: ActionFacts, cmd: string, said: string, glyphs: Glyphs): string {
  const tests = testSummary(facts.tests, glyphs);
  // The line already begins with the command.
  const name = `${oneLine(cmd)}: `;
  const reason = reasonIn(said, facts);
  const own = reason.startsWith(name) ? reason.slice(name.length) : reason;
  const why = tests === '' ? own : [tests, ...failedAnyhow(facts)].join(', ');
  return `  ${glyphs.failed} ${[oneLine(cmd), why].filter(Boolean).join(` ${glyphs.dot} `)}`;
}

/** No test failed, yet the command did. */
const failedAnyhow = ({ tests, exitCode }: ActionFacts): readonly string[] =>
  tests?.failed === 0 && typeof exitCode === 'number' && exitCode !== 0
    ? [`exit code ${exitCode}`]
    : [];

/** The first test that failed; else the last line that explains the failure, or the status. */
function reasonIn(said: string, { exitCode, durationMs }: ActionFacts): string {
  const telling = oneLine(firstFailed(said)) || lastTellingLine(said);
  if (telling !== '') return telling;
  if (typeof exitCode === 'number' && exitCode !== 0) return `exit code ${exitCode}`;
  const after = durationMs === undefined ? '' : ` after ${duration(durationMs)}`;
  const [first = ''] = linesIn(said);
  return `${oneLine(first)}${exitCode === null ? after : ''}`;
}

const linesIn = (said: string): readonly string[] =>
  sanitize(said)
    .split('\n')
    .map((line) => line.trim());

/** The last line that explains the failure; '' if none does. */
export const lastTellingLine = (said: string): string =>
  oneLine(lastInformativeLine(linesIn(said)));

export const EARLY = 'was refused before there was a plan';

/** True if the call waited for a plan, unless a rule or a person refused it. */
export const waitedForPlan = (
  { status, facts }: Pick<RecordOf<'action_finished'>, 'status' | 'facts'>,
  hasPlan: boolean,
): boolean => status === 'denied' && facts.refused !== true && !hasPlan;

/** A search without a result matters only to the model; what a person can see or change is reported. */
export function failedAction(
  record: RecordOf<'action_finished'>,
  intended: Intended | undefined,
  glyphs: Glyphs,
  /** False: a call that may change something had to wait. */
  hasPlan = true,
): readonly ShownLine[] {
  const { status, facts } = record;
  const said = storedHead(record.result);
  const target = oneLine(record.target ?? '');
  if (status === 'not_run') return [];
  // Without a plan nothing can be changed, so it matters why none came.
  if (record.touches === 'nothing' && status === 'error' && !hasPlan) {
    const text = `  ${glyphs.failed} ${toolLabel(record.tool)}: ${firstSentence(said)}`;
    return [{ text, tone: 'warning', level: 'normal' }];
  }
  if (record.touches === 'nothing') return [];
  if (status === 'error' && record.touches === 'reads') return [];
  if (record.touches === 'process' && (status === 'error' || status === 'timeout')) {
    const cmd = intended === undefined ? target : inItsFolder(intended.args, target);
    const text = failedRun(facts, cmd, status === 'timeout' ? 'took too long' : said, glyphs);
    return [{ text, tone: 'bad', level: 'normal' }];
  }
  const early = waitedForPlan(record, hasPlan) ? EARLY : undefined;
  const why =
    status === 'error'
      ? inPersonsWords(firstSentence(said, target))
      : (early ?? STATUS_WORDS[status]);
  // An error often begins with the name of its file.
  const text = why?.startsWith(`${target} `) ? why : `${target}: ${why}`;
  return [{ text: `  ${glyphs.failed} ${text}`, tone: 'warning', level: 'normal' }];
}

/** @param about the beginning of the text, such as a path: a dot in a name ends no sentence */
export function firstSentence(text: string, about = ''): string {
  const line = oneLine(text);
  const name = about !== '' && line.startsWith(about) ? about : '';
  return (
    name + (/^.*?[.!?](?=\s|$)/s.exec(line.slice(name.length))?.[0] ?? line.slice(name.length))
  );
}
