import { adviceIn, type OptionAdvice, type OptionName } from '../lib/errors.ts';
import type { Price } from '../schema/model/price.ts';
import type { ModelEvent, ModelRequest, TurnStatus } from '../schema/model/turn.ts';

/** What is known of one model before it is used. */
export interface ModelInfo {
  readonly model: string;
  /** Changes when the model's weights or template do; `null` where the provider does not tell. */
  readonly digest: string | null;
  /** Tokens the model was trained for; `null` when unknown. */
  readonly contextWindow: number | null;
  readonly capabilities: {
    readonly tools: boolean;
    /** Schema-constrained answers. */
    readonly schema: boolean;
    readonly thinking: boolean;
    /** Images as input; left out: nobody tells. */
    readonly images?: boolean | undefined;
  };
  /** As the server tells it; left out or `null` where it does not. */
  readonly price?: Price | null;
  /** How many it has, all experts counted; left out or `null` where neither server nor file tells. */
  readonly parameters?: number | null;
  /** It runs on somebody else's machine; left out: on this one, or at a private address. */
  readonly isPublic?: boolean;
  /** Its name is that of a hosted model, and its server says nothing that a model of this name does not. */
  readonly isKnownByName?: boolean;
  /** Its server does not tell the window: it is the one that models of this name have. */
  readonly isWindowByName?: boolean;
  /** Its turns are played back: what was learnt of the model since is not in them. */
  readonly isPlayed?: boolean;
}

/** The one error a provider throws: `status` says what to do, the message is for people. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly option?: OptionName;
  readonly optionValue?: string;
  readonly command?: readonly string[];
  readonly endsInCommand?: true;

  constructor(
    readonly status: TurnStatus,
    message: string,
    /** The next step for the user, or ''. */
    readonly hint: string,
    options: { readonly cause?: unknown } & OptionAdvice = {},
  ) {
    super(message, options);
    Object.assign(this, adviceIn(options));
  }
}

/** What a request asks for that some models do not take. */
export type Setting = 'temperature' | 'seed';

/** What only the provider can watch. */
export interface StreamLimits {
  /** Milliseconds until a connection stands. */
  readonly connectMs: number;
}

/**
 * A backend. Knows one wire format and nothing of plans, tools or retries.
 * Every failure of `stream`, `describe`, `list` and `infos` is a `ProviderError`.
 */
export interface Provider {
  readonly name: string;
  /**
   * One request, streamed. The last event is `finished`; a stream that ends without it is the
   * provider's to report as an error. Aborting `signal` stops the request on the wire at once.
   */
  stream(
    request: ModelRequest,
    signal: AbortSignal,
    limits?: StreamLimits,
  ): AsyncIterable<ModelEvent>;
  describe(model: string, signal: AbortSignal): Promise<ModelInfo>;
  /** Names of the models that can be used, best first. */
  list(signal: AbortSignal): Promise<readonly string[]>;
  /**
   * The same models with all that is known of them, where the server's list tells it: hundreds are
   * not asked about one by one.
   */
  infos?(signal: AbortSignal): Promise<readonly ModelInfo[]>;
  /** What requests to this model ask for in vain: it is left out of them. */
  ignores?(model: string): readonly Setting[];
  /** The window, in tokens, the loaded model really has; `null` when it is not loaded or unknown. */
  loadedWindow?(model: string, signal: AbortSignal): Promise<number | null>;
  /** True for a model whose requests cost nothing but time: one may be ended where the time is over. */
  isFree?(model: string): boolean;
  /** The credentials it was made with, so that they can be kept out of all that is written; of one that is opened later, from then on. */
  keys?(): readonly string[];
  /** Frees what the provider holds (a loaded model, sockets). */
  close(): Promise<void>;
}
