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

/** A web stream. A stream that a program brings along cannot always be iterated. */
export interface ReadableStreamLike {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
    cancel(reason?: unknown): Promise<void>;
    releaseLock(): void;
  };
}
