/** Pure: the lines that an event leaves above what is redrawn. */

import { driverOf } from '../../../drivers/driver-of.ts';
import { visible } from '../../../lib/text/visible.ts';
import { candidateText } from '../../../llm/failover/candidate.ts';
import type { RunEvent } from '../../../schema/events/events.ts';
import type { TurnStatus } from '../../../schema/model/turn.ts';
import { subtasksOf } from '../../../schema/plan.ts';
import type { RecordOf, RecordType, Stamped } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';
import { BEFORE_A_PLAN } from '../../../schema/state-parts/run-facts.ts';
import { storedHead } from '../../../schema/stored-head.ts';
import { TURN_WORDS } from '../../../shown/turns.ts';
import { doneText } from '../../../steps/gate/not-done.ts';
import { trialText } from '../../screen/activity.ts';
import type { RunView } from '../../screen/view.ts';
import { briefText, isWorthShowing } from '../records/brief.ts';
import { describeStep, modelLine, rawRecord, scratchText } from '../records/describe.ts';
import { permissionRequestText, restoredText } from '../records/history-words.ts';
import { becameText, lineCountText, shownFiles } from '../records/notes.ts';
import { failedAction, failedRun, passedRun } from '../records/outcomes.ts';
import { permissionLine, permissionLines } from '../records/permissions.ts';
import { debugLine, renderedLine, type ShownLine } from '../text/line.ts';
import type { Glyphs, Tone } from '../text/style.ts';
import { duration, inLine, oneLine } from '../text/text.ts';
import { workTree } from './work-tree.ts';

/** @param before the view without the event. @param after with it */
export function eventLinesOf(
  event: RunEvent,
  { before, after }: { readonly before: RunView; readonly after: RunView },
  glyphs: Glyphs,
): readonly ShownLine[] {
  switch (event.type) {
    case 'record':
      return [
        ...recordLines(event.record, { state: event.state, before, after, glyphs }),
        ...traced(event.record),
      ];
    case 'turn_retry': {
      // The end of the previous attempt has already said why.
      const when = event.waitMs > 0 ? `in ${duration(event.waitMs)}` : 'at once';
      return [framed(`  trying again ${when} (try ${event.attempt})`, 'warning')];
    }
    case 'model_switched':
      return [
        renderedLine(
          `Continuing with ${oneLine(`${candidateText(event.to)}: ${event.why}`)}`,
          'warning',
        ),
      ];
    case 'permissions':
      return [
        renderedLine(permissionLine(event), 'dim'),
        ...permissionLines(event).map((text) => ({
          ...renderedLine(text, 'dim'),
          level: 'debug' as const,
        })),
      ];
    case 'notice':
      return [renderedLine(oneLine(event.text), event.level === 'warning' ? 'warning' : 'plain')];
    case 'turn_started': {
      const isNamed = after.isMending && event.target !== null;
      return isNamed ? [framed(`  mending ${oneLine(event.target)}`)] : [];
    }
    case 'trial_started':
      return [debugLine(`  ${trialText(event)}`)];
    case 'begun':
    case 'prompt_read':
    case 'text':
    case 'thinking':
    case 'tool_call_started':
    case 'tool_call_arguments':
    case 'tool_call_ready':
    case 'action_started':
    case 'action_output':
      return [];
    default:
      return event satisfies never;
  }
}

const framed = (text: string, tone: Tone = 'plain'): ShownLine => ({
  ...renderedLine(text, tone),
  inFrame: true,
});

/** The most characters of a record. */
const MAX_TRACED = 400;

const traced = (record: Stamped): ShownLine[] => [
  debugLine(`  [${record.seq}] ${record.type} ${rawRecord(record, MAX_TRACED)}`),
];

/** The facts at the time when a record is shown. */
interface Seen {
  readonly state: RunState;
  /** The view without the record, and with it. */
  readonly before: RunView;
  readonly after: RunView;
  readonly glyphs: Glyphs;
}

type Lines<Type extends RecordType> = (record: RecordOf<Type>, seen: Seen) => readonly ShownLine[];

function recordLines(record: Stamped, seen: Seen): readonly ShownLine[] {
  const lines = Object.hasOwn(LINES, record.type) ? LINES[record.type] : undefined;
  return (lines as Lines<RecordType> | undefined)?.(record, seen) ?? [];
}

const LINES: { readonly [Type in RecordType]?: Lines<Type> } = {
  run_opened: ({ goal }) => [framed(`Goal: ${oneLine(goal)}`, 'strong')],
  lease_taken: (_, { state }) => [
    renderedLine(`Continuing${doneText(state)}: ${oneLine(state.goal)}`, 'strong'),
  ],
  settings_changed: settingsLine,
  brief_made: ({ brief }) =>
    isWorthShowing(brief) ? [renderedLine(inLine(briefText(brief)))] : [],
  plan_set: (_, seen) => planLines(seen),
  replanned: (_, seen) => planLines(seen),
  try_ended: ({ again, why }, { state: { guided } }) => {
    if (again) return [renderedLine(`Asking once more: ${oneLine(why)}`, 'dim')];
    return guided.plainTry?.is === 'over' && guided.plainTry.asked > 0
      ? [renderedLine(`The plain try failed: ${oneLine(why)}`, 'dim')]
      : [];
  },
  replan_started: ({ why }) => [renderedLine(`Planning again: ${oneLine(why)}`, 'warning')],
  subtask_started: ({ subtask }, seen) => [framed(subtaskText(subtask, seen), 'active')],
  child_started: ({ again, subtask }, seen) =>
    again ? [] : [framed(`${subtaskText(subtask, seen)} (in a copy)`, 'active')],
  child_joined: (record, seen) =>
    record.status === undefined
      ? [framed(`  ${record.subtask} is not taken: ${oneLine(record.summary)}`, 'warning')]
      : finishedLine({ ...record, status: record.status }, seen),
  turn_finished: (record, seen) => [
    ...spokenLines(record, seen.state),
    ...turnLines(record, seen.before),
  ],
  action_finished: actionLines,
  check_ran: checkLines,
  subtask_finished: finishedLine,
  message_added: ({ cause }, { before }) =>
    cause === 'person' ? before.waiting.map(messageLine) : [],
  person_said: ({ text }) => [framed(`queued: ${oneLine(storedHead(text))}`, 'dim')],
  // On a live screen the question itself follows.
  approval_asked: (record) => [framed(`asks: ${permissionRequestText(record)}`, 'warning')],
  file_restored: (record) => [
    renderedLine(`  ${restoredText(record)}`, record.skipped === '' ? 'plain' : 'warning'),
  ],
};

/** What a leading model says beside its calls, or instead of them. */
function spokenLines(
  { purpose, decoded, response }: RecordOf<'turn_finished'>,
  { settings }: RunState,
): readonly ShownLine[] {
  const isTalk = decoded.kind === 'calls' ? !decoded.recovered : decoded.kind === 'text';
  if (purpose !== 'action' || !isTalk || settings === null || !driverOf(settings).callsTools)
    return [];
  const text = oneLine(storedHead(response.content)).trim();
  if (text === '') return [];
  // A text without a call is usually the answer, which the end shows.
  return [decoded.kind === 'text' ? framed(`  ${text}`) : renderedLine(`  ${text}`)];
}

const messageLine = (text: string): ShownLine => renderedLine(`> ${oneLine(text)}`, 'strong');

/** The model is named quietly; a change of model comes with its reason. */
function settingsLine(
  record: RecordOf<'settings_changed'>,
  { before }: Seen,
): readonly ShownLine[] {
  const text = modelLine(record);
  const isSame = text === before.model;
  if (isSame && record.why === '') return [];
  const why = (before.hasModel || isSame) && record.why !== '' ? `: ${oneLine(record.why)}` : '';
  return [renderedLine(`${text}${why}`, why === '' ? 'dim' : 'warning')];
}

const planLines = ({ after, glyphs }: Seen): ShownLine[] =>
  workTree(after, glyphs).map(({ text }) => framed(text, 'dim'));

const subtaskText = (id: string, { state, glyphs }: Seen): string =>
  `${glyphs.status.in_progress} ${stepIn(state, id)}`;

function stepIn({ plan }: RunState, id: string): string {
  const subtask = (plan ? subtasksOf(plan) : []).find((candidate) => candidate.id === id);
  return subtask ? describeStep(subtask) : id;
}

/** Not repeated after these: the pause, or the model that takes over, says why. */
const SAID_NEXT: ReadonlySet<TurnStatus['kind']> = new Set([
  'success',
  'aborted',
  'auth_failed',
  'quota_exceeded',
  'refused',
]);

/** The same reason is shown once, however often the request is repeated. */
function turnLines(record: RecordOf<'turn_finished'>, before: RunView): readonly ShownLine[] {
  const { kind } = record.status;
  if (SAID_NEXT.has(kind) || record.detail === before.failure) return [];
  const why = oneLine(record.detail);
  return [renderedLine(why === '' ? `${TURN_WORDS[kind]}.` : why, 'warning')];
}

function actionLines(
  record: RecordOf<'action_finished'>,
  { before: { calls, isMending, plan }, glyphs }: Seen,
): readonly ShownLine[] {
  const intended = calls[record.id];
  if (record.status !== 'ok') return failedAction(record, intended, glyphs, plan !== null);
  if (record.touches === 'network')
    return [framed(`  ${glyphs.ok} ${oneLine(record.target ?? '')}`, 'good')];
  if (intended?.class === 'command') return [framed(passedRun(record, intended, glyphs), 'good')];
  return shownFiles(intended?.files ?? []).map((file) => {
    const counts = file.lines === undefined ? '' : lineCountText(file.lines, glyphs);
    const name = `${isMending ? 'mended ' : ''}${visible(file.path)}`;
    const text = [`  ${glyphs.ok} ${name}`, becameText(file), counts].filter(Boolean).join(' ');
    return isMending ? renderedLine(text, 'good') : framed(text, 'good');
  });
}

function checkLines(record: RecordOf<'check_ran'>, { glyphs }: Seen): readonly ShownLine[] {
  const { passed, proof, scratch } = record;
  const text = oneLine(storedHead(record.text));
  // The text of the outcome says enough.
  if (record.subtask === BEFORE_A_PLAN)
    return [
      renderedLine(`${passed ? glyphs.ok : glyphs.failed} ${text}`, passed ? 'good' : 'warning'),
    ];
  if (scratch) return [debugLine(`  ${glyphs.ok} tried in a copy, ${scratchText(record)}`)];
  if (record.when === 'before') return [];
  const { check } = record;
  const cmd = 'cmd' in check ? check.cmd : null;
  if (passed)
    return proof && cmd !== null ? [framed(passedRun(record, { cmd }, glyphs), 'good')] : [];
  if (cmd === null) return [renderedLine(`  ${glyphs.failed} ${text}`, 'bad')];
  return [renderedLine(failedRun(record.facts, cmd, storedHead(record.text), glyphs), 'bad')];
}

function finishedLine(
  {
    subtask,
    status,
    summary,
  }: Pick<RecordOf<'subtask_finished'>, 'subtask' | 'status' | 'summary'>,
  { state, glyphs }: Seen,
): readonly ShownLine[] {
  const tone: Tone = status === 'completed' ? 'good' : status === 'failed' ? 'bad' : 'warning';
  const why = status === 'completed' || summary === '' ? '' : `: ${oneLine(summary)}`;
  return [framed(`${glyphs.status[status]} ${stepIn(state, subtask)}${why}`, tone)];
}
