/** The person whom a run may ask. */
import type { Giver, PermissionRequest } from '../../schema/journal/permissions.ts';
import type { Plan } from '../../schema/plan.ts';
import type { CallArgs } from '../../tools/calls/args-schema.ts';
import type { AskPlan } from '../plan/plan-review.ts';

/** What a person is asked: a call with its target and reason, and the rules that lasting consent would create. */
export interface PermissionQuestion extends PermissionRequest {
  /** The input that the tool would get. */
  readonly input: CallArgs;
  /** The id of the call in the model's reply; empty for a request of the engine itself. */
  readonly callId: string;
  /** The arguments that a program would get, its name first; `null`: the call runs no program. */
  readonly argv: readonly string[] | null;
  /** What the target does not say: the JSON input of a server's tool, or the change of files as a unified patch. */
  readonly inputText?: string;
  /** Absolute path where a program would start or where the file lies; empty: no folder is involved. */
  readonly folder: string;
  /** The program that was found for a command; `null`: none is started. */
  readonly program: string | null;
  /** The rules that "for this run" and "always" create; `[]`: neither is offered. */
  readonly offered: readonly string[];
  /** The rules last at most for this run: "always" is not offered. */
  readonly isForRunOnly?: true;
  /** The plan that waits for a yes, if that is the question. */
  readonly plan?: Plan;
}

export type PersonsAnswer =
  /** `input`: replaces the tool's input that was asked about. */
  | ({ readonly kind: 'once' | 'run' | 'always'; readonly input?: CallArgs } & Giver)
  | ({ readonly kind: 'no'; readonly why: string } & Giver)
  /** Nobody answered; the question stays open. */
  | { readonly kind: 'none' };

/** Why a question is withdrawn: it was answered elsewhere. */
export const ANSWERED = {
  once: 'yes, from another terminal',
  run: 'yes, for this run, from another terminal',
  always: 'yes, always here, from another terminal',
  no: 'no, from another terminal',
} as const;

/** The answer that was given elsewhere; `null`: the signal has another reason. */
export const answeredElsewhere = ({ reason }: Pick<AbortSignal, 'reason'>): string | null =>
  Object.values(ANSWERED).find((said) => said === reason) ?? null;

/** Resolves with `none` when the signal is aborted; never rejects. */
export type AskPerson = (
  question: PermissionQuestion,
  signal: AbortSignal,
) => Promise<PersonsAnswer>;

/** Answers that another program of the same user left for a run. */
export interface LeftAnswers {
  /** Passes on the answers that this user signed. They are dropped once `record` has made them durable. */
  take(record: (answers: readonly LeftAnswer[]) => void): void;
}

export interface LeftAnswer extends Giver {
  readonly id: string;
  readonly allowed: boolean;
  readonly why: string;
}

/** Who answers the questions of a run. */
export interface Approver {
  /** `null`: nobody can be asked at this moment. */
  readonly person: AskPerson | null;
  /** Who is shown the plan before any work; `null`: nobody can be asked at this moment. */
  readonly plan: AskPlan | null;
  /** True when this start brings approval of the plan. */
  readonly isPlanAgreed: boolean;
  /** True when this start allows everything that would be asked. */
  readonly isYes: boolean;
  readonly left: LeftAnswers;
  /** True when an answer in the journal is from this user. */
  isOwn(answer: { readonly id: string; readonly allowed: boolean }): boolean;
  /** Keeps rules for all later runs in this folder. @param from who allowed them, and in which run */
  saveRules(rules: readonly string[], from: Giver & { readonly run: string }): void;
}
