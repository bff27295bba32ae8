/**
 * A language model of the Vercel AI SDK, as far as it is used here: what the specifications v2, v3 and v4 share, and
 * where they differ. It is recognised by its shape alone, so none of its packages is needed.
 */

export const SPECIFICATIONS = ['v2', 'v3', 'v4'] as const;

/** A model of the Vercel AI SDK, of specification v2, v3 or v4. */
export interface LanguageModelLike {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  /** Options and stream parts follow its specification. */
  doStream(
    options: never,
  ): PromiseLike<{ readonly stream: AsyncIterable<unknown> | ReadableStreamLike }>;
}

/** A web stream, which not every runtime can iterate. */
export interface ReadableStreamLike {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
    cancel(reason?: unknown): Promise<void>;
    releaseLock(): void;
  };
}

/** Data that only the part's provider can read, by that provider's name; it is sent back unchanged. */
export type Metadata = { readonly [provider: string]: unknown };

export type PromptPart =
  | { readonly type: 'text'; readonly text: string; readonly providerOptions?: Metadata }
  | { readonly type: 'reasoning'; readonly text: string; readonly providerOptions?: Metadata }
  | {
      readonly type: 'tool-call';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
      readonly providerOptions?: Metadata;
    };

export type PromptMessage =
  | { readonly role: 'system'; readonly content: string }
  | {
      readonly role: 'user';
      readonly content: readonly (
        | { readonly type: 'text'; readonly text: string }
        | { readonly type: 'file'; readonly mediaType: string; readonly data: string }
      )[];
    }
  | { readonly role: 'assistant'; readonly content: readonly PromptPart[] }
  | {
      readonly role: 'tool';
      readonly content: readonly {
        readonly type: 'tool-result';
        readonly toolCallId: string;
        readonly toolName: string;
        readonly output: { readonly type: 'text'; readonly value: string };
      }[];
    };

export interface CallOptions {
  readonly prompt: readonly PromptMessage[];
  readonly maxOutputTokens: number;
  readonly temperature?: number;
  readonly seed: number;
  readonly responseFormat?: {
    readonly type: 'json';
    readonly name: string;
    readonly schema: { readonly [keyword: string]: unknown };
  };
  readonly tools?: readonly {
    readonly type: 'function';
    readonly name: string;
    readonly description: string;
    readonly inputSchema: { readonly [keyword: string]: unknown };
  }[];
  readonly toolChoice?: { readonly type: 'auto' };
  /** Only in v4. */
  readonly reasoning?: string;
  readonly abortSignal: AbortSignal;
}
