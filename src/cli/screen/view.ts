import type { RunEvent } from '../../schema/events/events.ts';
import { allTokens } from '../../schema/model/usage.ts';
import type { Plan } from '../../schema/plan.ts';
import type { RecordOf, Stamped } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';
import { storedHead } from '../../schema/stored-head.ts';
import { purposeWords } from '../../shown/turns.ts';
import { modelLine } from '../render/records/describe.ts';
import { type Notes, notesAfter, type WorkNote } from '../render/records/notes.ts';
import { type JsonTail, NO_TAIL, withPiece } from '../render/work/json-tail.ts';
import { shownPlan } from '../render/work/plan-tree.ts';
import { type Activity, actionLabel, activityOf, received, trialText } from './activity.ts';

/** Pure: what a person watching a run needs to know now, folded from events and the time. */
export interface RunView {
  readonly kind: 'run';
  readonly plan: Plan | null;
  /** True once the model is named. */
  readonly hasModel: boolean;
  /** The model as it was last named; ''. */
  readonly model: string;
  /** What the work has produced since this process began. */
  readonly notes: Notes;
  readonly proof: Extract<WorkNote, { kind: 'run' }> | null;
  /** The share of the context window that the last request and its answer took; `null`: unknown so far. */
  readonly contextShare: number | null;
  /** US dollars; `null` if nothing has a price. */
  readonly cost: { readonly usd: number; readonly isLeast: boolean } | null;
  /** When this process began, in milliseconds on the monotonic clock. */
  readonly startedAt: number;
  /** What Ctrl+C does at this moment. */
  readonly wayOut: string;
  /** What Ctrl+C does otherwise. */
  readonly usualWayOut: string;
  /** The current trial of the run's end; '' for none. */
  readonly trial: string;
  readonly activity: Activity;
  /** True while a failure is being repaired. */
  readonly isMending: boolean;
  readonly writing: Writing;
  readonly calls: { readonly [id: string]: Extract<Stamped, { type: 'action_intended' }> };
  /** Messages of the person that the model has not received. */
  readonly waiting: readonly string[];
  /** Messages that the model has received. */
  readonly sentToModel: readonly string[];
  /** Why the last request failed, so that it is shown once. */
  readonly failure: string;
}

/** What the model is writing or a command is printing. */
export interface Writing {
  readonly kind: 'plan' | 'answer' | 'thoughts' | 'output';
  /** The plan as it arrives, from its beginning. */
  readonly plan: string;
  readonly tail: JsonTail;
}

const NOTHING: Writing = { kind: 'answer', plan: '', tail: NO_TAIL };
const PLAN_KEPT = 60_000;

const WAY_OUT = 'Ctrl+C pauses, nothing is lost';
const SKIPS = 'Ctrl+C skips the trials';

export function startView(now: number, wayOut = WAY_OUT): RunView {
  return {
    kind: 'run',
    plan: null,
    hasModel: false,
    model: '',
    notes: {},
    proof: null,
    contextShare: null,
    cost: null,
    startedAt: now,
    wayOut,
    usualWayOut: wayOut,
    trial: '',
    activity: activityOf('starting', 'starting', now),
    isMending: false,
    writing: NOTHING,
    calls: {},
    waiting: [],
    sentToModel: [],
    failure: '',
  };
}

export function reduceView(view: RunView, event: RunEvent, now: number): RunView {
  switch (event.type) {
    case 'record':
      return reduceRecord(withState(view, event.state), event.record, now);
    case 'turn_started': {
      const isPlan = event.purpose === 'plan' || event.purpose === 'replan';
      const label = purposeWords(event.purpose, event.target, view.isMending);
      return {
        ...view,
        writing: { ...NOTHING, kind: isPlan ? 'plan' : 'answer' },
        activity: activityOf('waiting', label, now),
      };
    }
    case 'prompt_read':
      return { ...view, activity: { ...view.activity, read: event.percent } };
    case 'text':
    case 'tool_call_arguments':
      return { ...withReceived(view, 'writing', now), writing: written(view.writing, event.text) };
    case 'thinking':
      return {
        ...withReceived(view, 'thinking', now),
        writing: printed(view.writing, event.text, 'thoughts'),
      };
    case 'action_output':
      return { ...view, writing: printed(view.writing, event.text, 'output') };
    case 'turn_retry':
      return {
        ...view,
        writing: NOTHING,
        activity: { ...activityOf('retrying', 'trying again', now), until: now + event.waitMs },
      };
    case 'trial_started':
      return {
        ...view,
        // Somebody who watches from elsewhere cannot skip trials.
        wayOut: view.usualWayOut === WAY_OUT ? SKIPS : view.wayOut,
        trial: trialText(event),
        activity: activityOf('action', trialText(event), now),
      };
    case 'tool_call_started':
      // The arguments of a call do not belong to the text before them.
      return { ...view, writing: { ...view.writing, tail: NO_TAIL } };
    case 'begun':
    case 'tool_call_ready':
    case 'action_started':
    case 'model_switched':
    case 'permissions':
    case 'notice':
      return view;
    default:
      return event satisfies never;
  }
}

const withReceived = (view: RunView, kind: 'writing' | 'thinking', now: number): RunView => ({
  ...view,
  activity: received(view.activity, kind, now),
});

/** Adds a piece of text. An answer after thoughts begins anew. */
function written({ kind, plan, tail }: Writing, text: string): Writing {
  if (kind === 'plan') return { kind, plan: (plan + text).slice(0, PLAN_KEPT), tail: NO_TAIL };
  return { kind: 'answer', plan, tail: withPiece(kind === 'answer' ? tail : NO_TAIL, text) };
}

/** Thoughts and program output are text, whatever they begin with; a plan stays a plan. */
const printed = ({ kind, plan, tail }: Writing, text: string, as: Writing['kind']): Writing => ({
  kind: kind === 'plan' ? kind : as,
  plan,
  tail: withPiece({ ...(kind === 'answer' ? NO_TAIL : tail), isJson: false }, text),
});

function withState(view: RunView, state: RunState): RunView {
  const { usage, settings, person } = state;
  const { cost, last } = usage;
  const window = settings?.numCtx ?? 0;
  return {
    ...view,
    plan: shownPlan(state),
    contextShare:
      last === null || allTokens(last) === 0 || window === 0
        ? view.contextShare
        : allTokens(last) / window,
    cost:
      cost === undefined || (cost.usd === 0 && cost.unknownTurns > 0)
        ? null
        : { usd: cost.usd, isLeast: cost.unknownTurns > 0 },
    isMending: state.round?.origin === 'repair' && state.active !== null,
    waiting: person?.waiting.map(({ text }) => storedHead(text)) ?? [],
    sentToModel: person?.told ?? [],
  };
}

function reduceRecord(view: RunView, record: Stamped, now: number): RunView {
  switch (record.type) {
    case 'action_intended': {
      const calls = { ...view.calls, [record.id]: record };
      const what = view.trial || actionLabel(record, view.isMending);
      const activity = activityOf('action', what, now);
      return { ...view, calls, writing: NOTHING, activity };
    }
    case 'action_finished': {
      const { [record.id]: intended, ...calls } = view.calls;
      const notes = notesAfter(view.notes, intended, record);
      return { ...view, calls, notes, ...idle(now) };
    }
    case 'check_ran':
      return { ...view, proof: proofAfter(view.proof, record), ...idle(now) };
    case 'turn_finished': {
      const failure = record.status.kind === 'success' ? '' : record.detail;
      return { ...view, failure, ...idle(now) };
    }
    case 'settings_changed':
      return { ...withoutTrial(view), model: modelLine(record) };
    case 'verdict_given':
      return withoutTrial(view);
    case 'lease_taken':
    case 'run_resumed':
      return { ...view, hasModel: true };
    case 'run_paused':
    case 'run_finished':
      return { ...view, writing: NOTHING, activity: activityOf('ended', 'ended', now) };
    default:
      return view;
  }
}

const withoutTrial = (view: RunView): RunView =>
  view.trial === '' ? view : { ...view, trial: '', wayOut: view.usualWayOut };

const idle = (now: number): Pick<RunView, 'writing' | 'activity'> => ({
  writing: NOTHING,
  activity: activityOf('waiting', 'working', now),
});

/** A result before the work, or in the copy, does not show whether the goal is reached. */
function proofAfter(before: RunView['proof'], ran: RecordOf<'check_ran'>): RunView['proof'] {
  if (!ran.proof || ran.scratch || ran.when === 'before') return before;
  const cmd = 'cmd' in ran.check ? ran.check.cmd : '';
  return { kind: 'run', cmd, isGood: ran.passed, tests: ran.facts.tests };
}
