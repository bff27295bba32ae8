/** What of the SDK of Restate is used. It is an optional peer: nothing of it is bundled, or loaded before a worker starts. */
import { createRequire } from 'node:module';

export const SDK_PACKAGE = '@restatedev/restate-sdk';
/** What `agent setup fleet` installs. */
export const SDK_VERSION = '1.17.2';

/** The calls of the six lines: what is recorded, what is kept, what comes later. */
export interface ObjectContext {
  readonly key: string;
  get<Value>(name: string): Promise<Value | null>;
  set<Value>(name: string, value: Value): void;
  run<Value>(name: string, act: () => Promise<Value>): Promise<Value>;
  request(): { readonly id: string; readonly attemptCompletedSignal: AbortSignal };
  objectSendClient(
    object: { readonly name: string },
    key: string,
  ): { work(input: object, options?: unknown): void };
  cancel(invocation: string): void;
}

type Handler<Input, Output> = (context: ObjectContext, input: Input) => Promise<Output>;

export interface Sdk {
  object(definition: {
    readonly name: string;
    readonly handlers: { readonly [name: string]: unknown };
    readonly options: object;
  }): unknown;
  readonly handlers: {
    readonly object: {
      shared<Input, Output>(handler: Handler<Input, Output>): unknown;
      exclusive<Input, Output>(handler: Handler<Input, Output>): unknown;
    };
  };
  readonly rpc: { sendOpts(options: { readonly delay: number }): unknown };
  endpoint(): Endpoint;
}

interface Endpoint {
  bind(object: unknown): Endpoint;
  setLogger(logger: () => void): Endpoint;
  http2Handler(): (request: never, response: never) => void;
}

/**
 * The first that one of these files or folders finds, each absolute; `null`: it is nowhere. On Node 20 the caller
 * has filled in what the SDK needs of newer ones.
 */
export function loadSdk(from: readonly string[]): Sdk | null {
  for (const place of from) {
    try {
      return createRequire(place)(SDK_PACKAGE) as Sdk;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return null;
}
