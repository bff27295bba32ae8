/** Connects a worker with the engine of its fleet, by the engine's address. */
import type { Slices } from '../../fleet/contract.ts';
import { loadSdk } from '../../fleet/restate/sdk.ts';
import { startRestateWorker } from '../../fleet/restate/worker.ts';
import { type TemporalPlace, temporalPlace } from '../../fleet/temporal/address.ts';
import { misuse, TardigradeError } from '../../lib/errors.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import type { CommandContext } from '../command-context.ts';
import { addressOf, sdkMissing } from './engine.ts';
import { fillInPromises } from './promises.ts';
import { sdkPlaces } from './sdk-places.ts';

type StartWorker = (slices: Slices) => Promise<EngineWorker>;

interface EngineWorker {
  /** The address at which the engine reaches the worker, or the worker the engine. */
  readonly address: string;
  /** What a person still has to do. */
  readonly hint: string;
  /** Rejects once the worker cannot continue. */
  readonly failed: Promise<never>;
  /** Accepts no new slice. */
  stop(): void;
  /** Called once its runs are released. */
  close(): Promise<void>;
}

/** Throws E_USAGE if the SDK of the engine is not installed. */
export async function workerStart(context: CommandContext): Promise<StartWorker> {
  const place = temporalPlace(addressOf(context));
  return place === null ? restateStart(context) : temporalStart(context, place);
}

function restateStart(context: CommandContext): StartWorker {
  const { host, port } = addressIn(context.invocation.listen ?? OPTIONS.listen.usually);
  fillInPromises();
  const sdk = loadSdk(sdkPlaces(context));
  if (sdk === null) throw sdkMissing(context);
  return async (slices) => {
    const at = { host, port };
    const worker = await startRestateWorker(sdk, slices, at).catch((error: unknown) => {
      throw cannotListen(error, `${host}:${port}`);
    });
    return {
      address: `http://${host}:${worker.port}`,
      hint: ' Register this address with the engine once: docs/fleet.md.',
      failed: new Promise(() => {}),
      stop: () => {},
      close: async () => worker.close(),
    };
  };
}

async function temporalStart(context: CommandContext, place: TemporalPlace): Promise<StartWorker> {
  const { loadWorkerSdk } = await import('../../fleet/temporal/sdk.ts');
  const { startTemporalWorker } = await import('../../fleet/temporal/worker.ts');
  const places = sdkPlaces(context);
  const sdk = loadWorkerSdk(places);
  if (sdk === null) throw sdkMissing(context);
  const { terminal } = context;
  const { join } = pathsOf(terminal.platform);
  return async (slices) => {
    const worker = await startTemporalWorker(sdk, {
      place,
      slices,
      sdkPlaces: places,
      workflow: join(terminal.programFolder, 'program', 'temporal-workflow.cjs'),
      clock: {
        monotonic: terminal.clock.monotonic,
        every: (ms, act) => terminal.every(ms, act),
      },
    });
    const failed = worker.done.then(
      () => new Promise<never>(() => {}),
      (error: Error) => {
        throw new TardigradeError(
          'E_PROVIDER',
          `The engine at ${place.address} has no more work for this worker: ${error.message}`,
          'See whether the namespace is there, and start it again.',
          { cause: error },
        );
      },
    );
    // Avoids an unhandled rejection once it is no longer awaited.
    failed.catch(() => {});
    return {
      address: addressOf(context),
      hint: '',
      failed,
      stop: worker.stop,
      close: () => worker.done.catch(() => {}),
    };
  };
}

/** `HOST:PORT`; an IPv6 address is in brackets. */
function addressIn(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, port = ''] =
    /^(?:\[([\da-f:.]+)\]|([^:[\]]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host !== undefined && Number(port) <= 65_535) return { host, port: Number(port) };
  throw misuse(
    `${text} is not an address to listen at.`,
    `Write HOST:PORT, for example ${longFlag(OPTIONS.listen)} 0.0.0.0:9080.`,
  );
}

const cannotListen = (cause: unknown, where: string): TardigradeError =>
  misuse(
    `Nothing can listen at ${where} (${(cause as NodeJS.ErrnoException).code ?? 'unknown'}).`,
    `Choose another with ${longFlag(OPTIONS.listen)}.`,
    { cause },
  );
