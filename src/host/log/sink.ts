/** What happens, in the words that every log is made from. */
import type { ToolCall } from '../../schema/model/messages.ts';
import type { ModelRequest, TurnStatus, Usage } from '../../schema/model/turn.ts';

export interface LoggedRequest {
  /** Counted from 1; a further attempt has the number of the first. */
  readonly turn: number;
  readonly provider: string;
  readonly model: string;
  readonly request: ModelRequest;
  /** The model is told that it can call no tool any more. */
  readonly isFinal: boolean;
}

export interface Answered {
  readonly status: TurnStatus;
  /** What went wrong; '' for a success. */
  readonly detail: string;
  readonly reply: { readonly content: string; readonly toolCalls?: readonly unknown[] | undefined };
  /** What of it is said to the person; left out: all of its content. */
  readonly words?: string;
  readonly usage: Usage;
  /** US dollars; `null`: not known. */
  readonly costUsd: number | null;
}

export interface Returned {
  /** Of the call. */
  readonly id: string;
  readonly isOk: boolean;
  /** What the model is told. */
  readonly result: string;
}

/** Whom a warning is about; left out: the model that is asked. */
export type WarnedOf =
  | { readonly provider: string; readonly model: string }
  | { readonly server: string };

export interface LogSink {
  /** Once. `id` of the run or the conversation. */
  started(id: string, model: string): void;
  /** A person, or whoever stands for one. */
  personMessage(text: string): void;
  modelRequest(asked: LoggedRequest): void;
  answered(answered: Answered): void;
  called(call: ToolCall): void;
  returned(returned: Returned): void;
  /** Something that may pass. @param of the model it is about; left out: the one asked last */
  warned(text: string, of?: WarnedOf): void;
  /** The end, by what went wrong. @param of the model it is about, where none was asked */
  failed(
    kind: TurnStatus['kind'] | 'error',
    text: string,
    of?: { readonly provider: string; readonly model: string },
  ): void;
  /** A person's own command to the program; the model does not hear of it. */
  commanded(command: string, text: string, result: string): void;
  /** The conversation was put away. */
  cleared(): void;
}
