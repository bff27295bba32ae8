// Checks candidates against the declared tools: which of them are calls.
import type { CallCandidate } from './candidate.ts';

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

export interface JudgedCandidate {
  readonly candidate: CallCandidate;
  readonly name: string;
  readonly args: Record<string, unknown>;
  readonly judgement: Judgement;
}

const NO_TOOL: Judgement = { tool: null, isReadOnly: false, usage: '', fault: null };

/** `null` for text that only looks like a call. */
export function judgeCandidate(candidate: CallCandidate, judge: Judge): JudgedCandidate | null {
  const name = candidate.name.trim();
  const args = candidate.args ?? {};
  const judgement = name === '' ? NO_TOOL : judge(name, args);
  const judged = { candidate, name: judgement.tool ?? name, args, judgement };
  const isKnown = judgement.tool !== null;
  const isCall =
    isKnown || candidate.weight === 'marked' || (candidate.args !== null && isName(name));
  return isCall ? judged : null;
}

const isName = (name: string): boolean => /^[A-Za-z][\w.:/ ()-]{1,80}$/.test(name);
