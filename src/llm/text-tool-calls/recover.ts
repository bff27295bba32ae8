/**
 * Finds tool calls that a model wrote as text, pure.
 *
 * 1. Only declared names with arguments that `accepts` are calls; all else stays text.
 * 2. Thinking is never searched, and neither is an answer that was cut off.
 * 3. What had to be guessed at is marked `repaired`; the caller refuses it where it would do harm.
 */
import type { ToolCall } from '../../schema/messages.ts';
import { argKeyCalls } from './arg-key.ts';
import type { Candidate, Family } from './candidate.ts';
import { fencedCalls } from './fenced.ts';
import { functionTagCalls } from './function-tag.ts';
import { bareJsonCalls } from './json-calls.ts';
import { markerCalls } from './markers.ts';
import { pythonicCalls } from './pythonic.ts';
import { taggedCalls } from './tagged.ts';

export interface RecoveredCall extends ToolCall {
  /** The form it was written in. */
  readonly form: string;
  /** True when its text was no valid JSON and had to be mended by guessing. */
  readonly repaired: boolean;
}

export interface RecoverOptions {
  /** Whether a tool of this name is declared and takes these arguments. */
  accepts(name: string, args: Record<string, unknown>): boolean;
  /** Makes ids that no other call of the conversation has: `PREFIX_1`, `PREFIX_2`, … */
  readonly idPrefix: string;
  /** The answer ended for want of room: nothing in it is a call. */
  readonly cutOff: boolean;
}

/** Where two forms begin at one place, the first of these families answers. */
const FAMILIES: readonly Family[] = [
  functionTagCalls,
  argKeyCalls,
  taggedCalls,
  markerCalls,
  fencedCalls,
  bareJsonCalls,
  pythonicCalls,
];

/**
 * The calls in the order they were written, or none. The family whose first call begins first
 * answers for the whole text: what others find lies inside its arguments.
 */
export function recoverToolCalls(text: string, options: RecoverOptions): readonly RecoveredCall[] {
  if (options.cutOff) return [];
  const visible = withoutThinking(text);
  let calls: readonly Settled[] = [];
  for (const family of FAMILIES) {
    const found = family(visible)
      .flatMap((candidate) => settle(candidate, options) ?? [])
      .sort((a, b) => a.at - b.at);
    if (found[0] && (!calls[0] || found[0].at < calls[0].at)) calls = found;
  }
  return calls.map(({ at: _, ...call }, index) => ({
    id: `${options.idPrefix}_${index + 1}`,
    ...call,
  }));
}

type Settled = Omit<RecoveredCall, 'id'> & { readonly at: number };

/** Also thinking that has no beginning, as templates that open it themselves leave it, or no end. */
function withoutThinking(text: string): string {
  const closed = text.replace(/<(think|thinking|reasoning)>[\s\S]*?<\/\1>/gi, '');
  const begun = closed.replace(/^[\s\S]*<\/(?:think|thinking|reasoning)>/i, '');
  return begun.replace(/<(?:think|thinking|reasoning)>[\s\S]*$/i, '');
}

function settle(candidate: Candidate, { accepts }: RecoverOptions): Settled | null {
  const { at, form, repaired } = candidate;
  for (const name of nameVariants(candidate.name)) {
    for (const args of argumentVariants(candidate)) {
      if (accepts(name, args)) return { name, args, at, form, repaired };
    }
  }
  return null;
}

/** `functions.read_file:0` is `read_file`. */
function nameVariants(name: string): readonly string[] {
  const trimmed = name.trim();
  const bare = trimmed.replace(/^(?:functions?|tools?)\./, '').replace(/:\d+$/, '');
  return [...new Set([trimmed, bare])];
}

/** Forms without JSON give every value as text; what the text means is for the schema to say. */
function* argumentVariants({ args, untyped }: Candidate): Generator<Record<string, unknown>> {
  yield args;
  if (!untyped) return;
  const readable = Object.entries(args).flatMap(([key, value]) => {
    const parsed = parseScalar(value);
    return parsed === undefined ? [] : [[key, parsed] as const];
  });
  if (readable.length > 5) return;
  for (let chosen = 1; chosen < 2 ** readable.length; chosen += 1) {
    const typed = readable.filter((_, index) => chosen & (1 << index));
    yield { ...args, ...Object.fromEntries(typed) };
  }
}

function parseScalar(value: unknown): unknown {
  if (typeof value !== 'string') return undefined;
  const text = value
    .trim()
    .replace(/^True$/, 'true')
    .replace(/^False$/, 'false');
  try {
    const parsed: unknown = JSON.parse(text.replace(/^None$/, 'null'));
    return typeof parsed === 'string' ? undefined : parsed;
  } catch {
    return undefined;
  }
}
