import { driverOf } from '../../../drivers/driver-of.ts';
import { visible } from '../../../lib/text/visible.ts';
import { typedRule } from '../../../policy/words-of.ts';
import { type TurnPurpose, withHint } from '../../../schema/model/turn.ts';
import type { RecordOf, RecordType, Stamped } from '../../../schema/records.ts';
import { storedHead } from '../../../schema/stored-head.ts';
import { answerWords } from '../../../shown/answers.ts';
import { callLabel, shownTargetIn } from '../../../shown/calls.ts';
import { describeCheck } from '../../../shown/checks.ts';
import { swapWords } from '../../../shown/swaps.ts';
import { TURN_WORDS } from '../../../shown/turns.ts';
import { count, duration, inLine, oneLine, plural } from '../text/text.ts';
import { briefText } from './brief.ts';
import { describeUsage, profileText, scratchText } from './describe.ts';
import { testResultText, triedText, whyNot } from './tried.ts';

/**
 * An outcome of format 1 does not say what it was about, so this adds what its intent said. It remembers the
 * intents it has seen: make one for each journal.
 */
export function withTargets(): (record: Stamped) => Stamped {
  const targets = new Map<string, string>();
  return (record) => {
    if (record.type === 'action_intended') {
      targets.set(record.id, shownTargetIn(record.args ?? {}));
      return record;
    }
    if (record.type !== 'action_finished' || record.target !== null) return record;
    return { ...record, target: targets.get(record.id) || null };
  };
}

export const restoredText = ({ path, skipped, hash }: RecordOf<'file_restored'>): string =>
  `${visible(path)} ${skipped === '' ? (hash === null ? 'removed' : 'put back') : `left alone: ${oneLine(skipped)}`}`;

/**
 * Pure: one record in plain words; `null` for a record that matters only to the engine.
 * @param hasPlan whether a plan existed when it was written
 */
export function historyWords(record: Stamped, hasPlan = true): string | null {
  const words = Object.hasOwn(WORDS, record.type) ? WORDS[record.type] : unknownText;
  return words === null ? null : (words as Words<RecordType>)(record, hasPlan);
}

/** A record of a newer version that marked itself optional. */
const unknownText = (record: Stamped): string => oneLine(JSON.stringify(record));

type Words<Type extends RecordType> = (record: RecordOf<Type>, hasPlan: boolean) => string | null;

const WORDS: { readonly [Type in RecordType]: Words<Type> | null } = {
  run_opened: (record) => `goal: ${oneLine(record.goal)}${parentText(record)}`,
  settings_changed: (record) =>
    `model: ${record.provider} ${record.model}${profileText(record.profile)}, ${driverOf(record).mode} mode, window ${count(record.numCtx)} tokens (${oneLine(record.why)})`,
  brief_made: (record) => inLine(briefText(record.brief)),
  plan_set: (record) => `plan: ${planWords(record)}`,
  try_ended: (record) =>
    `${record.again ? 'plain try once more' : 'no plain try'}: ${oneLine(record.why)}`,
  replan_started: (record) => `planning again: ${oneLine(record.why)}`,
  replanned: (record) => `new plan: ${planWords(record)}`,
  subtask_started: (record) => `begins ${record.subtask}`,
  turn_finished: turnWords,
  action_finished: (record, hasPlan) =>
    record.touches === 'nothing' ? null : actionWords(record, hasPlan),
  check_ran: checkWords,
  subtask_finished: (record) => `${record.subtask} ${record.status}${withText(record.summary)}`,
  compacted: () => 'conversation shortened to fit the model',
  server_started: (record) => `server ${oneLine(record.server)} started, process ${record.pid}`,
  server_ended: (record) => `server ${oneLine(record.server)} is ended`,
  lease_taken: (record) => `taken up again${workerText(record)}`,
  run_resumed: () => 'resumed',
  run_paused: (record) => `paused${withText(record.detail)}`,
  verdict_given: (record) => `${verdictWord(record)}: ${oneLine(record.words)}`,
  run_finished: (record) => `finished, ${record.ending}${withText(record.detail)}`,
  undo_started: (record) => `undo of ${plural(record.files.length, 'file')}`,
  undo_finished: () => 'undone',
  swap_started: swapWords,
  files_changed: changedWords,
  note: (record) =>
    record.kind === 'file_put_back' ? `put back: ${oneLine(String(record.data.path))}` : null,
  approval_asked: (record) => `asked: ${permissionRequestText(record)}`,
  permission_noted: (record) =>
    `needs a yes: ${permissionRequestText(record)}${withText(record.reason)}`,
  approval_given: (record) => oneLine(answerWords(record, record.rule && typedRule(record.rule))),
  sandbox_looked: (record) =>
    `sandbox ${record.mode}: ${record.holds ? 'held by ' : ''}${oneLine(record.what)}`,
  background_started: (record) =>
    `in the background: ${record.id} ${oneLine(record.cmd)}, process ${record.pid}`,
  background_ended: (record) =>
    `in the background: ${record.id} ${record.how}${record.exitCode == null ? '' : `, exit code ${record.exitCode}`}`,
  child_started: (record) => (record.again ? null : `begins ${record.subtask} as a run of its own`),
  child_rested: (record) =>
    record.paused === undefined
      ? null
      : `${record.subtask} waits: ${oneLine(record.paused.detail)}`,
  child_ended: (record) => `${record.subtask} ended as a run of its own${withText(record.summary)}`,
  child_joined: (record) =>
    record.status === undefined
      ? `${record.subtask} is not taken: ${oneLine(record.summary)}`
      : `joined ${record.subtask} ${record.status}: ${record.files.map(oneLine).join(', ') || 'it changed nothing'}`,
  child_begun: (record) => `as subtask ${record.subtask} of another run`,
  limits_set: limitsText,
  wait_started: (record) => `waits ${duration(record.ms)}: ${oneLine(record.why)}`,
  person_said: (record) => `you said: ${oneLine(storedHead(record.text))}${formatParts(record)}`,
  file_candidate_shown: (record) => `${candidateName(record)}: ${formatCandidate(record)}`,
  file_candidate_taken: (record) => `took ${candidateName(record)}: ${oneLine(record.why)}`,
  adopted: adoptedText,
  file_restored: restoredText,
  file_swapped: (record) =>
    `${visible(record.path)} ${record.skipped === '' ? 'swapped' : `left alone: ${oneLine(record.skipped)}`}`,
  bytes_unreadable: (record) =>
    record.spans
      .map(({ from, to }) => `bytes ${from} to ${to} of the journal cannot be read`)
      .join(', '),
  bytes_set_aside: (record) =>
    `${record.bytes} bytes from byte ${record.at} on are in quarantine/${visible(record.file)}`,
  candidate_failed: (record) =>
    `${oneLine(`${record.provider} ${record.model}`)}${profileText(record.profile)} cannot be used: ${record.status.kind}`,
  message_ended: (record) =>
    `${record.ending}${record.detail === '' ? '' : `: ${oneLine(withHint(record))}`}`,
  command_used: (record) => `/${record.command} ${oneLine(storedHead(record.text))}`.trim(),
  session_cleared: (record) => `continues as ${record.next}`,
  // Matters only to the engine.
  message_added: null,
  goal_cut: null,
  round_started: null,
  rewound: null,
  branched: null,
  compaction_started: null,
  action_intended: null,
  action_started: null,
  files_kept: null,
  format_raised: null,
  builds_taken: null,
  wait_ended: null,
  swap_finished: null,
};

const parentText = ({ parent }: RecordOf<'run_opened'>): string =>
  parent === undefined ? '' : ` (for run ${parent.run}, record ${parent.seq})`;

const workerText = ({ worker }: RecordOf<'lease_taken'>): string =>
  worker === undefined ? '' : `, worker ${oneLine(worker)}`;

const formatPlanAuthor = ({ by }: RecordOf<'plan_set' | 'replanned'>): string =>
  by === undefined ? '' : `, given by ${oneLine(by)}`;

const formatParts = ({ parts = [] }: RecordOf<'person_said'>): string =>
  parts.map(({ mediaType }) => ` [${oneLine(mediaType)}]`).join('');

type FileCandidate = RecordOf<'file_candidate_shown' | 'file_candidate_taken'>;

const candidateName = ({ path, index }: FileCandidate): string =>
  `candidate ${index + 1} of ${visible(path)}`;

function formatCandidate({ showed }: RecordOf<'file_candidate_shown'>): string {
  const failed = showed.filter((one) => one.failed);
  if (failed.length === 0) return `${plural(showed.length, 'check')}, none failed`;
  const why = failed.map(({ check, detail }) =>
    oneLine([`${check} failed`, detail].filter(Boolean).join(': ')),
  );
  return why.join('; ');
}

/** A run that only answered proves nothing. */
function verdictWord({ isProved, answer }: RecordOf<'verdict_given'>): string {
  if (answer !== undefined) return 'only an answer';
  return isProved ? 'proved' : 'in doubt';
}

function limitsText(limits: RecordOf<'limits_set'>): string {
  const { maxRounds, maxTokens, maxCost, maxTimeMs, parallel } = limits;
  const said = [
    maxRounds === undefined ? '' : plural(maxRounds, 'round'),
    maxTokens === undefined ? '' : `${count(maxTokens)} tokens`,
    maxCost === undefined ? '' : `$${maxCost}`,
    maxTimeMs === undefined ? '' : duration(maxTimeMs),
    parallel === undefined ? '' : `${plural(parallel, 'subtask')} at once`,
  ];
  return `at most ${said.filter(Boolean).join(', ')}`;
}

function adoptedText({ dropped: { addresses, grants } }: RecordOf<'adopted'>): string {
  const dropped = [...addresses, ...grants].map(oneLine).join(', ');
  return `taken over by a person${dropped === '' ? '' : `; dropped: ${dropped}`}`;
}

const withText = (text: string): string => (text === '' ? '' : `: ${oneLine(text)}`);

function planWords(record: RecordOf<'plan_set' | 'replanned'>): string {
  const { plan } = record;
  const subtasks = plan.tasks.reduce((sum, task) => sum + task.subtasks.length, 0);
  const names = plan.tasks.map(({ description }) => oneLine(description)).join('; ');
  return `${plural(plan.tasks.length, 'task')}, ${plural(subtasks, 'subtask')}${formatPlanAuthor(record)}: ${names}`;
}

const PURPOSES: { readonly [Purpose in TurnPurpose]: string } = {
  brief: 'its reading of the goal',
  plan: 'a plan',
  replan: 'another plan',
  try: 'a plain try',
  action: 'the next action',
  content: 'the content of a file',
  second_writing: 'the content of a file a second time',
  summary: 'a summary',
};

function turnWords(record: RecordOf<'turn_finished'>): string {
  const about = PURPOSES[record.purpose];
  if (record.status.kind === 'success')
    return `the model gave ${about}, ${describeUsage(record.usage)}`;
  return `${TURN_WORDS[record.status.kind]}${withText(record.detail)}`;
}

function actionWords(record: RecordOf<'action_finished'>, hasPlan: boolean): string {
  const { status, facts } = record;
  const exit = typeof facts.exitCode === 'number' ? ` (exit ${facts.exitCode})` : '';
  const took = facts.durationMs === undefined ? '' : `, ${duration(facts.durationMs)}`;
  const what = triedText(record);
  if (status === 'ok') return `${what}${exit}${took}`;
  const how = status === 'error' ? `error${exit}${took}: ` : '';
  return `${what}: ${how}${whyNot(record, hasPlan)}`;
}

export const permissionRequestText = (
  request: RecordOf<'approval_asked' | 'permission_noted'>,
): string => {
  const { tool, target } = request;
  if (tool !== undefined && target !== undefined) return visible(callLabel({ tool, target }));
  return 'question' in request ? visible(request.question) : '';
};

const WHO_CHANGED: { readonly [by in RecordOf<'files_changed'>['by']]: string } = {
  command: 'a command changed',
  unknown: 'changed unobserved:',
  engine: 'put back as before that command:',
};

function changedWords({ by, files, uncovered = [] }: RecordOf<'files_changed'>): string {
  const who = WHO_CHANGED[by];
  const names = [...files, ...uncovered].map(({ path }) => visible(path));
  return `${who} ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', and more' : ''}`;
}

export function checkWords(record: RecordOf<'check_ran'>): string {
  const { check, passed, proof, scratch, text } = record;
  if (scratch) return `tried in a copy, ${scratchText(record)}`;
  const name = proof ? 'proof' : 'check';
  const tests = testResultText(record.facts ?? {});
  const why = passed ? '' : `: ${tests === '' ? oneLine(storedHead(text)) : tests}`;
  const what = tests !== '' && 'cmd' in check ? oneLine(check.cmd) : describeCheck(check);
  return `${name} ${passed ? 'passed' : 'failed'}: ${what}${why}`;
}
