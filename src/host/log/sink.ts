/** The calls from which every log is made. */
import type { ToolCall } from '../../schema/model/messages.ts';
import type { ModelRequest, TurnStatus, Usage } from '../../schema/model/turn.ts';

export interface LoggedRequest {
  /** Counted from 1; a further attempt keeps the number of the first. */
  readonly turn: number;
  readonly provider: string;
  readonly model: string;
  readonly request: ModelRequest;
  /** The model is told that it can call no more tools. */
  readonly isFinal: boolean;
}

export interface AnsweredTurn {
  readonly status: TurnStatus;
  /** What went wrong; '' for a success. */
  readonly detail: string;
  readonly reply: { readonly content: string; readonly toolCalls?: readonly unknown[] | undefined };
  /** The part that the person sees; left out: all of its content. */
  readonly words?: string;
  readonly usage: Usage;
  /** US dollars; `null`: unknown. */
  readonly costUsd: number | null;
}

export interface Returned {
  readonly id: string;
  readonly isOk: boolean;
  readonly result: string;
}

/** The subject of a warning; left out: the model that was asked. */
export type WarnedOf =
  | { readonly provider: string; readonly model: string }
  | { readonly server: string };

/** A log. A method that is left out has no place in that log. */
export interface LogSink {
  /** Called once. @param id of the run or the conversation */
  started?(id: string, model: string): void;
  /** A message of a person, or of a program in their place. */
  personMessage?(text: string): void;
  modelRequest(asked: LoggedRequest): void;
  answered(answered: AnsweredTurn): void;
  called(call: ToolCall): void;
  returned(returned: Returned): void;
  /** A temporary problem. @param of its subject; left out: the model asked last */
  warned?(text: string, of?: WarnedOf): void;
  /** The work ended with a fault. @param of the model it is about, if none was asked */
  failed(
    kind: TurnStatus['kind'] | 'error',
    text: string,
    of?: { readonly provider: string; readonly model: string },
  ): void;
  /** A person's own command to the program; the model does not see it. */
  commanded?(command: string, text: string, result: string): void;
  /** The conversation was replaced by another one. */
  cleared?(): void;
}
