/** The part of the Temporal SDK that is used. */
import { loadPeer } from '../../lib/load-peer.ts';

export const SDK_VERSION = '1.24.0';
const CLIENT = '@temporalio/client';
const WORKER = '@temporalio/worker';
const ACTIVITY = '@temporalio/activity';
/** How to reach a server: certificates and keys, configured as for all Temporal programs. */
const SETTINGS = '@temporalio/envconfig';
/** The packages that `agent setup fleet` installs. */
export const SDK_PACKAGES = [CLIENT, WORKER, ACTIVITY, SETTINGS, '@temporalio/workflow'].map(
  (name) => `${name}@${SDK_VERSION}`,
);

interface Settings {
  loadClientConnectConfig(): { readonly connectionOptions: object };
}

export interface ClientSdk extends Settings {
  readonly Connection: {
    connect(options: object): Promise<{ close(): Promise<void> }>;
  };
  readonly Client: new (options: {
    readonly connection: object;
    readonly namespace: string;
  }) => {
    readonly workflow: WorkflowClient;
    withAbortSignal<Result>(signal: AbortSignal, act: () => Promise<Result>): Promise<Result>;
  };
}

export interface WorkflowClient {
  start(name: string, options: object): Promise<unknown>;
  getHandle(workflowId: string): WorkflowHandle;
}

interface WorkflowHandle {
  describe(): Promise<{
    readonly status: { readonly name: string };
    readonly memo?: { readonly [key: string]: unknown };
  }>;
  signal(name: string): Promise<void>;
  executeUpdate(name: string, options: { readonly args: readonly unknown[] }): Promise<unknown>;
  cancel(): Promise<unknown>;
}

export interface ActivityContext {
  readonly cancelled: Promise<never>;
  /** Set once it is cancelled. */
  readonly cancellationDetails?: { readonly cancelRequested: boolean };
  heartbeat(): void;
}

export interface WorkerSdk extends Settings {
  readonly Context: { current(): ActivityContext };
  readonly Runtime: { install(options: object): unknown };
  readonly NativeConnection: {
    connect(options: object): Promise<{ close(): Promise<void> }>;
  };
  readonly Worker: {
    create(
      options: object,
    ): Promise<{ run(): Promise<void>; shutdown(): void; getState(): string }>;
  };
}

export const loadClientSdk = (from: readonly string[]): ClientSdk | null =>
  loadAll([CLIENT, SETTINGS], from);

export const loadWorkerSdk = (from: readonly string[]): WorkerSdk | null =>
  loadAll([WORKER, ACTIVITY, SETTINGS], from);

/** `null`: one of them is not installed. */
function loadAll<Sdk>(names: readonly string[], from: readonly string[]): Sdk | null {
  const found = names.map((name) => loadPeer<object>(name, from));
  return found.includes(null) ? null : (Object.assign({}, ...found) as Sdk);
}
