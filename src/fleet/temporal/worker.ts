/** Takes slices from a Temporal server, to which this side connects. */
import { dirname, join } from 'node:path';
import { TardigradeError } from '../../lib/errors.ts';
import { notThere } from '../not-there.ts';
import { type ActivityPorts, activitiesOf } from './activities.ts';
import type { TemporalPlace } from './address.ts';
import { HEARTBEAT_MS, TASK_QUEUE } from './names.ts';
import type { WorkerSdk } from './sdk.ts';

export interface TemporalWorker {
  /** Accepts no new slice. */
  stop(): void;
  /** Resolves once it has stopped and nothing is in progress; rejects if it cannot continue. */
  readonly done: Promise<void>;
}

export interface TemporalParts extends Omit<ActivityPorts, 'isStopping'> {
  readonly place: TemporalPlace;
  /** Absolute: the built file of the workflow. */
  readonly workflow: string;
  /** Paths of files in folders where the SDK may be installed. */
  readonly sdkPlaces: readonly string[];
}

/** Most of them only wait here for their turn among tenants. */
const MAX_RUNS = 1000;
const DAY_MS = 24 * 60 * 60_000;
const QUIET = {
  log: () => {},
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};

export async function startTemporalWorker(
  sdk: WorkerSdk,
  { place, workflow, sdkPlaces, ...ports }: TemporalParts,
): Promise<TemporalWorker> {
  sdk.Runtime.install({
    logger: QUIET,
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: 'OFF', forward: {} } },
  });
  const { connectionOptions } = sdk.loadClientConnectConfig();
  const { address, namespace } = place;
  const connection = await sdk.NativeConnection.connect({ ...connectionOptions, address }).catch(
    (error: unknown) => {
      throw notThere(address, error);
    },
  );
  let isStopping = false;
  const worker = await sdk.Worker.create({
    connection,
    namespace,
    taskQueue: TASK_QUEUE,
    workflowsPath: workflow,
    bundlerOptions: {
      logger: QUIET,
      webpackConfigHook: (config: Bundling) => bundling(config, sdkPlaces),
    },
    activities: activitiesOf(sdk, { ...ports, isStopping: () => isStopping }),
    maxConcurrentActivityTaskExecutions: MAX_RUNS,
    maxHeartbeatThrottleInterval: HEARTBEAT_MS,
    // The current slice may finish.
    shutdownGraceTime: DAY_MS,
  }).catch((error: Error) => {
    throw notTaken(place, error);
  });
  const done = worker.run().finally(() => connection.close());
  return {
    done,
    stop: () => {
      isStopping = true;
      if (worker.getState() === 'RUNNING') worker.shutdown();
    },
  };
}

const MAX_SHOWN = 300;

const notTaken = ({ address, namespace }: TemporalPlace, cause: Error): TardigradeError =>
  new TardigradeError(
    'E_PROVIDER',
    `The engine at ${address} takes no worker for ${namespace}: ${cause.message.slice(0, MAX_SHOWN)}`,
    'See whether it has that namespace.',
    { cause },
  );

/** The part of webpack's settings that is changed. */
interface Bundling {
  readonly resolve: { readonly modules: readonly string[] };
  readonly module: object;
}

/** The workflow lies beside this program, and the SDK may be elsewhere. */
const bundling = (config: Bundling, sdkPlaces: readonly string[]): object => ({
  ...config,
  module: { ...config.module, rules: [] },
  resolve: {
    ...config.resolve,
    modules: [
      ...config.resolve.modules,
      ...sdkPlaces.map((place) => join(dirname(place), 'node_modules')),
    ],
  },
});
