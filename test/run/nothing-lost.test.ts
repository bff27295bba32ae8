/** Nothing that was there is lost, whatever commands and tools of a run do to it, and wherever the process dies. */

import { describe, expect, it } from 'vitest';
import { createBlobStore } from '../../src/journal/blobs/blobs.ts';
import { layoutOf } from '../../src/journal/layout.ts';
import { orNull } from '../../src/lib/or-null.ts';
import { sha256 } from '../../src/lib/sha256.ts';
import { commandFiles } from '../../src/run/stream/changed-files.ts';
import { contentReader } from '../../src/workspace/before-images/packs.ts';
import { fc } from '../support/dice.ts';
import { diligentModel } from '../support/models.ts';
import { withFaults } from '../support/random-faults.ts';
import { journalOf, runIn } from '../support/run-in.ts';
import { LARGE, type Script, scriptedProvider } from '../support/scripted-provider.ts';
import {
  isInCopy,
  type TestMachine,
  type TestWorld,
  testWorld,
  WORKSPACE,
} from '../support/test-machine.ts';

const RUNS = Number(process.env.RANDOM_RUNS ?? 6);
const THEIRS = { 'notes.txt': 'call Ole\n', 'old/a.txt': 'a\n', 'data.csv': '1,2\n' } as const;
const PATHS = Object.keys(THEIRS);
const GOALS = ['Write step.mjs and run it', 'Schreibe step.mjs für data.csv', '运行 step.mjs'];

interface Harm {
  readonly path: string;
  readonly how: 'removes' | 'overwrites' | 'moves' | 'deletes';
}

const harm: fc.Arbitrary<Harm> = fc.record({
  path: fc.constantFrom(...PATHS),
  how: fc.constantFrom('removes', 'overwrites', 'moves', 'deletes'),
});
const setups = fc.record({
  toolMode: fc.constantFrom('json', 'native'),
  goal: fc.constantFrom(...GOALS),
  harms: fc.array(harm, { minLength: 1, maxLength: 4 }),
  isKilled: fc.boolean(),
  /** Of so many operations on files of the workspace one fails until the run is begun again; 0: none. */
  faults: fc.constantFrom(0, 15, 60, 200),
  seed: fc.nat(99),
});
type Setup = typeof setups extends fc.Arbitrary<infer Value> ? Value : never;

/** What goes by a tool is a call of the model; the rest is done by the command that it runs. */
const scriptFor = (harms: readonly Harm[], toolMode: Setup['toolMode']): Script => {
  const write = { action: 'write_file', file: 'step.mjs', purpose: 'the script' };
  const run = { action: 'run_cmd', cmd: 'node step.mjs', purpose: 'run it' };
  const work = diligentModel({
    // Where the model is led its proof runs the script.
    subtasks: toolMode === 'json' ? [write] : [write, run],
    verify: { cmd: 'node step.mjs', prints: 'done' },
    files: { 'step.mjs': ['console.log("done");\n'] },
  });
  const calls = harms.flatMap(({ path, how }) =>
    how === 'deletes' ? { name: 'delete_file', args: { path } } : [],
  );
  return (request, n) => {
    const said = work(request, n);
    return typeof said === 'object' && said.calls && calls.length > 0 && n % 3 === 2
      ? { ...said, calls: [...calls, ...said.calls] }
      : said;
  };
};

async function played({ toolMode, goal, harms, isKilled, faults, seed }: Setup) {
  let machine: TestMachine | null = null;
  const world = testWorld((_args, _stdin, read, write, remove) => {
    for (const { path, how } of harms) {
      const text = read(path);
      if (text === null || how === 'deletes') continue;
      if (how === 'moves') write(`${path}.moved`, text);
      if (how === 'overwrites') write(path, 'gone\n');
      else remove(path);
    }
    if (isKilled && !isInCopy(read)) machine?.kill();
    return { output: 'done\n', exitCode: 0 };
  });
  for (const [path, text] of Object.entries(THEIRS)) world.write(path, text);
  const provider = scriptedProvider(scriptFor(harms, toolMode), LARGE);
  // What is not proved stays, so that nothing comes back but what was put back at once.
  const options = { goal, toolMode, keep: true } as const;
  machine = world.machine();
  const faulty = withFaults(machine, () => seed, faults);
  const first = await runIn(world, provider, { ...options, machine: faulty }).catch(() => null);
  machine = null;
  const isOver = first !== null && first.result.ending !== 'paused';
  const { result } = isOver ? first : await runIn(world, provider, options);
  return { world, result, wasKilled: first === null };
}

/** By what is on the disk, and by all that is kept of it. */
function isThere(world: TestWorld, text: string): boolean {
  const onDisk = PATHS.flatMap((path) => [world.read(path), world.read(`${path}.moved`)]);
  if (onDisk.includes(text)) return true;
  const blobs = createBlobStore(world.machine().fs, layoutOf(WORKSPACE).blobs);
  const kept = journalOf(world).flatMap((one) => (one.type === 'files_kept' ? one.manifest : []));
  const read = contentReader(kept, (hash) => blobs.read(hash));
  const bytes = orNull(() => read(sha256(Buffer.from(text))));
  return bytes !== null && Buffer.from(bytes).toString('utf8') === text;
}

/** What could not be read before a command, and so is not kept, is named. */
function isToldAsNotKept(world: TestWorld, path: string): boolean {
  const blobs = createBlobStore(world.machine().fs, layoutOf(WORKSPACE).blobs);
  return journalOf(world).some((one) => {
    if (one.type !== 'files_kept') return false;
    const manifest = JSON.parse(Buffer.from(blobs.read(one.manifest)).toString('utf8'));
    return (
      !manifest.isWhole || manifest.left.some((left: string) => `${path}/`.startsWith(`${left}/`))
    );
  });
}

const isBack = (world: TestWorld, path: keyof typeof THEIRS): boolean =>
  [world.read(path), world.read(`${path}.moved`)].includes(THEIRS[path]);

describe('whatever commands and tools do', () => {
  it('nothing that was there is lost, and nothing is claimed over a loss', async () => {
    await fc.assert(
      fc.asyncProperty(setups, async (setup) => {
        const { world, result, wasKilled } = await played(setup);
        const { state } = result;
        for (const path of PATHS as (keyof typeof THEIRS)[]) {
          const isKept = isThere(world, THEIRS[path]);
          if (!isKept && setup.faults > 0) expect(isToldAsNotKept(world, path), path).toBe(true);
          else expect(isKept, path).toBe(true);
          if (isBack(world, path)) continue;
          const isNamed = setup.goal.includes(path) && world.read(path) !== null;
          // Who changed it is not known after a kill: it is named.
          const { unseen, changed, removed, notKept } = commandFiles(state);
          if (setup.faults > 0) {
            const isTold = [...unseen, ...changed, ...removed, ...notKept].includes(path);
            if (!isNamed && result.ending === 'achieved') expect(isTold, path).toBe(true);
          } else if (setup.toolMode === 'json')
            expect(isNamed || (wasKilled && unseen.includes(path)), path).toBe(true);
          else if (!isNamed && !unseen.includes(path)) expect(result.ending).not.toBe('achieved');
        }
      }),
      { numRuns: RUNS },
    );
  });

  it.each(['json', 'native'] as const)(
    'a kill in the command leaves the file as it is, and names it (%s)',
    async (toolMode) => {
      const harms = [{ path: 'notes.txt', how: 'removes' }] as const;
      const { world, result, wasKilled } = await played({
        toolMode,
        goal: GOALS[0] ?? '',
        harms: [...harms],
        ...{ isKilled: true, faults: 0, seed: 0 },
      });
      expect(wasKilled).toBe(true);
      expect(world.read('notes.txt')).toBeNull();
      expect(commandFiles(result.state).unseen).toContain('notes.txt');
      expect(isThere(world, THEIRS['notes.txt'])).toBe(true);
    },
  );
});
