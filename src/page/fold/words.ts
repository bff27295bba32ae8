/** The words of the page, in plain English. Pure. */
import type { NotCovered } from '../../schema/evidence.ts';
import { allTokens } from '../../schema/model/usage.ts';
import { callText, STATUS_WORDS } from '../../shown/calls.ts';
import { purposeWords, TURN_WORDS } from '../../shown/turns.ts';
import { sayCheck } from './checks.ts';
import type { Label, StandingShape } from './label.ts';
import { readable } from './visible.ts';
import type { ActionEntry, TurnEntry, TurnNow, WatchedWork, WorkEntry } from './work.ts';

export { duration, plural } from '../../lib/text/figures.ts';
export type { Label, StandingShape };

const STANDINGS: { readonly [standing: string]: Label } = {
  queued: { word: 'Queued', shape: 'open', tone: 'plain' },
  starting: { word: 'Starts', shape: 'working', tone: 'live' },
  running: { word: 'Working', shape: 'working', tone: 'live' },
  working: { word: 'Working', shape: 'working', tone: 'live' },
  waiting: { word: 'Waits for you', shape: 'waiting', tone: 'warn' },
  killed: { word: 'Was cut off', shape: 'killed', tone: 'warn' },
  paused: { word: 'Paused', shape: 'paused', tone: 'plain' },
  idle: { word: 'Ready', shape: 'open', tone: 'plain' },
  closed: { word: 'Closed', shape: 'open', tone: 'plain' },
  achieved: { word: 'Proof passed', shape: 'proved', tone: 'good' },
  answered: { word: 'Answered', shape: 'unchecked', tone: 'plain' },
  unverified: { word: 'Not verified', shape: 'unsure', tone: 'warn' },
  failed: { word: 'Failed', shape: 'failed', tone: 'bad' },
  undoing: { word: 'Its undo was cut off', shape: 'undone', tone: 'warn' },
  undone: { word: 'Undone', shape: 'undone', tone: 'plain' },
  damaged: { word: 'Damaged', shape: 'failed', tone: 'bad' },
  not_begun: { word: 'Did not begin', shape: 'failed', tone: 'bad' },
  gone: { word: 'Journal taken away', shape: 'failed', tone: 'bad' },
};

export const labelOf = (standing: string): Label =>
  STANDINGS[standing] ?? { word: standing, shape: 'open', tone: 'plain' };

const IN_PART: Label = { word: 'Proved in part', shape: 'part', tone: 'warn' };

/** How a run stands in a list. */
export const runLabelOf = ({
  standing,
  isPartly,
}: {
  readonly standing: string;
  readonly isPartly?: true | undefined;
}): Label => (standing === 'achieved' && isPartly ? IN_PART : labelOf(standing));

/** How a run ended, in the words of its own view: the proof may not cover a part of the work. */
export function endingOf(standing: string, beyond: NotCovered | null): Label {
  const label = labelOf(standing);
  if (standing !== 'achieved') return label;
  return (beyond?.files.length ?? 0) > 0 ? IN_PART : { ...label, word: 'Proved' };
}

/** The label while the server is away: how it stood then is known, whether it continues is not. */
export const lastSeen = (label: Label): Label =>
  label.tone === 'live' ? { word: 'Working when last seen', shape: 'open', tone: 'plain' } : label;

/** @param serverStanding from the server, which knows whether a process is alive; '' if unknown */
export function shownStanding(
  { standing, questions }: WatchedWork,
  serverStanding: string,
): string {
  if (questions.length > 0 && !isOverStanding(standing)) return 'waiting';
  if (serverStanding === '' || (isOverStanding(standing) && serverStanding === 'running'))
    return standing;
  return serverStanding === 'running' && standing === 'idle' ? 'idle' : serverStanding;
}

const OVER: ReadonlySet<string> = new Set([
  'achieved',
  'answered',
  'unverified',
  'failed',
  'undone',
  'not_begun',
  'gone',
]);

export const isOverStanding = (standing: string): boolean => OVER.has(standing);

/** Says in whole sentences what an undo did. */
export function sayUndone({
  putBack,
  leftAlone,
}: Pick<WatchedWork, 'putBack' | 'leftAlone'>): string {
  const restored = [...new Set(putBack)];
  const [first = ''] = restored;
  const untouched = [...new Set(leftAlone)];
  return [
    restored.length === 1 && `${first} is as it was before the run.`,
    restored.length > 1 && `${restored.length} files are as they were before the run.`,
    untouched.length > 0 && `Left as it was found: ${untouched.join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Whether a process works on it now. */
export const isAtWork = (serverStanding: string): boolean =>
  ['running', 'starting', 'queued'].includes(serverStanding);

export const canGoOn = (serverStanding: string): boolean =>
  ['paused', 'killed'].includes(serverStanding);

export function tokenText(count: number): string {
  if (count < 1000) return String(count);
  if (count < 100_000) return `${(count / 1000).toFixed(1)}k`;
  return count < 1_000_000 ? `${Math.round(count / 1000)}k` : `${(count / 1_000_000).toFixed(2)}M`;
}

/** The title of a conversation; one whose journal is gone has no number. */
export const titleOf = ({ name, number }: { name: string | null; number: number | null }): string =>
  name ?? (number === null ? 'Conversation' : `Conversation #${number}`);

/** Has no line breaks. @param now milliseconds since 1970 */
export function ago(at: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - at) / 1000));
  if (at === 0) return '';
  if (seconds < 60) return 'now';
  if (seconds < 3600) return `${Math.floor(seconds / 60)}\u00a0min\u00a0ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}\u00a0h\u00a0ago`;
  return `${Math.floor(seconds / 86_400)}\u00a0d\u00a0ago`;
}

/** In the reader's time zone, with 24 hours. */
export const clockTime = (at: number): string =>
  at === 0 ? '' : new Date(at).toTimeString().slice(0, 8);

/** In the reader's time zone: `2026-11-28 14:09:07`. */
export function dayAndTime(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clockTime(at)}`;
}

/** Words of the engine with a full stop. Their first letter stays as it is: they may begin with a command. */
export const withFullStop = (words: string): string =>
  words === '' || /[.!?。！？]$/.test(words) ? words : `${words}.`;

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** The last part of a path of any system. */
export const lastPart = (path: string): string =>
  path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;

/** True if a folder is one of these or lies below one; all are real paths of the server's system. */
export const isBelow = (path: string, roots: readonly string[]): boolean =>
  roots.some((root) => {
    const separator = root.includes('\\') ? '\\' : '/';
    return path === root || path.startsWith(root.endsWith(separator) ? root : root + separator);
  });

export const spent = ({ usage }: Pick<WatchedWork, 'usage'>): number => allTokens(usage);

/** How much of the prompt is read, until the first word; '' if unknown. */
export const sayRead = ({ read, text, thinking, calls }: TurnNow): string =>
  read === undefined || text !== '' || thinking !== '' || calls.length > 0
    ? ''
    : `, ${read} % of the prompt read`;

/** An entry in one line, for a row, a mark of the timeline and a screen reader. */
export const sayEntry = (entry: WorkEntry): string => readable(wordsOf(entry));

function wordsOf(entry: WorkEntry): string {
  switch (entry.kind) {
    case 'turn':
      return sayTurn(entry);
    case 'action':
      return sayAction(entry);
    case 'check':
      return sayCheck(entry);
    case 'said':
      return `You: ${entry.text}`;
    case 'command':
      return entry.line;
    case 'mark':
      return entry.text;
    default:
      return entry satisfies never;
  }
}

/** The first line of a text, shortened. */
const firstLine = (text: string): string => (text.trim().split('\n')[0] ?? '').slice(0, 120);

const sayTurn = ({ purpose, target, status, detail, turn, text }: TurnEntry): string =>
  status === 'success'
    ? `Turn ${turn}: ${firstLine(text) || purposeWords(purpose, target)}`
    : `Turn ${turn}: ${detail || TURN_WORDS[status]}`;

const sayAction = ({ name, target, status }: ActionEntry): string =>
  `${callText(name, target)}${status === 'ok' ? '' : ` (${sayStatus(status)})`}`;

export const sayStatus = (status: string): string =>
  STATUSES[status] ?? status.replaceAll('_', ' ');

const STATUSES: { readonly [status: string]: string } = {
  ...STATUS_WORDS,
  running: 'runs',
  error: 'failed',
};
