/** What the end of a run reads of its journal. */
import { expect, test } from 'vitest';
import { ContextManager } from '../../../src/context-manager/context-manager.ts';
import { layoutOf, prepareLayout } from '../../../src/journal/layout.ts';
import { delegating } from '../../../src/lib/files/hiding-file-system.ts';
import { runSync } from '../../../src/lib/interruptible.ts';
import { type LossPort, lossesAtEnd } from '../../../src/run/tools/losses.ts';
import type { FileChange } from '../../../src/schema/actions.ts';
import { testWorld, WORKSPACE } from '../../support/test-machine.ts';

const LONG = 'x'.repeat(10_000);

test('is in pieces, between which an interrupt is heard, and no long text but of what it looks for', () => {
  const { fs: disk, clock } = testWorld().machine();
  const fs = delegating(disk);
  const opened: string[] = [];
  const counting: typeof fs = {
    ...fs,
    open: (path, ...rest) => {
      opened.push(path);
      return fs.open(path, ...rest);
    },
  };
  const layout = layoutOf(WORKSPACE);
  prepareLayout(counting, layout);
  const ports = { fs: counting, layout, clock, emit: () => {} };
  const { context } = runSync(
    ContextManager.loadOrInit(ports, { goal: 'Change it', again: false }),
  );
  const before = context.keepText('def kept():\n    pass\n\n\ndef lost():\n    pass\n');
  context.record({ type: 'note', kind: 'long', data: { text: LONG } });
  const change: FileChange = { path: 'a.py', before, after: 'f'.repeat(64), drops: 'lost' };
  for (let n = 0; n < 250; n += 1)
    context.record({
      ...{ type: 'action_intended', id: `1.1#${n}#0`, class: 'write', tool: 'write_file' },
      ...{ args: {}, signature: '', files: n === 7 ? [change] : [] },
    });
  context.sync('end');
  opened.length = 0;
  const run = {
    context,
    world: { readText: () => 'def kept():\n    pass\n' },
    toolContext: { fs: counting, workspace: WORKSPACE },
  } as unknown as LossPort;
  const work = lossesAtEnd(run);
  let pieces = 0;
  let step = work.next();
  for (; !step.done; step = work.next()) pieces += 1;
  context.close();
  expect(step.value).toEqual({ lost: [{ path: 'a.py', drops: expect.stringContaining('lost') }] });
  expect(pieces).toBe(2);
  const blobs = opened.filter((path) => path.startsWith(layout.blobs));
  expect(new Set(blobs).size).toBe(1);
});
