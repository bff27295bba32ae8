import { adviceIn, type OptionAdvice, type OptionName } from '../lib/errors.ts';
import type { Price } from '../schema/model/price.ts';
import type { ModelEvent, ModelRequest, TurnStatus } from '../schema/model/turn.ts';

/** What is known about a model before it is used. */
export interface ModelInfo {
  readonly model: string;
  /** Changes with the model's weights or template; `null` if the provider does not tell. */
  readonly digest: string | null;
  /** The tokens that the model was trained for; `null` if unknown. */
  readonly contextWindow: number | null;
  readonly capabilities: {
    readonly tools: boolean;
    /** Schema-constrained answers. */
    readonly schema: boolean;
    readonly thinking: boolean;
    /** Images as input; left out: unknown. */
    readonly images?: boolean | undefined;
  };
  /** The price that the server reports; left out or `null` if it does not. */
  readonly price?: Price | null;
  /** The number of parameters, including all experts; left out or `null` if neither server nor file states it. */
  readonly parameters?: number | null;
  /** The model runs on somebody else's machine; left out: on this one, or at a private address. */
  readonly isPublic?: boolean;
  /** The name is that of a hosted model, and the server reports nothing that contradicts it. */
  readonly isKnownByName?: boolean;
  /** The server does not report the window: this is the window that models of this name have. */
  readonly isWindowByName?: boolean;
  /** The model's turns are played back: they do not reflect later lessons about the model. */
  readonly isPlayed?: boolean;
}

/** The only error that a provider throws: `status` says what to do, the message is for people. */
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

type Further = ConstructorParameters<typeof ProviderError>[3];

/** Asking again would not help. */
export const modelFault = (message: string, hint: string, further?: Further): ProviderError =>
  new ProviderError({ kind: 'model_error', retryable: false }, message, hint, further);

/** The error for a server that answered, but not in a valid way. */
export const invalidAnswer = (message: string, hint = '', further?: Further): ProviderError =>
  new ProviderError({ kind: 'invalid_response' }, message, hint, further);

/** Settings that some models do not accept. */
export type ModelSetting = 'temperature' | 'seed';

/** Limits that only the provider can enforce. */
export interface StreamLimits {
  /** Milliseconds until a connection is established. */
  readonly connectMs: number;
}

/**
 * A backend. Knows one wire format, and nothing about plans, tools or retries. Every failure of `stream`, `describe`,
 * `list` and `infos` is a `ProviderError`.
 */
export interface Provider {
  readonly name: string;
  /**
   * One streamed request. The last event is `finished`; the provider reports a stream without it as an error. Aborting
   * `signal` stops the request on the wire at once.
   */
  stream(
    request: ModelRequest,
    signal: AbortSignal,
    limits?: StreamLimits,
  ): AsyncIterable<ModelEvent>;
  describe(model: string, signal: AbortSignal): Promise<ModelInfo>;
  /** Names of the usable models, best first. */
  list(signal: AbortSignal): Promise<readonly string[]>;
  /**
   * The same models with everything known about them, if the server's list tells it: hundreds of models are not queried
   * one by one.
   */
  infos?(signal: AbortSignal): Promise<readonly ModelInfo[]>;
  /** Settings that this model ignores: they are left out of requests. */
  ignores?(model: string): readonly ModelSetting[];
  /** The actual window of the loaded model, in tokens; `null` if it is not loaded or unknown. */
  loadedWindow?(model: string, signal: AbortSignal): Promise<number | null>;
  /** True for a model whose requests cost nothing but time: such a request may be ended when the time is over. */
  isFree?(model: string): boolean;
  /**
   * The provider's credentials, so that they can be kept out of everything written. A provider that is opened
   * later has none before that.
   */
  keys?(): readonly string[];
  /** Frees what the provider holds (a loaded model, sockets). */
  close(): Promise<void>;
}
