/** The durable engines that a fleet of tests runs on: real servers on this machine. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startBalancer } from '../../src/cli/fleet/balancer.ts';
import { startLocalEngine } from '../../src/cli/fleet/local-engine.ts';
import type { DurableEngine } from '../../src/fleet/contract.ts';
import { restateEngine } from '../../src/fleet/restate/client.ts';
import { temporalPlace } from '../../src/fleet/temporal/address.ts';
import { temporalEngine } from '../../src/fleet/temporal/client.ts';
import { loadClientSdk } from '../../src/fleet/temporal/sdk.ts';
import { engineKeeps } from './engine-tables.ts';
import { startTemporalServer } from './temporal-server.ts';

export interface LabEngine {
  /** As `--fleet` names it. */
  readonly address: string;
  readonly engine: DurableEngine;
  /** What a worker is started with. */
  readonly words: readonly string[];
  /** Once the first workers are there. */
  register(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Again, in the same folder. */
  start(): Promise<void>;
  /** Whether a text is anywhere in what it keeps. */
  keeps(text: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface EngineKind {
  readonly name: string;
  /** Why there is nothing to test with; '': there is. */
  readonly whyNot: string;
  /** A folder of packages that has its SDK. */
  readonly packages: string;
  /** @param ports of the workers that live, asked at each connection */
  open(folder: string, ports: () => readonly number[]): Promise<LabEngine>;
}

const RESTATE_PACKAGES = resolve('.ci/restate/node_modules');
const RESTATE_SERVER = join(
  RESTATE_PACKAGES,
  '@restatedev/restate-server-linux-x64/bin/restate-server',
);

export const ON_RESTATE: EngineKind = {
  name: 'Restate',
  whyNot: existsSync(RESTATE_SERVER)
    ? ''
    : 'no server of Restate in .ci/restate (.ci/run installs it where the registry has it)',
  packages: RESTATE_PACKAGES,
  open: async (folder, ports) => {
    const server = await startLocalEngine(RESTATE_SERVER, folder);
    const balancer = await startBalancer(ports);
    return {
      address: server.address,
      engine: restateEngine(server.address),
      words: ['--listen', '127.0.0.1:0'],
      register: () => server.register(`http://127.0.0.1:${balancer.port}`),
      kill: server.kill,
      start: server.start,
      keeps: (text) => engineKeeps(server.admin, text),
      close: async () => {
        await server.kill();
        balancer.close();
      },
    };
  },
};

const TEMPORAL_PACKAGES = resolve('.ci/temporal/node_modules');
const TEMPORAL_SERVER =
  process.env.TARDIGRADE_TEST_TEMPORAL ?? resolve('.ci/temporal/temporal-server');

function whyNoTemporal(): string {
  if (!existsSync(TEMPORAL_SERVER))
    return 'no server of Temporal in .ci/temporal (.ci/run builds it with TARDIGRADE_CI_TEMPORAL=1)';
  return existsSync(TEMPORAL_PACKAGES) ? '' : 'no SDK of Temporal in .ci/temporal';
}

export const ON_TEMPORAL: EngineKind = {
  name: 'Temporal',
  whyNot: whyNoTemporal(),
  packages: TEMPORAL_PACKAGES,
  open: async (folder) => {
    const server = await startTemporalServer(TEMPORAL_SERVER, folder);
    const place = temporalPlace(server.address);
    const sdk = loadClientSdk([join(TEMPORAL_PACKAGES, 'any')]);
    if (place === null || sdk === null) throw new Error('There is no SDK of Temporal.');
    const engine = await temporalEngine(sdk, place);
    return {
      ...{ address: server.address, engine, words: ['--fleet', server.address] },
      register: async () => {},
      ...{ kill: server.kill, start: server.start, keeps: server.keeps },
      close: async () => {
        await engine.close();
        await server.kill();
      },
    };
  },
};
