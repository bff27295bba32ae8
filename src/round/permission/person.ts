/** The person who may be asked, as a run knows one. */
import type { Giver, PermissionRequest } from '../../schema/journal/permissions.ts';
import type { Args } from '../../tools/calls/args-schema.ts';
import type { AskPlan } from '../plan/ask-plan.ts';

/** What a person is asked: a call with its target and reason, and the rules that a longer yes would make. */
export interface Question extends PermissionRequest {
  /** What the tool would get. */
  readonly input: Args;
  /** Of the call in the model's reply; '' for what the engine itself wants. */
  readonly callId: string;
  /** The words that a program would get, its name first; `null`: the call runs none. */
  readonly argv: readonly string[] | null;
  /** What a tool of a server would be given, in JSON; left out for every other call. */
  readonly inputText?: string;
  /** Absolute; where a program would start, or the file lies; '' for what is in no folder. */
  readonly folder: string;
  /** The program that was found for a command; `null`: none is started. */
  readonly program: string | null;
  /** The rules that "for this run" and "always" make; `[]`: neither is offered. */
  readonly offered: readonly string[];
  /** They are kept for this run at the longest: "always" is not offered. */
  readonly isForRunOnly?: true;
}

export type PersonsAnswer =
  /** `input`: what the tool gets in the place of what was asked about. */
  | ({ readonly kind: 'once' | 'run' | 'always'; readonly input?: Args } & Giver)
  | ({ readonly kind: 'no'; readonly why: string } & Giver)
  /** Nobody answered: it stays open. */
  | { readonly kind: 'none' };

/** Why a question is taken back: somebody has answered it from elsewhere. */
export const ANSWERED = {
  once: 'yes, from another terminal',
  run: 'yes, for this run, from another terminal',
  always: 'yes, always here, from another terminal',
  no: 'no, from another terminal',
} as const;

/** What was answered from elsewhere; `null`: the signal says something else. */
export const answeredElsewhere = ({ reason }: Pick<AbortSignal, 'reason'>): string | null =>
  Object.values(ANSWERED).find((said) => said === reason) ?? null;

/** Resolves with `none` when the signal is aborted, and never rejects. */
export type AskPerson = (question: Question, signal: AbortSignal) => Promise<PersonsAnswer>;

/** Answers that were left for a run by another program of the same user. */
export interface LeftAnswers {
  /** Those that this user signed; what was taken is not there again. */
  take(): readonly ({
    readonly id: string;
    readonly allowed: boolean;
    readonly why: string;
  } & Giver)[];
}

/** Who answers for a run. */
export interface Approver {
  /** `null`: nobody can be asked at this moment. */
  readonly person: AskPerson | null;
  /** Who is shown the plan before any work; `null`: nobody can be asked at this moment. */
  readonly plan: AskPlan | null;
  /** True where this start brings the yes to the plan. */
  readonly isPlanAgreed: boolean;
  /** True where this start allows whatever asks. */
  readonly isYes: boolean;
  readonly left: LeftAnswers;
  /** Whether an answer of the journal is this user's. */
  isOwn(answer: { readonly id: string; readonly allowed: boolean }): boolean;
  /** Keeps rules for all further runs in this folder. */
  saveRules(rules: readonly string[]): void;
}
