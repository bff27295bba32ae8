// What the contract asks of each provider: its fake, told in neutral words what to do.
import type { Provider } from '../../src/llm/provider.ts';
import type { ModelRequest } from '../../src/schema/model/turn.ts';

/** What every model says where it says anything: the fake embedded engine repeats the question. */
export const QUESTION = 'hello';
export const ANSWER = 'you said hello';
export const THOUGHT = 'They greet me.';
export const CALL = { name: 'write_file', args: { path: 'a.txt', content: 'Grüße "x"' } };

export const SECOND_CALL = { name: 'write_file', args: { path: 'b.txt', content: 'two' } };

/** The calls of an answer, in their order. */
export const callsIn = (act: Act): readonly (typeof CALL)[] => {
  const parts = act.does === 'answer' ? (act.with ?? []) : [];
  return [
    ...(parts.includes('call') ? [CALL] : []),
    ...(parts.includes('second call') ? [SECOND_CALL] : []),
  ];
};

/** What the model, its server or the way to it does with a request. */
export type Act =
  | {
      readonly does: 'answer';
      readonly with?: readonly ('thinking' | 'call' | 'second call')[];
      /** Ended by its limit, within the last call where there is one. */
      readonly isCutOff?: boolean;
      /** Waited for before the headers, and behind them. */
      readonly headersAfter?: Promise<void>;
      readonly bodyAfter?: Promise<void>;
    }
  /** A status of HTTP, in the form of the server. */
  | {
      readonly does: 'refuse';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly does: 'overflow' }
  | { readonly does: 'crash' }
  /** The connection breaks. */
  | { readonly does: 'cut'; readonly after: 'nothing' | 'text' }
  /** What comes is no answer of this server's. */
  | { readonly does: 'garble' }
  /** The answer stops without its end. */
  | { readonly does: 'stop' }
  /** Some text, then nothing more, while the connection stands. */
  | { readonly does: 'fall silent' }
  | { readonly does: 'never answer' };

/** One provider with its fake, which does the same with every request. */
export interface Stage {
  readonly provider: Provider;
  /** What a request must say for the fake to play its part. */
  readonly request: Partial<ModelRequest>;
  /** The name of the model as `list` tells it. */
  readonly model: string;
  describeUnknown(): Promise<unknown>;
  /** Where requests go over a wire: what arrived there. */
  readonly wire?: Wire;
  close(): Promise<void>;
}

export interface Wire {
  /** Bodies of the requests to the model, as they came. */
  readonly bodies: readonly string[];
  /** Resolves when the n-th request has arrived, counted from 1. */
  whenAsked(n: number): Promise<void>;
  /** Resolves when the client of the n-th request has gone away before the end. */
  whenLeft(n: number): Promise<void>;
}

export interface Harness {
  readonly name: string;
  /** What its fake can play. */
  plays(act: Act): boolean;
  start(act: Act): Promise<Stage>;
  /** Ends what its stages share. */
  end?(): Promise<void>;
  /** The same provider at another address; left out where there is no wire. */
  at?(url: string): Provider;
}
