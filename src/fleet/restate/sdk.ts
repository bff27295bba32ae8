/** The part of the Restate SDK that is used. */
import { loadPeer } from '../../lib/load-peer.ts';

export const SDK_PACKAGE = '@restatedev/restate-sdk';
/** The version that `agent setup fleet` installs. */
export const SDK_VERSION = '1.17.2';

/** The few calls that are used: to record, to store, to send later. */
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

export const loadSdk = (from: readonly string[]): Sdk | null => loadPeer(SDK_PACKAGE, from);
