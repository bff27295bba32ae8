import { traitsOf } from '../../schema/driver.ts';
import type { RunEvent } from '../../schema/events.ts';
import { subtasksOf } from '../../schema/plan.ts';
import type { Stamped } from '../../schema/records.ts';
import { BEFORE_A_PLAN } from '../../schema/run-facts.ts';
import type { RunState } from '../../schema/state.ts';
import {
  candidateText,
  describeCheck,
  describeRecord,
  describeStep,
  headOf,
  profileText,
} from './describe.ts';
import { permissionLines } from './permissions.ts';
import { planTree } from './plan-tree.ts';
import type { Glyphs, Tone } from './style.ts';
import { count, duration, oneLine, plural } from './text.ts';
import { TURN_WORDS } from './trouble.ts';
import type { View } from './view.ts';

/** Pure: the lines an event leaves behind for good, above whatever is redrawn. */
export interface Line {
  readonly text: string;
  readonly tone: Tone;
  readonly level: 'always' | 'normal' | 'verbose';
  /** Shown by the redrawn frame already; only a plain renderer prints it. */
  readonly inFrame?: boolean;
}

export function linesOf(event: RunEvent, before: View, glyphs: Glyphs): readonly Line[] {
  switch (event.type) {
    case 'record':
      return [...shown(event.record, event.state, before, glyphs), ...traced(event.record)];
    case 'turn_retry': {
      // Why was said already, when the attempt before it ended.
      const when = event.waitMs > 0 ? `in ${duration(event.waitMs)}` : 'at once';
      return [normal(`  try ${event.attempt} ${when}`, 'warning')];
    }
    case 'model_switched':
      return [
        normal(`  continuing with ${candidateText(event.to)}: ${oneLine(event.why)}`, 'warning'),
      ];
    case 'permissions':
      return permissionLines(event).map((text) => normal(text, 'dim'));
    case 'notice':
      return [normal(oneLine(event.text), event.level === 'warning' ? 'warning' : 'plain')];
    case 'turn_started':
    case 'text':
    case 'thinking':
    case 'action_output':
      return [];
    default:
      return event satisfies never;
  }
}

const normal = (text: string, tone: Tone = 'plain'): Line => ({ text, tone, level: 'normal' });

const traced = (record: Stamped): Line[] => [
  {
    text: `  [${record.seq}] ${record.type} ${describeRecord(record)}`,
    tone: 'dim',
    level: 'verbose',
  },
];

function shown(record: Stamped, state: RunState, before: View, glyphs: Glyphs): Line[] {
  switch (record.type) {
    case 'run_opened':
      return [normal(`Goal: ${oneLine(record.goal)}`, 'strong')];
    case 'run_resumed':
      return [normal(resumedText(state), 'strong')];
    case 'settings_changed':
      return [normal(settingsText(record), 'dim')];
    case 'plan_set':
      return [...fallbackLine(record.plan.fallback), ...planLines(state, glyphs)];
    case 'replanned':
      return [normal(`New plan: ${oneLine(record.why)}`), ...planLines(state, glyphs)];
    case 'replan_started':
      return [normal(`Planning again: ${oneLine(record.why)}`, 'warning')];
    case 'round_started': {
      const text = `round ${state.counters.roundsSinceResume} of ${before.maxRounds}`;
      return [{ ...normal(`  ${text}`, 'dim'), inFrame: true }];
    }
    case 'subtask_started':
      return [{ ...normal(subtaskText(record.subtask, state, glyphs), 'active'), inFrame: true }];
    case 'turn_finished':
      if (record.status.kind === 'success' || record.status.kind === 'aborted') return [];
      return [normal(`  ${TURN_WORDS[record.status.kind]}: ${oneLine(record.detail)}`, 'warning')];
    case 'action_finished':
      return [actionLine(record, state, before, glyphs)];
    case 'check_ran':
      return isRepeated(record) ? [] : [checkLine(record, glyphs)];
    case 'subtask_finished':
      return [finishedLine(record, glyphs)];
    case 'compacted':
      return [normal('  conversation shortened to fit the model', 'dim')];
    case 'approval_asked':
      return [normal(`  asks: ${oneLine(record.question)}`, 'warning')];
    case 'file_restored':
      return [normal(`  ${describeRecord(record)}`, record.skipped === '' ? 'plain' : 'warning')];
    default:
      return [];
  }
}

function resumedText(state: RunState): string {
  const { rounds, turns, actions } = state.counters;
  const work = [plural(rounds, 'round'), plural(turns, 'model turn'), plural(actions, 'action')];
  return `Resuming after ${work.join(', ')}: ${oneLine(state.goal)}`;
}

const MODES = { native: 'native tool calls', json: 'JSON actions' } as const;

function settingsText(record: Extract<Stamped, { type: 'settings_changed' }>): string {
  const mode = MODES[traitsOf(record).mode];
  const why = record.why === '' ? '' : ` (${oneLine(record.why)})`;
  const profile = profileText(record.profile);
  return `Model: ${oneLine(record.provider)} ${modelName(record.model)}${profile}, ${mode}, window ${count(record.numCtx)}${why}`;
}

/** Of a model that is a file, its name is enough. */
const modelName = (model: string): string =>
  oneLine(model.split(/[\\/](?=[^\\/]*\.gguf$)/).at(-1) ?? model);

const fallbackLine = (isFallback: boolean): Line[] =>
  isFallback
    ? [normal('The model gave no usable plan; the goal itself is the only subtask.', 'warning')]
    : [];

const planLines = (state: RunState, glyphs: Glyphs): Line[] =>
  state.plan === null
    ? []
    : planTree(state.plan, glyphs).map(({ text }) => ({ ...normal(text, 'dim'), inFrame: true }));

function subtaskText(id: string, state: RunState, glyphs: Glyphs): string {
  const subtasks = state.plan ? subtasksOf(state.plan) : [];
  const subtask = subtasks.find((candidate) => candidate.id === id);
  const step = subtask ? ` ${describeStep(subtask)}` : '';
  return `${glyphs.status.in_progress} ${id}${step}`;
}

function actionLine(
  record: Extract<Stamped, { type: 'action_finished' }>,
  state: RunState,
  before: View,
  glyphs: Glyphs,
): Line {
  const { status, facts } = record;
  const action = state.active?.actions.find((candidate) => candidate.id === record.id);
  const call =
    before.calls[record.id] ?? oneLine(`${record.tool}${action ? ` ${action.target}` : ''}`);
  const took = facts.durationMs === undefined ? '' : ` ${duration(facts.durationMs)}`;
  const exit =
    facts.exitCode === undefined || facts.exitCode === null ? '' : ` exit ${facts.exitCode}`;
  if (status === 'ok') return normal(`  ${glyphs.ok} ${call}${exit}${took}`, 'good');
  const why = oneLine(headOf(record.result));
  const tone = status === 'error' || status === 'timeout' ? 'bad' : 'warning';
  return normal(`  ${glyphs.failed} ${call} ${status}${exit}${took}: ${why}`, tone);
}

function checkLine(record: Extract<Stamped, { type: 'check_ran' }>, glyphs: Glyphs): Line {
  const mark = record.passed ? glyphs.ok : glyphs.failed;
  // It says of itself what it is.
  if (record.subtask === BEFORE_A_PLAN)
    return normal(`  ${mark} ${oneLine(headOf(record.text))}`, record.passed ? 'good' : 'warning');
  const name = record.proof ? 'proof' : 'check';
  const text = describeCheck(record.check);
  if (record.scratch)
    return normal(`  ${glyphs.ok} tried in a copy, ${scratchText(record)}`, 'dim');
  if (record.passed) return normal(`  ${mark} ${name}: ${text}`, 'good');
  return normal(`  ${mark} ${name}: ${text}: ${oneLine(headOf(record.text))}`, 'bad');
}

/** One line says that an input was tried. */
const isRepeated = ({ scratch }: Extract<Stamped, { type: 'check_ran' }>): boolean =>
  scratch?.what === 'input' && !scratch.about.startsWith('1: ');

/** What it differed in, and how it ended: there a failure may be what was hoped for. */
function scratchText({ check, passed, scratch }: Extract<Stamped, { type: 'check_ran' }>): string {
  const { what = '', about = '' } = scratch ?? {};
  const [input = ''] = about.split('\n');
  const words: { readonly [what: string]: string } = {
    unchanged: 'as it is',
    rehearsal: 'before it may change what is given',
    before: 'as it was before the run',
    old_code: 'with the code as it was before the run',
    old_tests: 'with the tests as they were before the run',
    emptied: `with ${about} emptied`,
    without: `without ${about}`,
    input: `with the input ${input.replace(/^\d+: /, '')}`,
    first_proof: 'with the first proof',
  };
  const how = oneLine(words[what] ?? what);
  return `${how}: ${describeCheck(check)} ${passed ? 'passes' : 'fails'}`;
}

function finishedLine(
  record: Extract<Stamped, { type: 'subtask_finished' }>,
  glyphs: Glyphs,
): Line {
  const tone: Tone =
    record.status === 'completed' ? 'good' : record.status === 'failed' ? 'bad' : 'warning';
  const summary = record.summary === '' ? '' : `: ${oneLine(record.summary)}`;
  const mark = glyphs.status[record.status];
  return normal(`${mark} ${record.subtask} ${record.status}${summary}`, tone);
}
