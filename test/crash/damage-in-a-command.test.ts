/** A run that was killed in a command and lost its journal goes on after a repair, and says what is not known. */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { chainReport, readRun } from '../../src/host/journals/journal.ts';
import { repair, repairPlan } from '../../src/host/journals/repair.ts';
import { layoutOf } from '../../src/journal/layout.ts';
import { readFileIfPresent, replaceFile } from '../../src/lib/files/durable-files.ts';
import { leading } from '../support/leading.ts';
import { wantedBy } from '../support/models.ts';
import { journalOf, runIn } from '../support/run-in.ts';
import { LARGE, scriptedProvider } from '../support/scripted-provider.ts';
import { showState } from '../support/shown-state.ts';
import { type TestWorld, testWorld, WORKSPACE } from '../support/test-machine.ts';

const { history } = layoutOf(WORKSPACE);
const WORK = {
  subtasks: [{ action: 'run_cmd' as const, cmd: 'node work.mjs', purpose: 'do the work' }],
  verify: { cmd: 'node work.mjs', prints: 'done' },
};
const RUN = { name: 'run_cmd', args: { cmd: 'node work.mjs' } };

/** It runs a command until its outcome stands in the conversation, and gives up. */
const model = () =>
  scriptedProvider(
    leading(WORK, (request) => {
      const told = request.messages.map(({ content }) => content).join('\n');
      const isTold = /outcome unknown|exit code 0/.test(told) && wantedBy(request) === 'tools';
      const end = { name: 'give_up', args: { reason: 'seen enough', needs: 'nothing' } };
      return { calls: [isTold ? end : RUN] };
    }),
    LARGE,
  );

async function killedInCommand(): Promise<TestWorld> {
  const world = testWorld(() => ({ output: 'done\n', exitCode: 0 }));
  const machine = world.machine();
  const run = runIn(world, model(), {
    ...{ machine, toolMode: 'native', allow: ['node *'] },
    onRecord: ({ type }) => {
      if (type === 'action_started') machine.kill();
    },
  });
  await expect(run).rejects.toThrow('killed');
  showState(world.machine(), WORKSPACE);
  return world;
}

const DAMAGES: { readonly [name: string]: (text: Buffer) => Buffer | null } = {
  emptied: () => Buffer.alloc(0),
  'its first record torn': (bytes) => bytes.subarray(0, Math.floor(bytes.indexOf(0x0a) / 2)),
  deleted: () => null,
  'replaced by a web page': () => Buffer.from('<!DOCTYPE html>\n<html></html>\n'),
  packed: (bytes) => gzipSync(bytes),
  'pretty-printed': (bytes) =>
    Buffer.from(
      bytes
        .toString()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.stringify(JSON.parse(line), null, 2))
        .join('\n'),
    ),
};

for (const [name, damage] of Object.entries(DAMAGES))
  it(`a journal that was ${name}: repaired, it goes on, and no command runs twice unsaid`, async () => {
    const world = await killedInCommand();
    const machine = world.machine();
    const { fs } = machine;
    const bytes = damage(readFileIfPresent(fs, history) ?? Buffer.alloc(0));
    fs.unlink(history);
    if (bytes !== null) replaceFile(fs, history, bytes);
    expect(repairPlan(machine, WORKSPACE).isNothing).toBe(false);
    repair(machine, { workspace: WORKSPACE, forceUnlock: true });
    expect(repairPlan(machine, WORKSPACE).isNothing).toBe(true);
    const report = chainReport(machine, WORKSPACE);
    expect(report).toMatchObject({
      kind: 'ok',
      unsettled: [{ tool: 'run_cmd', isUnreadable: true }],
    });
    const { result, records } = await runIn(world, model(), { goal: null, toolMode: 'native' });
    expect(result.ending === 'paused' && result.why === 'interrupted').toBe(false);
    expect(records).toContainEqual(
      expect.objectContaining({ type: 'action_finished', status: 'interrupted' }),
    );
    expect(chainReport(world.machine(), WORKSPACE)).toMatchObject({ kind: 'ok' });
    expect(journalOf(world).length).toBeGreaterThan(0);
  });

it('a journal longer than any of ours is refused at once, by whatever reads it', async () => {
  const world = await killedInCommand();
  const machine = world.machine();
  const fs = {
    ...machine.fs,
    lstat: (path: string) => ({ ...machine.fs.lstat(path), size: 2 ** 33 }),
  };
  for (const look of [
    () => chainReport({ ...machine, fs }, WORKSPACE),
    () => repairPlan({ ...machine, fs }, WORKSPACE),
    () => readRun({ ...machine, fs }, WORKSPACE),
  ])
    expect(look).toThrow(/8,589,934,592 bytes/);
});
