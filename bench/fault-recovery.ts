import { systemClock } from '../src/lib/clock.ts';
import { DEFAULT_PROFILE } from '../src/llm/failover/candidate.ts';
import type { FakeOllama } from '../test/support/fake-ollama.ts';
import {
  FAULTS,
  type Fault,
  faultyServer,
  healthyServer,
  lockedServer,
  wayTo,
} from '../test/support/faults.ts';
import { hostedRecovery } from './hosted-faults.ts';
import type { Figure, Lab, Measurement } from './measurement.ts';
import { figureOf, recover, SILENCE_MS } from './support/recovery.ts';

const CLOSED_MS = 5000;

async function overcome(fault: Fault, workspace: string): Promise<Figure> {
  const server = await faultyServer(fault);
  const ways = [wayTo(server, DEFAULT_PROFILE)];
  const toolMode = fault.toolMode === 'json' ? 'json' : 'auto';
  const recovery = await recover({ ways, toolMode }, workspace);
  await server.close();
  const note = fault.isSilent ? `, silence bounded to ${SILENCE_MS} ms` : '';
  return figureOf(fault.name, recovery, note);
}

async function overcomeClosedPort(workspace: string): Promise<Figure> {
  const server = await healthyServer();
  let back: Promise<FakeOllama> | null = null;
  const onPlan = (): void => {
    back = server
      .close()
      .then(() => systemClock.sleep(CLOSED_MS))
      .then(() => healthyServer(server.port));
  };
  const ways = [wayTo(server, DEFAULT_PROFILE)];
  const recovery = await recover({ ways, toolMode: 'json', onPlan }, workspace);
  await (await (back as Promise<FakeOllama> | null))?.close();
  return figureOf('port closed for 5 s', recovery);
}

async function overcomeExpiredKey(workspace: string): Promise<Figure> {
  const [locked, healthy] = [await lockedServer(), await healthyServer()];
  const ways = [wayTo(locked, 'KEY'), wayTo(healthy, 'KEY_2')];
  const recovery = await recover({ ways, toolMode: 'auto' }, workspace);
  await Promise.all([locked.close(), healthy.close()]);
  return figureOf('expired key, a second profile', recovery);
}

/** How long a run is held up by what goes wrong between it and its model; over real HTTP. */
export const faultRecovery: Measurement = {
  name: 'recovery from faults',
  async measure(lab: Lab): Promise<readonly Figure[]> {
    const figures: Figure[] = [];
    for (const fault of FAULTS) figures.push(await overcome(fault, lab.folder()));
    figures.push(await overcomeClosedPort(lab.folder()));
    figures.push(await overcomeExpiredKey(lab.folder()));
    return [...figures, ...(await hostedRecovery(lab))];
  },
};
