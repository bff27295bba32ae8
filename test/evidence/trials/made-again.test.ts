import { join } from 'node:path';
import { expect, it } from 'vitest';
import { madeAgain } from '../../../src/evidence/trials/made-again.ts';
import { testWorld, WORKSPACE } from '../../support/test-machine.ts';

it('only files that a copy holds exactly as the workspace does were made again there', () => {
  const world = testWorld();
  for (const [path, text] of [
    ['copy/out/same.js', 'new'],
    ['copy/out/old.js', 'old'],
    ['copy/out/gone.js', 'new'],
  ] as const)
    world.write(path, text);
  const here: { readonly [path: string]: string } = { 'out/same.js': 'new', 'out/old.js': 'new' };
  const found = (...paths: readonly string[]) =>
    madeAgain(paths, {
      world: { readText: (path: string) => here[path] ?? null },
      scratch: { folder: join(WORKSPACE, 'copy') },
      toolContext: { fs: world.machine().fs },
    } as unknown as Parameters<typeof madeAgain>[1]);
  expect(found('out/same.js', 'out/old.js', 'out/gone.js', 'out/none.js')).toEqual({
    made: ['out/same.js'],
  });
  expect(found('out/old.js')).toEqual({});
});
