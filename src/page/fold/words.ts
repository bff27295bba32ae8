/** How the page says things: pure, plain English. */
import type { Beyond } from '../../schema/evidence.ts';
import { sayCheck } from './checks.ts';
import { plural, type Said, type Shape } from './said.ts';
import type { ActionEntry, Entry, TurnEntry, TurnNow, Work } from './work.ts';

export { plural, type Said, type Shape };

const STANDINGS: { readonly [standing: string]: Said } = {
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
  answered: { word: 'Answered', shape: 'told', tone: 'plain' },
  unverified: { word: 'Not verified', shape: 'unsure', tone: 'warn' },
  failed: { word: 'Failed', shape: 'failed', tone: 'bad' },
  undoing: { word: 'Is being undone', shape: 'undone', tone: 'live' },
  undone: { word: 'Undone', shape: 'undone', tone: 'plain' },
  damaged: { word: 'Damaged', shape: 'failed', tone: 'bad' },
  not_begun: { word: 'Did not begin', shape: 'failed', tone: 'bad' },
};

export const saidOf = (standing: string): Said =>
  STANDINGS[standing] ?? { word: standing, shape: 'open', tone: 'plain' };

const IN_PART: Said = { word: 'Proved in part', shape: 'part', tone: 'warn' };

/** How a run stands in a list. */
export const saidOfRun = ({
  standing,
  isPartly,
}: {
  readonly standing: string;
  readonly isPartly?: true | undefined;
}): Said => (standing === 'achieved' && isPartly ? IN_PART : saidOf(standing));

/** How a run ended, as its own view says it: its proof may say nothing about a part of the work. */
export function endingOf(standing: string, beyond: Beyond | null): Said {
  const said = saidOf(standing);
  if (standing !== 'achieved') return said;
  return (beyond?.files.length ?? 0) > 0 ? IN_PART : { ...said, word: 'Proved' };
}

/** Of what nobody tells any more it is known how it stood, and not that it goes on. */
export const lastSeen = (said: Said): Said =>
  said.tone === 'live' ? { word: 'Working when last seen', shape: 'open', tone: 'plain' } : said;

/** @param told by the server, which knows whether a process lives; '' where nobody told it */
export function standingOf({ standing, questions }: Work, told: string): string {
  if (questions.length > 0 && !isOver(standing)) return 'waiting';
  if (told === '' || (isOver(standing) && told === 'running')) return standing;
  return told === 'running' && standing === 'idle' ? 'idle' : told;
}

const OVER: ReadonlySet<string> = new Set([
  'achieved',
  'answered',
  'unverified',
  'failed',
  'undone',
  'not_begun',
]);

export const isOver = (standing: string): boolean => OVER.has(standing);

/** What an undo did, in whole sentences. */
export function sayUndone({ putBack, leftAlone }: Pick<Work, 'putBack' | 'leftAlone'>): string {
  const back = [...new Set(putBack)];
  const [first = ''] = back;
  const left = [...new Set(leftAlone)];
  return [
    back.length === 1 && `${first} is as it was before the run.`,
    back.length > 1 && `${back.length} files are as they were before the run.`,
    left.length > 0 && `Left as it was found: ${left.join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Whether a process works on it now. @param told by the server */
export const isAtWork = (told: string): boolean => ['running', 'starting', 'queued'].includes(told);

export const canGoOn = (told: string): boolean => ['paused', 'killed'].includes(told);

export function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const two = (value: number) => String(value).padStart(2, '0');
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (seconds < 60) return `${(ms / 1000).toFixed(seconds < 10 ? 1 : 0)} s`;
  if (minutes < 60) return `${minutes}:${two(seconds % 60)} min`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)} h`;
}

export function tokens(count: number): string {
  if (count < 1000) return String(count);
  if (count < 100_000) return `${(count / 1000).toFixed(1)}k`;
  return count < 1_000_000 ? `${Math.round(count / 1000)}k` : `${(count / 1_000_000).toFixed(2)}M`;
}

export const dollars = (cost: number): string =>
  cost === 0 ? '$0' : cost < 0.01 ? '< $0.01' : `$${cost.toFixed(2)}`;

/** What a conversation is called; one whose journal is gone has no number. */
export const titleOf = ({ name, number }: { name: string | null; number: number | null }): string =>
  name ?? (number === null ? 'Conversation' : `Conversation #${number}`);

/** It breaks into no two lines. @param now milliseconds since 1970 */
export function ago(at: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - at) / 1000));
  if (at === 0) return '';
  if (seconds < 60) return 'now';
  if (seconds < 3600) return `${Math.floor(seconds / 60)}\u00a0min\u00a0ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}\u00a0h\u00a0ago`;
  return `${Math.floor(seconds / 86_400)}\u00a0d\u00a0ago`;
}

/** Of the reader's own clock, with 24 hours. */
export const clockTime = (at: number): string =>
  at === 0 ? '' : new Date(at).toTimeString().slice(0, 8);

/** Of the reader's own calendar: `2026-11-28 14:09:07`. */
export function dayAndTime(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clockTime(at)}`;
}

/**
 * As a sentence of its own. A name such as `site/report.js` stays as it is written.
 * @param command stays as it is written, too
 */
export function sentence(words: string, command = ''): string {
  if (words === '') return '';
  const isCommand = command !== '' && words.startsWith(command);
  const isWord = !isCommand && /^\p{L}+(?=[\s,;:.!?]*(?:\s|$))/u.test(words);
  const begin = isWord ? words.charAt(0).toUpperCase() : words.charAt(0);
  return `${begin}${words.slice(1)}${/[.!?。！？]$/.test(words) ? '' : '.'}`;
}

/** The end of a path, whichever system it is of. */
export const lastPart = (path: string): string =>
  path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;

export const spent = ({ usage }: Pick<Work, 'usage'>): number =>
  usage.input + usage.output + usage.cacheRead + usage.cacheWrite;

const PURPOSES: { readonly [purpose: string]: string } = {
  brief: 'reads the goal',
  plan: 'plans',
  replan: 'plans anew',
  try: 'tries it at once',
  action: 'chooses what to do',
  content: 'writes',
  summary: 'sums up',
};

export const sayPurpose = (purpose: string, target: string): string =>
  [PURPOSES[purpose] ?? 'answers', target].filter(Boolean).join(' ');

/** How much of the prompt is read, before the first word; '' where nobody tells. */
export const sayRead = ({ read, text, thinking, calls }: TurnNow): string =>
  read === undefined || text !== '' || thinking !== '' || calls.length > 0
    ? ''
    : `, ${read} % of the prompt read`;

/** One line that says an entry, for a row, a mark of the timeline and a screen reader. */
export function sayEntry(entry: Entry): string {
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

/** What the model said in it, shortly. */
const firstLine = (text: string): string => (text.trim().split('\n')[0] ?? '').slice(0, 120);

const sayTurn = ({ purpose, target, status, detail, turn, text }: TurnEntry): string =>
  status === 'success'
    ? `Turn ${turn}: ${firstLine(text) || `the model ${sayPurpose(purpose, target)}`}`
    : `Turn ${turn}: ${detail || status}`;

const sayAction = ({ name, target, status }: ActionEntry): string =>
  [name, target, ...(status === 'ok' ? [] : [`(${sayStatus(status)})`])].filter(Boolean).join(' ');

export const sayStatus = (status: string): string =>
  STATUSES[status] ?? status.replaceAll('_', ' ');

const STATUSES: { readonly [status: string]: string } = {
  ok: 'done',
  running: 'runs',
  error: 'failed',
  timeout: 'ran out of time',
  not_run: 'did not run',
  denied: 'was refused',
  blocked: 'was blocked: it had been tried before',
};
