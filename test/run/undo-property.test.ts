import fc from 'fast-check';
import { expect, it } from 'vitest';
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
          expect(contents(run.fs)).toEqual(before);
        },
      ),
      { numRuns: 60 },
    );
  },
);

function carryOut(run: KeptRun, changes: readonly (readonly [string, string | null])[]): void {
  for (const [path, content] of changes) {
    if (content !== null) put(run.fs, path, content);
    else if (path in contents(run.fs)) remove(run.fs, path);
  }
}
