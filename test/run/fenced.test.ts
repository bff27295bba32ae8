/** A run whose lock was taken over does nothing more, whenever it comes to know. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { layoutOf } from '../../src/journal/layout.ts';
import { acquireLock } from '../../src/journal/lock/lock.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import { diligentModel, type PlannedWork } from '../support/models.ts';
import { realFolder } from '../support/real-run.ts';
import { journalOf, runIn } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { type TestWorld, testWorld, WORKSPACE } from '../support/test-machine.ts';

const WORK: PlannedWork = {
  subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': ['console.log("hello");\n'] },
};
const GOAL = 'Write hello.mjs, which prints hello';
const FENCED = expect.objectContaining({ code: 'E_FENCED' });

/** Another machine takes the lock by force, and has written nothing yet. */
function takeOver(world: TestWorld): void {
  const { fs, clock, identity } = world.machine();
  const elsewhere = { ...identity, host: 'elsewhere', boot: 'other' };
  const ports = { fs, clock, identity: elsewhere, directory: layoutOf(WORKSPACE).lock };
  acquireLock(ports, { force: true });
}

describe.skipIf(process.platform === 'win32')(
  'a run whose lock another machine has taken over',
  () => {
    it.each<[string, JournalRecord['type']]>([
      ['once its model has answered', 'turn_finished'],
      ['once a command was begun', 'action_intended'],
      ['once a file was written', 'action_finished'],
    ])('writes nothing and does nothing more %s', async (_, type) => {
      const world = testWorld();
      let left = '';
      const run = runIn(world, scriptedProvider(diligentModel(WORK)), {
        goal: GOAL,
        onRecord: (record) => {
          if (left !== '' || record.type !== type) return;
          takeOver(world);
          left = JSON.stringify([
            journalOf(world).length,
            world.commands.length,
            world.read('hello.mjs'),
          ]);
        },
      });
      await expect(run).rejects.toEqual(FENCED);
      expect(left).not.toBe('');
      expect([journalOf(world).length, world.commands.length, world.read('hello.mjs')]).toEqual(
        JSON.parse(left),
      );
    });
  },
);

describe.skipIf(process.platform === 'win32')('of two processes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tardigrade-fenced-'));
  const program = join(folder, 'worker.mjs');
  beforeAll(async () => {
    await build({
      entryPoints: [join(import.meta.dirname, '../support/fenced-worker.ts')],
      outfile: program,
      ...{ bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
      loader: { '.py': 'text' },
      define: { TARDIGRADE_VERSION: '"0"' },
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function startWorker(host: string, workspace: string) {
    const child = spawn(process.execPath, [program, host, workspace], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    return {
      child,
      line: async (): Promise<unknown> => (await lines.next()).value,
      answer: () => child.stdin.write('go\n'),
      ended: once(child, 'exit'),
    };
  }

  it('the one that was suspended wakes up, has no effect and writes nothing, where the other has worked to its end', async () => {
    const workspace = realFolder({
      'effect.mjs': "import { appendFileSync } from 'node:fs';\nappendFileSync('effects', 'x');",
    });
    const { history } = layoutOf(workspace);
    const first = startWorker('one', workspace);
    expect(await first.line()).toBe('asked');
    first.child.kill('SIGSTOP');
    const second = startWorker('two', workspace);
    expect(await second.line()).toBe('asked');
    second.answer();
    expect(await second.line()).not.toMatch(/^E_/);
    const effects = () =>
      existsSync(join(workspace, 'effects'))
        ? readFileSync(join(workspace, 'effects'), 'utf8')
        : '';
    const before = { journal: readFileSync(history, 'utf8'), effects: effects() };
    first.answer();
    first.child.kill('SIGCONT');
    expect(await first.line()).toBe('E_FENCED');
    await first.ended;
    expect({ journal: readFileSync(history, 'utf8'), effects: effects() }).toEqual(before);
  });
});
