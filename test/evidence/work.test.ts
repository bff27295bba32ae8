/** What the disk says of a run's work, on real files. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type WorkPort, workOf } from '../../src/evidence/work.ts';
import { makeWorkspace } from '../tools/support.ts';

it('a package of the workspace, linked among what others wrote, is work and no new package', () => {
  const { root, write, context } = makeWorkspace();
  write('packages/core/index.js', 'exports.one = 1;');
  write('node_modules/shim/index.js', 'exports.two = 2;');
  mkdirSync(`${root}/node_modules/@m`);
  symlinkSync(`${root}/packages/core`, `${root}/node_modules/@m/core`, 'junction');
  const run = {
    context: { state: { startedAt: 0 } },
    world: { exists: () => true, readText: () => null, files: () => [] },
    toolContext: context,
  } as unknown as WorkPort;
  const work = workOf(run, { files: [], commands: [], manifests: [] });
  expect(work.newPackages).toEqual(['node_modules/shim/index.js']);
});
