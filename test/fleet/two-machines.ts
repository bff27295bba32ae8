/** Workers on two machines that see one folder, each with a host name and a boot of its own. */
import { readFileSync } from 'node:fs';
import { vi } from 'vitest';
import { layoutOf } from '../../src/journal/layout.ts';
import { FleetLab, runsAll, WHY_NO_FLEET } from '../support/fleet-lab.ts';
import { whyNoMachines } from '../support/fleet-machines.ts';
import { pinAgent } from '../support/kill-agent.ts';

export const WHY_NO_TWO_MACHINES = WHY_NO_FLEET || whyNoMachines();

export const LABELS: readonly string[] = ['a', 'b'];

export interface TakenOver {
  /** The journal as the second machine has ended it. */
  readonly ended: string;
  /** The same once the first one has woken and gone. */
  readonly atLast: string;
  /** The commands that were begun, in their order. */
  readonly begun: readonly (string | undefined)[];
}

/** A run whose machine hangs beyond its lease, and wakes once another one has ended it. */
export async function takenOver(): Promise<TakenOver> {
  const agent = pinAgent();
  const lab = await FleetLab.open(agent.bin, (request) => runsAll(LABELS)(request as never));
  try {
    const [one] = await lab.startWorkers(1, 'one');
    const folder = lab.folder(1, 1000);
    await lab.submit(1, folder);
    await vi.waitUntil(() => lab.witnessed().some(([, , word]) => word === 'begins'), {
      ...{ timeout: 60_000, interval: 20 },
    });
    if (one !== undefined) lab.hang(one);
    await lab.startWorkers(1, 'two');
    await lab.ended(['r1'], 90_000);
    const journal = () => readFileSync(layoutOf(folder).history, 'utf8');
    const ended = journal();
    one?.killAll('SIGCONT');
    one?.kill('SIGTERM');
    await one?.gone;
    const begun = lab.witnessed().filter(([, , word]) => word === 'begins');
    return { ended, atLast: journal(), begun: begun.map(([, label]) => label) };
  } finally {
    await lab.close();
    agent.dispose();
  }
}
