import { expect, it } from 'vitest';
import { isWithheld } from '../../src/schema/journal/swap.ts';
import { dice, fc } from '../support/dice.ts';
import { contents, KeptRun, memoryFolder, put, remove } from '../support/kept-run.ts';

const NAMES = ['a.txt', 'b.py', 'deep/c.csv', 'deep/er/d.md', 'new.txt', 'deep/new.json'];
const TEXTS = ['', 'x', 'one\n', 'two\r\n', 'one\ntwo\n', '\u00e4\u00f6'];

const name = fc.constantFrom(...NAMES);
const text = fc.constantFrom(...TEXTS);

/** What one step of a run does: a file is written by a tool, or a program changes some. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('tool' as const), path: name, text }),
  fc.record({
    kind: fc.constantFrom('command' as const, 'check' as const),
    /** `null`: the file is removed. */
    changes: fc.array(fc.tuple(name, fc.option(text)), { maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant('restart' as const) }),
);

it.each(['linux', 'win32'] as const)(
  'whatever tools and commands did in turn on %s, an undo restores exactly what was there',
  async (platform) => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(name, text),
        fc.array(step, { maxLength: 8 }),
        async (given, steps) => {
          const run = new KeptRun(memoryFolder(platform));
          for (const [path, content] of Object.entries(given)) put(run.fs, path, content);
          const before = contents(run.fs);
          for (const one of steps) {
            if (one.kind === 'restart') run.restart();
            else if (one.kind === 'tool') await run.write(one.path, one.text);
            else await run[one.kind](() => carryOut(run, one.changes));
          }
          const report = run.undo();
          expect(report.leftAlone).toEqual([]);
          expect(shownOn(platform, contents(run.fs))).toEqual(shownOn(platform, before));
        },
      ),
      { numRuns: dice(5, 50) },
    );
  },
);

it.each(['linux', 'win32'] as const)(
  'whatever tools and commands did on %s, withheld it is as before to the byte, and applied as the run left it',
  async (platform) => {
    const swap = fc.record({ kind: fc.constant('swap' as const) });
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(name, text),
        fc.array(fc.oneof(step, swap), { maxLength: 8 }),
        async (given, steps) => {
          const run = new KeptRun(memoryFolder(platform));
          for (const [path, content] of Object.entries(given)) put(run.fs, path, content);
          const before = contents(run.fs);
          const seen = () => shownOn(platform, contents(run.fs));
          const thereAndBack = (): void => {
            const after = seen();
            run.withhold();
            const isOut = isWithheld(run.state);
            expect(seen()).toEqual(isOut ? shownOn(platform, before) : after);
            // Where nothing that was there is another one, what is new stays.
            if (!isOut) expect(after).toMatchObject(shownOn(platform, before));
            else run.apply({ isResume: true });
            expect(seen()).toEqual(after);
          };
          for (const one of steps)
            if (one.kind === 'swap') thereAndBack();
            else await carryOutStep(run, one);
          thereAndBack();
          run.undo();
          expect(seen()).toEqual(shownOn(platform, before));
        },
      ),
      { numRuns: dice(5, 50) },
    );
  },
);

it('what a person wrote or removed while changes were withheld, or before, is never lost', async () => {
  const change = fc.tuple(name, fc.option(text.map((said) => `a person: ${said}`)));
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(name, text),
      fc.array(step, { maxLength: 6 }),
      fc.array(change, { maxLength: 3 }),
      fc.array(change, { maxLength: 3 }),
      async (given, steps, first, second) => {
        const run = new KeptRun();
        for (const [path, content] of Object.entries(given)) put(run.fs, path, content);
        for (const one of steps) await carryOutStep(run, one);
        const theirs = new Map<string, string | undefined>();
        const isStillThere = (): void => {
          const now = contents(run.fs);
          for (const [path, said] of theirs)
            if (said !== undefined) expect([path, now[path]]).toEqual([path, said]);
        };
        for (const [changes, swap] of [
          [first, () => run.withhold()],
          [second, () => run.apply()],
        ] as const) {
          carryOut(run, changes);
          const now = contents(run.fs);
          for (const [path] of changes) theirs.set(path, now[path]);
          swap();
          isStillThere();
        }
        run.undo();
        isStillThere();
      },
    ),
    { numRuns: dice(5, 50) },
  );
});

it('whatever a person wrote or removed last is as the person left it after an undo, and that is said before', async () => {
  const person = fc.record({
    kind: fc.constant('person' as const),
    change: fc.tuple(name, fc.option(text.map((said) => `a person: ${said}`))),
  });
  const steps = fc.array(fc.oneof(step, person), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, text), steps, async (given, all) => {
      const run = new KeptRun();
      for (const [path, content] of Object.entries(given)) put(run.fs, path, content);
      const theirs = new Map<string, string | undefined>();
      const ours = new Map<string, string | undefined>();
      // A person who does what the run had done cannot be told from the run.
      const isOurs = (path: string, now: Record<string, string>): boolean =>
        ours.has(path) && ours.get(path) === now[path];
      for (const one of all) {
        const before = contents(run.fs);
        await carryOutStep(run, one);
        const after = contents(run.fs);
        for (const path of NAMES)
          if (after[path] !== before[path]) {
            if (one.kind !== 'person') ours.set(path, after[path]);
            if (one.kind === 'person' && !isOurs(path, after)) theirs.set(path, after[path]);
            else theirs.delete(path);
          }
      }
      const { files, left: named } = run.preview();
      const { restored, removed, leftAlone } = run.undo();
      const isFile = (path: string): boolean => !path.endsWith('/');
      const toDo = files.filter((line) => !line.endsWith('(is as it was before the run already)'));
      expect(pathsIn(toDo).filter(isFile)).toEqual(
        [...restored.filter(isFile), ...removed].toSorted(),
      );
      expect(pathsIn(named)).toEqual(leftAlone.map(({ path }) => path).toSorted());
      const left = contents(run.fs);
      for (const [path, content] of theirs) expect([path, left[path]]).toEqual([path, content]);
    }),
    { numRuns: dice(5, 50) },
  );
});

const pathsIn = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => line.split(' ')[0] ?? '').toSorted();

/** Modes mean nothing on win32. */
const shownOn = (platform: string, files: Record<string, string>): Record<string, string> =>
  platform === 'win32'
    ? Object.fromEntries(Object.entries(files).map(([path, said]) => [path, said.slice(4)]))
    : files;

type Step =
  | { readonly kind: 'restart' }
  | { readonly kind: 'tool'; readonly path: string; readonly text: string }
  | { readonly kind: 'person'; readonly change: readonly [string, string | null] }
  | {
      readonly kind: 'command' | 'check';
      readonly changes: readonly (readonly [string, string | null])[];
    };

async function carryOutStep(run: KeptRun, one: Step): Promise<void> {
  switch (one.kind) {
    case 'restart':
      return run.restart();
    case 'tool':
      return void (await run.write(one.path, one.text));
    case 'person':
      return carryOut(run, [one.change]);
    default:
      return void (await run[one.kind](() => carryOut(run, one.changes)));
  }
}

function carryOut(run: KeptRun, changes: readonly (readonly [string, string | null])[]): void {
  for (const [path, content] of changes) {
    if (content !== null) put(run.fs, path, content);
    else if (path in contents(run.fs)) remove(run.fs, path);
  }
}
