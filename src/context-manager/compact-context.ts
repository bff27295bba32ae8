/** Pure: whether the conversation must be shortened, where, and the text that stands in its place. */
import type { MessageRef, RunState } from '../schema/state.ts';

/** Of the window in use before anything is left out, and what is aimed at then. */
const COMPACT_ABOVE = 0.7;
const COMPACT_TO = 0.4;
/** A compaction that frees less of what is used costs a cold cache for nothing. */
const LEAST_FREED = 0.2;
export const HISTORY_KEEP = 5;

/** Code and English give 3.5 to 4.5; too low a figure compacts early, too high a one overflows. */
const CHARS_PER_TOKEN = 3.2;
const MIN_CHARS_PER_TOKEN = 1;
const MAX_CHARS_PER_TOKEN = 5;
/** Role marks and separators of a chat template, in tokens a message. */
const MESSAGE_OVERHEAD = 6;

/** The last request whose size the provider told: its tokens, and the messages it held. */
export interface MeasuredPrompt {
  /** Cached tokens included; 0 where the provider does not tell. */
  readonly tokens: number;
  /** Characters of all its messages and of the system prompt and tools. */
  readonly chars: number;
}

export interface CompactionInput {
  readonly conversation: readonly MessageRef[];
  /** System prompt and tool descriptions, in characters: they are in every request. */
  readonly fixedChars: number;
  /** Tokens. */
  readonly numCtx: number;
  readonly measured: MeasuredPrompt | null;
  /** Exchanges that stay whatever they cost. */
  readonly historyKeep?: number;
  /** Compact now, whatever is used: the provider said the prompt does not fit. */
  readonly overflowed?: boolean;
}

export type CompactionDecision =
  | { readonly kind: 'fits'; readonly used: number }
  /** Above the mark, but nothing that may go would help enough. */
  | { readonly kind: 'cannot'; readonly used: number; readonly why: string }
  | {
      readonly kind: 'compact';
      readonly fromSeq: number;
      readonly toSeq: number;
      /** Longest text that may stand for what is left out. */
      readonly summaryChars: number;
      readonly used: number;
      /** Estimated tokens used afterwards, with a summary of full length. */
      readonly usedAfter: number;
    };

/** Characters a token stands for, from what the provider counted; a cautious guess without that. */
export function charsPerToken(measured: MeasuredPrompt | null): number {
  if (!measured || measured.tokens <= 0 || measured.chars <= 0) return CHARS_PER_TOKEN;
  const found = measured.chars / measured.tokens;
  return Math.min(MAX_CHARS_PER_TOKEN, Math.max(MIN_CHARS_PER_TOKEN, found));
}

/** Tokens that so many characters take, rounded up. */
export function estimateTokens(chars: number, measured: MeasuredPrompt | null = null): number {
  return Math.ceil(chars / charsPerToken(measured));
}

/** Decides by size alone, so the same conversation always compacts at the same place. */
export function decideCompaction(input: CompactionInput): CompactionDecision {
  const { conversation, numCtx, measured } = input;
  const tokensOf = (messages: readonly MessageRef[]) =>
    estimateTokens(sum(messages.map((message) => message.length)), measured) +
    messages.length * MESSAGE_OVERHEAD;
  const fixed = estimateTokens(input.fixedChars, measured);
  const used = fixed + tokensOf(conversation);
  if (used < numCtx * COMPACT_ABOVE && !input.overflowed) return { kind: 'fits', used };

  const head = headLength(conversation);
  const exchanges = exchangeStarts(conversation, head);
  const latestCut = exchanges[exchanges.length - (input.historyKeep ?? HISTORY_KEEP)];
  if (latestCut === undefined || latestCut <= head)
    return { kind: 'cannot', used, why: 'only the newest exchanges are left' };

  const summaryTokens = Math.floor(Math.min(numCtx * 0.08, 2000));
  const after = (cut: number) =>
    fixed +
    tokensOf(conversation.slice(0, head)) +
    summaryTokens +
    tokensOf(conversation.slice(cut));
  const cuts = exchanges.filter((start) => start > head && start <= latestCut);
  const cut = cuts.find((start) => after(start) <= numCtx * COMPACT_TO) ?? latestCut;
  const usedAfter = after(cut);
  const first = conversation[head];
  const last = conversation[cut - 1];
  if (!first || !last || used - usedAfter < used * LEAST_FREED)
    return { kind: 'cannot', used, why: 'leaving out old exchanges would free too little' };
  const summaryChars = Math.floor(summaryTokens * charsPerToken(measured));
  return { kind: 'compact', fromSeq: first.seq, toSeq: last.seq, summaryChars, used, usedAfter };
}

/** The goal with the plan as answered: messages at the start that are never left out. */
function headLength(conversation: readonly MessageRef[]): number {
  const [first] = conversation;
  if (!first) return 0;
  if (first.cause !== 'plan_question') return 1;
  const answer = conversation.findIndex((message) => message.role === 'assistant');
  const started = conversation.findIndex((message) => message.cause === 'subtask_started');
  return answer === -1 || (started !== -1 && started < answer) ? 1 : answer + 1;
}

/** Places where a new exchange begins: what asks, the reply, and every result of its calls. */
function exchangeStarts(conversation: readonly MessageRef[], head: number): readonly number[] {
  const starts: number[] = [];
  let answered = true;
  for (const [index, message] of conversation.entries()) {
    if (index < head) continue;
    if (answered && !isResult(message)) {
      starts.push(index);
      answered = false;
    }
    if (message.role === 'assistant') answered = true;
  }
  return starts;
}

function isResult(message: MessageRef): boolean {
  return message.role === 'tool' || message.cause === 'tool_result';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * What stands in place of the messages left out, made from the state alone. The newest and the
 * most general lines survive when `maxChars` does not hold everything.
 * @param facts the facts in full, as the probe words them.
 */
export function compactionText(
  state: Pick<RunState, 'goal' | 'plan' | 'active' | 'recentErrors'>,
  facts: string,
  maxChars: number,
): string {
  const subtasks = state.plan?.tasks.flatMap((task) => task.subtasks) ?? [];
  const ended = subtasks
    .filter((subtask) => subtask.status !== 'pending' && subtask.status !== 'in_progress')
    .map((subtask) => {
      const note = subtask.summary ? `: ${subtask.summary}` : '';
      return `- subtask ${subtask.id} ${subtask.status}, ${subtask.purpose}${note}`;
    });
  const stubs = (state.active?.stubs ?? []).map(
    (stub) => `- ${stub.tool} ${stub.target} (${stub.status}): ${oneLine(stub.head)}`,
  );
  const active = subtasks.find((subtask) => subtask.id === state.active?.id);
  const frame = [
    'Earlier in this run (older messages are left out here):',
    `GOAL: ${clip(state.goal, Math.max(200, Math.floor(maxChars / 4)))}`,
    ...(active ? [`ACTIVE SUBTASK ${active.id}: ${active.purpose}`] : []),
    ...(facts ? [clip(facts, Math.max(200, Math.floor(maxChars / 2)))] : []),
  ];
  const room = maxChars - sum(frame.map((line) => line.length + 1));
  const done = [...ended, ...(stubs.length ? ['Done in this subtask:', ...stubs] : [])];
  return [...frame, ...newestThatFit(done, room)].join('\n').slice(0, maxChars);
}

function newestThatFit(lines: readonly string[], room: number): readonly string[] {
  const kept: string[] = [];
  let left = room - 40;
  for (const line of lines.toReversed()) {
    left -= line.length + 1;
    if (left < 0) break;
    kept.unshift(line);
  }
  const missing = lines.length - kept.length;
  return missing > 0 && room > 40 ? [`(${missing} older lines left out)`, ...kept] : kept;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function clip(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}
