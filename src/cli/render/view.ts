import type { RunEvent } from '../../schema/events.ts';
import type { Plan } from '../../schema/plan.ts';
import type { Stamped } from '../../schema/records.ts';
import { describeCall } from './describe.ts';
import { oneLine } from './text.ts';

/** Pure: what a person watching a run needs to know now, folded from events and the time. */
export interface View {
  readonly goal: string;
  readonly plan: Plan | null;
  readonly round: number;
  readonly maxRounds: number;
  readonly tokens: number;
  readonly activity: Activity;
  /** The end of what the model is writing or a command is printing. */
  readonly stream: string;
  /** What open actions are about, by id. */
  readonly calls: { readonly [id: string]: string };
}

export interface Activity {
  readonly kind: 'starting' | 'waiting' | 'thinking' | 'writing' | 'action' | 'retrying' | 'ended';
  readonly label: string;
  /** Milliseconds on the monotonic clock. */
  readonly since: number;
  /** When the first word of this turn came; `null` before. */
  readonly firstWordAt: number | null;
  /** Pieces of answer so far; most backends send one token a piece. */
  readonly pieces: number;
}

const STREAM_KEPT = 4000;

export function startView(goal: string, maxRounds: number, now: number): View {
  return {
    goal,
    plan: null,
    round: 0,
    maxRounds,
    tokens: 0,
    activity: activity('starting', 'starting', now),
    stream: '',
    calls: {},
  };
}

export function reduceView(view: View, event: RunEvent, now: number): View {
  switch (event.type) {
    case 'record': {
      const { state } = event;
      const total = state.usage.total;
      const tokens =
        total.input + total.cacheRead + total.cacheWrite + total.output + total.thinking;
      const round = state.counters.roundsSinceResume;
      const seen = { ...view, goal: state.goal, plan: state.plan, round, tokens };
      return reduceRecord(seen, event.record, now);
    }
    case 'turn_started':
      return { ...view, stream: '', activity: activity('waiting', waitingLabel(event), now) };
    case 'text':
      return withStream(heard(view, 'writing', now), event.text);
    case 'thinking':
      return withStream(heard(view, 'thinking', now), event.text);
    case 'action_output':
      return withStream(view, event.text);
    case 'turn_retry':
      return { ...view, stream: '', activity: activity('retrying', 'waiting to try again', now) };
    case 'model_switched':
    case 'permissions':
    case 'notice':
      return view;
    default:
      return event satisfies never;
  }
}

function reduceRecord(view: View, record: Stamped, now: number): View {
  switch (record.type) {
    case 'action_intended': {
      const call = describeCall(record.tool, record.args);
      const calls = { ...view.calls, [record.id]: call };
      return { ...view, calls, stream: '', activity: activity('action', call, now) };
    }
    case 'action_finished': {
      const { [record.id]: _done, ...calls } = view.calls;
      return { ...view, calls, stream: '', activity: activity('waiting', 'working', now) };
    }
    case 'turn_finished':
      return { ...view, stream: '', activity: activity('waiting', 'working', now) };
    case 'run_paused':
    case 'run_finished':
      return { ...view, stream: '', activity: activity('ended', 'ended', now) };
    default:
      return view;
  }
}

function waitingLabel(event: Extract<RunEvent, { type: 'turn_started' }>): string {
  switch (event.purpose) {
    case 'plan':
      return 'planning';
    case 'replan':
      return 'planning again';
    case 'content':
      return `writing ${oneLine(event.target ?? 'the file')}`;
    case 'summary':
      return 'summarising';
    default:
      return 'deciding';
  }
}

const activity = (kind: Activity['kind'], label: string, since: number): Activity => ({
  kind,
  label,
  since,
  firstWordAt: null,
  pieces: 0,
});

function heard(view: View, kind: 'writing' | 'thinking', now: number): View {
  const { firstWordAt, pieces } = view.activity;
  return {
    ...view,
    activity: {
      ...view.activity,
      kind,
      firstWordAt: firstWordAt ?? now,
      pieces: pieces + 1,
    },
  };
}

const withStream = (view: View, text: string): View => ({
  ...view,
  stream: (view.stream + text).slice(-STREAM_KEPT),
});

/** Tokens a second of the answer under way; `null` before there is something to measure. */
export function speed(view: View, now: number): number | null {
  const { firstWordAt, pieces } = view.activity;
  if (firstWordAt === null || pieces < 3 || now - firstWordAt < 500) return null;
  return (pieces / (now - firstWordAt)) * 1000;
}

/** What is going on, in a few words: `deciding: no answer yet (a model may be loading)`. */
export function describeActivity(view: View, now: number): string {
  const { kind, label, since } = view.activity;
  const isLate = kind === 'waiting' && label !== 'working' && now - since > 3000;
  if (isLate) return `${label}, waiting for the model (it is loading or reading the prompt)`;
  if (kind === 'thinking') return `${label}, thinking`;
  return label;
}
