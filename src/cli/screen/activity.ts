import type { RunEvent, SessionEvent } from '../../schema/events/events.ts';
import type { Stamped } from '../../schema/records.ts';
import { callText, shownTargetIn, toolLabel } from '../../shown/calls.ts';
import { oneLine, wholeSeconds } from '../render/text/text.ts';

/** Pure: what the program is doing, in words for a person who waits for it. */
export interface Activity {
  readonly kind: 'starting' | 'waiting' | 'thinking' | 'writing' | 'action' | 'retrying' | 'ended';
  readonly label: string;
  /** Milliseconds on the monotonic clock. */
  readonly since: number;
  /** When it ends by itself, if known. */
  readonly until?: number;
  /** Percent of the prompt that the model has read, if the server reports it. */
  readonly read?: number;
  /** When the first word of this turn arrived; `null` before. */
  readonly firstWordAt: number | null;
  /** Pieces of the answer so far; most backends send one token per piece. */
  readonly pieces: number;
}

export const activityOf = (kind: Activity['kind'], label: string, since: number): Activity => ({
  kind,
  label,
  since,
  firstWordAt: null,
  pieces: 0,
});

export const received = (
  activity: Activity,
  kind: 'writing' | 'thinking',
  now: number,
): Activity => ({
  ...activity,
  kind,
  firstWordAt: activity.firstWordAt ?? now,
  pieces: activity.pieces + 1,
});

/** `running pytest -q`, `writing todo.py`. */
export function actionLabel(
  { class: kind, args, files }: Extract<Stamped, { type: 'action_intended' }>,
  isMending: boolean,
): string {
  const about = oneLine((args.cmd === undefined && files[0]?.path) || shownTargetIn(args));
  const verb = {
    command: 'running',
    check: 'running',
    write: isMending ? 'mending' : 'writing',
    read: 'looking at',
    control: 'checking',
  }[kind];
  return kind === 'control' || about === '' ? 'checking what was done' : `${verb} ${about}`;
}

/** `trial 2 of 5: with calc.py emptied`. */
export const trialText = ({ n, of, words }: Extract<RunEvent, { type: 'trial_started' }>): string =>
  `trial ${n} of ${of}: ${oneLine(words)}`;

/** The activity of a conversation from this event on; `null`: unchanged. */
export function talking(event: SessionEvent): Pick<Activity, 'kind' | 'label'> | null {
  switch (event.type) {
    case 'turn_started': {
      const isSummary = event.purpose === 'summary';
      const label = isSummary ? 'summarising the conversation' : 'waiting for the model';
      return { kind: 'waiting', label };
    }
    case 'thinking':
      return { kind: 'thinking', label: 'thinking' };
    case 'text':
      return { kind: 'writing', label: 'writing' };
    case 'tool_call_started':
      return { kind: 'writing', label: `calling ${oneLine(toolLabel(event.name))}` };
    case 'action_started': {
      const { name, args } = event.call;
      return { kind: 'action', label: oneLine(callText(name, shownTargetIn(args))) };
    }
    default:
      return null;
  }
}

/** Tokens per second of the current answer; `null` before there is anything to measure. */
export function speed({ firstWordAt, pieces }: Activity, now: number): number | null {
  if (firstWordAt === null || pieces < 3 || now - firstWordAt < 500) return null;
  return (pieces / (now - firstWordAt)) * 1000;
}

const STILL_LOADING = [
  ', waiting for the model (it is loading or reading the prompt)',
  ', waiting for the model',
];

/** Only reported figures are shown: the progress of a model that reports nothing is unknown. */
const lateWords = ({ read }: Activity): readonly string[] =>
  read === undefined
    ? STILL_LOADING
    : [
        `, waiting for the model (${read} % of the prompt read)`,
        `, ${read} % of the prompt read`,
        `, ${read} % read`,
      ];

const isLate = ({ kind, label, since }: Activity, now: number): boolean =>
  kind === 'waiting' && label !== 'working' && now - since > 3000;

/**
 * `planning 6 s, waiting for the model (it is loading or reading the prompt)`, shortened if it does not fit.
 * @param fits whether a text fits
 */
export function activityText(
  activity: Activity,
  now: number,
  fits: (text: string) => boolean = () => true,
): string {
  const { kind, label, since, until } = activity;
  if (until !== undefined && until > now) return `${label} in ${wholeSeconds(until - now + 999)}`;
  const more = isLate(activity, now)
    ? lateWords(activity)
    : kind === 'thinking'
      ? [', thinking']
      : [];
  return longest(`${label} ${wholeSeconds(now - since)}`, more, fits);
}

/** The same in a conversation, with what Ctrl+C does if there is room. */
export function conversationActivity(
  activity: Activity,
  now: number,
  wayOut: string,
  fits: (text: string) => boolean,
): string {
  const { label, since, read } = activity;
  const time = now - since < 1000 ? '' : ` ${wholeSeconds(now - since)}`;
  if (read === undefined || !isLate(activity, now)) return longest(label + time, [wayOut], fits);
  const [share, short] = [`, ${read} % of the prompt read`, `, ${read} % read`];
  return longest(label + time, [share + wayOut, short + wayOut, share, short], fits);
}

const longest = (what: string, more: readonly string[], fits: (text: string) => boolean): string =>
  more.map((words) => what + words).find(fits) ?? what;
