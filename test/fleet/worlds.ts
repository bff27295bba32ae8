/** Workers on machines in memory, with a model that follows its plan. */
import { openOwnedRun } from '../../src/agent.ts';
import { ContextManager } from '../../src/context-manager/context-manager.ts';
import { runPorts } from '../../src/context-manager/open-or-create.ts';
import { UNCHECKED } from '../../src/context-manager/origin.ts';
import type { Slices } from '../../src/fleet/contract.ts';
import { OpenRuns } from '../../src/fleet/slices.ts';
import { layoutOf } from '../../src/journal/layout.ts';
import { type Leases, watchLeases } from '../../src/journal/lock/lease.ts';
import { openJournal } from '../../src/journal/recover.ts';
import type { ProcessIdentity } from '../../src/lib/process-identity.ts';
import type { SharedCooldowns } from '../../src/llm/failover/shared.ts';
import type { Script } from '../support/scripted-provider.ts';
import { SCRIPTED_MODEL, scriptedProvider } from '../support/scripted-provider.ts';
import type { TestMachine, TestWorld } from '../support/test-machine.ts';
import { watchingRecords } from '../support/written-records.ts';

export interface WorkerParts {
  readonly world: TestWorld;
  readonly script: Script;
  /** Called as each record is written. */
  readonly wrote?: (type: string, machine: TestMachine) => void;
  readonly place?: Partial<ProcessIdentity>;
  readonly leases?: Leases;
  readonly cooldowns?: SharedCooldowns;
  readonly isAllowed?: boolean;
  /** Left out: as the world makes them. */
  readonly machineOf?: (world: TestWorld) => TestMachine;
}

/** A lease of 15 s; every look at the clock takes 600 ms. */
export function hurriedLeases(): Leases {
  let now = 0;
  return watchLeases(15_000, {
    monotonic: () => {
      now += 600;
      return now;
    },
  });
}

export interface TestWorker extends Slices {
  /** From here on nothing that it does reaches the disk. */
  die(): void;
}

export function workerIn({
  world,
  script,
  wrote = () => {},
  place = {},
  leases,
  cooldowns,
  isAllowed = true,
  machineOf = (one) => one.machine(),
}: WorkerParts): TestWorker {
  const made = machineOf(world);
  const machine: TestMachine = {
    ...made,
    identity: { ...made.identity, ...place },
    fs: watchingRecords(made.fs, (record) => wrote(record.type, made)),
  };
  const provider = scriptedProvider(script);
  const slices = new OpenRuns({
    clock: machine.clock,
    mostOpen: 4,
    leastMs: 0,
    open: ({ run, goal, workspace }, signal) =>
      openOwnedRun({
        ...{ goal, run, workspace, signal, machine, provider, model: SCRIPTED_MODEL },
        ...{ toolMode: 'native', plainTry: false, worker: machine.identity.host },
        ...(isAllowed ? { yes: true } : {}),
        ...(leases === undefined ? {} : { leases }),
        ...(cooldowns === undefined ? {} : { cooldowns }),
      }),
    answer: async ({ workspace }, { id, allowed, why }) => {
      const { fs, clock } = machine;
      const layout = layoutOf(workspace);
      const opened = openJournal(runPorts({ fs, layout, clock }));
      if (opened === null) throw new Error('there is no run');
      const ports = { fs, layout, clock, origin: UNCHECKED, emit: () => {} };
      const context = new ContextManager(opened, ports);
      context.record({ type: 'approval_given', id, allowed, why, scope: 'call' });
      context.settle();
      context.close();
      return null;
    },
  });
  return {
    advance: (request, signal) => slices.advance(request, signal),
    answer: (request, answer) => slices.answer(request, answer),
    pause: (run) => slices.pause(run),
    release: (run) => slices.release(run),
    die: () => made.kill(),
  };
}
