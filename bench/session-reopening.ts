import { nodeFileSystem } from '../src/lib/files/file-system.ts';
import { type Machine, thisMachine } from '../src/run/machine.ts';
import { openSession } from '../src/sessions/open-session.ts';
import type { SessionOptions } from '../src/sessions/options.ts';
import type { Session } from '../src/sessions/session.ts';
import { LARGE, SCRIPTED_MODEL, scriptedProvider } from '../test/support/scripted-provider.ts';
import type { Figure, Lab, Measurement } from './measurement.ts';
import { rounded } from './support/statistics.ts';

const TURNS = 1_000;
const RUNS = 5;
const BOUND_MS = 200;
const ANSWER = 'The quick brown fox jumps over the lazy dog, once more. '.repeat(10);

/** A conversation that was held for long is opened again: the slowest of a few. */
export const sessionReopening: Measurement = {
  name: 'reopening a conversation',
  async measure(lab: Lab): Promise<readonly Figure[]> {
    const workspace = lab.folder();
    const held = await hold(workspace);
    const taken: number[] = [];
    let records = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const began = performance.now();
      const session = await open(workspace, thisMachine(), { resume: true });
      taken.push(performance.now() - began);
      const { counters, seq } = session.state;
      if (counters.turns !== held) throw new Error(`${counters.turns} of ${held} turns came back`);
      records = seq;
      await session.close();
    }
    return [
      {
        name: `reopening a conversation of ${held} turns`,
        value: rounded(Math.max(...taken), 1),
        unit: 'ms',
        bound: BOUND_MS,
        better: 'lower',
        detail: `slowest of ${RUNS}, model and tools included; ${records} records`,
      },
    ];
  },
};

/** What is not there yet need not survive a power cut while it is made. */
const unsynced = (): Machine => ({
  ...thisMachine(),
  fs: { ...nodeFileSystem, fsync: () => {}, fdatasync: () => {} },
});

/** Looks and answers, and the summaries that a long conversation needs. Its turns. */
async function hold(workspace: string): Promise<number> {
  const session = await open(workspace, unsynced(), {});
  for (let message = 1; session.state.counters.turns < TURNS; message += 1)
    await session.send(`Message ${message}: what lies here?`);
  const { turns } = session.state.counters;
  await session.close();
  return turns;
}

function open(
  workspace: string,
  machine: Machine,
  more: Pick<SessionOptions, 'resume'>,
): Promise<Session> {
  const provider = scriptedProvider(
    ({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? ANSWER
        : { calls: [{ name: 'list_dir', args: { path: '.' } }] },
    LARGE,
  );
  return openSession({
    workspace,
    machine,
    provider,
    model: SCRIPTED_MODEL,
    name: 'talk',
    ...more,
  });
}
