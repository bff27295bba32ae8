import { driverOf } from '../../../drivers/driver-of.ts';
import { visible } from '../../../lib/text/visible.ts';
import { typedRule } from '../../../policy/words-of.ts';
import { type TurnPurpose, withHint } from '../../../schema/model/turn.ts';
import type { RecordOf, Stamped } from '../../../schema/records.ts';
import { storedHead } from '../../../schema/stored-head.ts';
import { answerWords } from '../../../shown/answers.ts';
import { callLabel, shownTargetIn } from '../../../shown/calls.ts';
import { describeCheck } from '../../../shown/checks.ts';
import { swapWords } from '../../../shown/swaps.ts';
import { TURN_WORDS } from '../../../shown/turns.ts';
import { count, duration, inLine, oneLine, plural } from '../text/text.ts';
import { briefText } from './brief.ts';
import { describeUsage, profileText, scratchText } from './describe.ts';
import {
  candidateName,
  formatCandidate,
  formatParts,
  formatPlanAuthor,
  parentText,
  workerText,
} from './record-parts.ts';
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

/**
 * Pure: one record in plain words; `null` for a record that matters only to the engine.
 * @param hasPlan whether a plan existed when it was written
 */
export function historyWords(record: Stamped, hasPlan = true): string | null {
  switch (record.type) {
    case 'run_opened':
      return `goal: ${oneLine(record.goal)}${parentText(record)}`;
    case 'settings_changed':
      return `model: ${record.provider} ${record.model}${profileText(record.profile)}, ${driverOf(record).mode} mode, window ${count(record.numCtx)} tokens (${oneLine(record.why)})`;
    case 'brief_made':
      return inLine(briefText(record.brief));
    case 'plan_set':
      return `plan: ${planWords(record)}`;
    case 'try_ended':
      return `${record.again ? 'plain try once more' : 'no plain try'}: ${oneLine(record.why)}`;
    case 'replan_started':
      return `planning again: ${oneLine(record.why)}`;
    case 'replanned':
      return `new plan: ${planWords(record)}`;
    case 'subtask_started':
      return `begins ${record.subtask}`;
    case 'turn_finished':
      return turnWords(record);
    case 'action_finished':
      return record.touches === 'nothing' ? null : actionWords(record, hasPlan);
    case 'check_ran':
      return checkWords(record);
    case 'subtask_finished':
      return `${record.subtask} ${record.status}${withText(record.summary)}`;
    case 'compacted':
      return 'conversation shortened to fit the model';
    case 'server_started':
      return `server ${oneLine(record.server)} started, process ${record.pid}`;
    case 'server_ended':
      return `server ${oneLine(record.server)} is ended`;
    case 'lease_taken':
      return `taken up again${workerText(record)}`;
    case 'run_resumed':
      return 'resumed';
    case 'run_paused':
      return `paused${withText(record.detail)}`;
    case 'verdict_given':
      return `${verdictWord(record)}: ${oneLine(record.words)}`;
    case 'run_finished':
      return `finished, ${record.ending}${withText(record.detail)}`;
    case 'undo_started':
      return `undo of ${plural(record.files.length, 'file')}`;
    case 'undo_finished':
      return 'undone';
    case 'swap_started':
      return swapWords(record);
    case 'files_changed':
      return changedWords(record);
    case 'note':
      return record.kind === 'file_put_back'
        ? `put back: ${oneLine(String(record.data.path))}`
        : null;
    case 'approval_asked':
      return `asked: ${permissionRequestText(record)}`;
    case 'permission_noted':
      return `needs a yes: ${permissionRequestText(record)}${withText(record.reason)}`;
    case 'approval_given':
      return oneLine(answerWords(record, record.rule && typedRule(record.rule)));
    case 'sandbox_looked':
      return `sandbox ${record.mode}: ${record.holds ? 'held by ' : ''}${oneLine(record.what)}`;
    case 'background_started':
      return `in the background: ${record.id} ${oneLine(record.cmd)}, process ${record.pid}`;
    case 'background_ended':
      return `in the background: ${record.id} ${record.how}${record.exitCode == null ? '' : `, exit code ${record.exitCode}`}`;
    case 'child_started':
      return record.again ? null : `begins ${record.subtask} as a run of its own`;
    case 'child_rested':
      return record.paused === undefined
        ? null
        : `${record.subtask} waits: ${oneLine(record.paused.detail)}`;
    case 'child_ended':
      return `${record.subtask} ended as a run of its own${withText(record.summary)}`;
    case 'child_joined':
      return record.status === undefined
        ? `${record.subtask} is not taken: ${oneLine(record.summary)}`
        : `joined ${record.subtask} ${record.status}: ${record.files.map(oneLine).join(', ') || 'it changed nothing'}`;
    case 'child_begun':
      return `as subtask ${record.subtask} of another run`;
    case 'limits_set':
      return limitsText(record);
    case 'wait_started':
      return `waits ${duration(record.ms)}: ${oneLine(record.why)}`;
    case 'person_said':
      return `you said: ${oneLine(storedHead(record.text))}${formatParts(record)}`;
    case 'file_candidate_shown':
      return `${candidateName(record)}: ${formatCandidate(record)}`;
    case 'file_candidate_taken':
      return `took ${candidateName(record)}: ${oneLine(record.why)}`;
    case 'adopted':
      return adoptedText(record);
    case 'file_restored':
      return restoredText(record);
    case 'file_swapped':
      return `${visible(record.path)} ${record.skipped === '' ? 'swapped' : `left alone: ${oneLine(record.skipped)}`}`;
    case 'bytes_unreadable':
      return record.spans
        .map(({ from, to }) => `bytes ${from} to ${to} of the journal cannot be read`)
        .join(', ');
    case 'bytes_set_aside':
      return `${record.bytes} bytes from byte ${record.at} on are in quarantine/${visible(record.file)}`;
    case 'candidate_failed':
      return `${oneLine(`${record.provider} ${record.model}`)}${profileText(record.profile)} cannot be used: ${record.status.kind}`;
    case 'message_ended':
      return `${record.ending}${record.detail === '' ? '' : `: ${oneLine(withHint(record))}`}`;
    case 'command_used':
      return `/${record.command} ${oneLine(storedHead(record.text))}`.trim();
    case 'session_cleared':
      return `continues as ${record.next}`;
    // Matters only to the engine.
    case 'message_added':
    case 'goal_cut':
    case 'round_started':
    case 'rewound':
    case 'branched':
    case 'compaction_started':
    case 'action_intended':
    case 'action_started':
    case 'files_kept':
    case 'format_raised':
    case 'builds_taken':
    case 'wait_ended':
    case 'swap_finished':
      return null;
    default:
      // A record of a newer version that marked itself optional.
      return oneLine(JSON.stringify(record satisfies never));
  }
}

export const restoredText = ({ path, skipped, hash }: RecordOf<'file_restored'>): string =>
  `${visible(path)} ${skipped === '' ? (hash === null ? 'removed' : 'put back') : `left alone: ${oneLine(skipped)}`}`;

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
