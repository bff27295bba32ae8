/** Messages between the provider and its engine process, one at a time over IPC. */

/** The settings of the engine process, as JSON in its only argument. */
export interface EngineSettings {
  readonly modelFile: string;
  /** Absolute path of node-llama-cpp's entry file. */
  readonly engineEntry: string;
  readonly threads: number;
  /** Whether a graphics processor may be used. */
  readonly gpu: boolean;
  /** The folder for common starts of prompts, only for this model file and this version of the engine. */
  readonly statesFolder: string;
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface TurnOrder {
  readonly type: 'turn';
  readonly id: number;
  readonly messages: readonly ChatMessage[];
  /** The GBNF grammar for the answer; `null`: free text. */
  readonly grammar: string | null;
  readonly temperature: number;
  readonly seed: number;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
}

export type EngineRequest = TurnOrder | { readonly type: 'abort'; readonly id: number };

export interface TurnCounts {
  /** Prompt tokens that had to be read, without the reused ones. */
  readonly input: number;
  readonly reused: number;
  readonly output: number;
  readonly modelMs: number;
}

/** Why a turn had no answer, classified where it arose. */
export type EngineFailure =
  | 'context_overflow'
  | 'engine_broken'
  | 'model_unreadable'
  | 'out_of_memory'
  | 'turn_failed';

export type EngineReply =
  | { readonly type: 'text'; readonly id: number; readonly text: string }
  /** Tokens of the prompt, without the reused ones. */
  | { readonly type: 'reading'; readonly id: number; readonly read: number; readonly of: number }
  | {
      readonly type: 'finished';
      readonly id: number;
      readonly reason: 'stop' | 'length' | 'aborted';
      readonly counts: TurnCounts;
    }
  | {
      readonly type: 'failed';
      readonly id: number;
      readonly failure: EngineFailure;
      readonly message: string;
    };

/** Whether this reply ends the turn. */
export const isLast = ({ type }: EngineReply): boolean => type === 'finished' || type === 'failed';
