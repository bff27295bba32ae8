import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sha256 } from '../../src/lib/sha256.ts';
import { carryOut, stepFor } from '../../src/undo/step.ts';
import { realFolder, realMachine } from '../support/real-run.ts';

const BEFORE = Buffer.from('as it was');

/** A file that the run wrote and a person changed since, with its earlier content in the copies. */
function changedSince(path: string) {
  const workspace = realFolder({});
  const at = {
    ...{ fs: realMachine().fs, workspace, beside: '.before-run-1' },
    ...{ readBlob: () => BEFORE, storeBlob: () => '' },
  };
  const write = { before: sha256(BEFORE), after: 'by the run', mode: undefined, setsMode: false };
  const file = { path, writes: [{ ...write, isCertain: true, by: 'tool' as const }] };
  return { workspace, at, file };
}

it('what a file with a long name held goes beside it, under a name that is cut', () => {
  const name = '文'.repeat(84);
  const { workspace, at, file } = changedSince(name);
  writeFileSync(join(workspace, name), 'by a person');
  const step = stepFor(file, at);
  expect(carryOut(step, at)).toMatchObject({ skipped: '' });
  const beside = `${'文'.repeat(80)}.before-run-1`;
  expect(readFileSync(join(workspace, beside), 'utf8')).toBe('as it was');
  expect(readFileSync(join(workspace, name), 'utf8')).toBe('by a person');
  expect(stepFor(file, at)).toMatchObject({ do: 'leave', why: expect.stringContaining(beside) });
});

it('a file stays alone with a reason where no name beside it is free', () => {
  const { workspace, at, file } = changedSince('a.txt');
  for (let count = 1; count <= 100; count += 1)
    writeFileSync(join(workspace, `a.txt.before-run-1${count === 1 ? '' : `.${count}`}`), 'other');
  writeFileSync(join(workspace, 'a.txt'), 'by a person');
  expect(stepFor(file, at)).toMatchObject({ do: 'leave' });
  expect(existsSync(join(workspace, 'a.txt.before-run-1.101'))).toBe(false);
});
