// Checks candidates against the declared tools: which of them are calls, and in which reading.
import type { Candidate } from './candidate.ts';

/** What the owner of the tools says about a call. */
export interface Judgement {
  /** The declared tool that is meant; `null`: none. */
  readonly tool: string | null;
  readonly isReadOnly: boolean;
  /** The tool and its arguments in short; '' without a tool. */
  readonly usage: string;
  /** Why it cannot be carried out, for the model; `null`: it can. */
  readonly fault: string | null;
}

export type Judge = (name: string, args: Record<string, unknown>) => Judgement;

export interface Judged {
  readonly candidate: Candidate;
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly judgement: Judgement;
}

const NO_TOOL: Judgement = { tool: null, isReadOnly: false, usage: '', fault: null };

/** `null` for text that only looks like a call. */
export function judgeCandidate(candidate: Candidate, judge: Judge, text: string): Judged | null {
  const name = candidate.name.trim();
  const read = bestReading(candidate, name, judge);
  const { args, judgement } = read;
  const judged = { candidate, name: judgement.tool ?? name, args, judgement };
  const isKnown = judgement.tool !== null;
  switch (candidate.weight) {
    case 'marked':
      return judged;
    case 'explicit':
      return isKnown || (candidate.args !== null && isName(name)) ? judged : null;
    case 'implied': {
      const isBare = Object.keys(args).length === 0;
      return isKnown && !(isBare && !isWhole(candidate, text)) ? judged : null;
    }
  }
}

function bestReading(
  candidate: Candidate,
  name: string,
  judge: Judge,
): Pick<Judged, 'args' | 'judgement'> {
  if (name === '') return { args: {}, judgement: NO_TOOL };
  const args = candidate.args ?? {};
  const plain = judge(name, args);
  if (plain.fault === null || candidate.args === null) return { args, judgement: plain };
  for (const variant of typedVariants(candidate)) {
    const judgement = judge(name, variant);
    if (judgement.fault === null) return { args: variant, judgement };
  }
  return { args, judgement: plain };
}

const isName = (name: string): boolean => /^[A-Za-z][\w.:/ ()-]{1,80}$/.test(name);

const isWhole = ({ at, end }: Candidate, text: string): boolean =>
  text.slice(0, at).trim() === '' && /^[\s`]*$/.test(text.slice(end, end + 100));

const MAX_TYPED = 5;

/** Formats without JSON give every value as text; the schema decides what the text means. */
function* typedVariants({ args, untyped }: Candidate): Generator<Record<string, unknown>> {
  if (!untyped || args === null) return;
  const readable = Object.entries(args).flatMap(([key, value]) => {
    const parsed = parseScalar(value);
    return parsed === undefined ? [] : [[key, parsed] as const];
  });
  if (readable.length > MAX_TYPED) return;
  for (let chosen = 1; chosen < 2 ** readable.length; chosen += 1) {
    const typed = readable.filter((_, index) => chosen & (1 << index));
    yield { ...args, ...Object.fromEntries(typed) };
  }
}

const MAX_SCALAR = 200;

function parseScalar(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > MAX_SCALAR) return undefined;
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
