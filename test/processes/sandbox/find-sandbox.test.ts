/** A sandbox counts where a program that tries everything gets nowhere; so walls that do not hold are tried, too. */
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { findSandbox } from '../../../src/processes/sandbox/find-sandbox.ts';
import { realFolder } from '../../support/real-run.ts';
import { hasSandbox, lookIn, machineWith } from '../../support/sandboxed.ts';

/** A program of that name which is all that is found. */
function machineWithBwrap(script: string | null) {
  const bin = realFolder();
  if (script !== null) {
    writeFileSync(join(bin, 'bwrap'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, 'bwrap'), 0o755);
  }
  return machineWith({ PATH: bin, HOME: process.env.HOME ?? '/' });
}

const OPEN = 'while [ "$1" != "--" ]; do shift; done; shift; exec "$@"';

describe.skipIf(process.platform !== 'linux')('a sandbox', () => {
  it.each([
    ['that lets everything through', OPEN, /could (?:write outside|reach the network)/],
    [
      'that may not be made',
      'echo "bwrap: No permissions to create new namespace" >&2; exit 1',
      /No permissions to create new namespace/,
    ],
    ['that starts nothing', 'exit 0', /does not start/],
    ['that lets nothing through', 'echo "tried:;"', /cannot work in its folder/],
    [
      'whose program says nothing true',
      'echo "tried:read,connect;"',
      /could do more than it may: read,connect/,
    ],
  ])('%s does not hold, and why is said', async (_name, script, why) => {
    const { found } = await lookIn(realFolder(), machineWithBwrap(script));
    expect(found).toMatchObject({ kind: 'none', why: expect.stringMatching(why) });
    expect(found).toHaveProperty('next', expect.stringMatching(/namespaces/));
  });

  it('that is not installed is said with what installs it', async () => {
    const { found } = await lookIn(realFolder(), machineWithBwrap(null));
    expect(found).toMatchObject({ kind: 'none', why: 'bubblewrap is not installed' });
    expect(found).toHaveProperty('next', expect.stringMatching(/apt install bubblewrap/));
  });

  it('in the workspace is not believed, whatever PATH says', async () => {
    const workspace = realFolder({ 'node_modules/.bin/bwrap': `#!/bin/sh\n${OPEN}\n` });
    chmodSync(join(workspace, 'node_modules/.bin/bwrap'), 0o755);
    const bin = join(workspace, 'node_modules/.bin');
    const { found } = await lookIn(workspace, machineWith({ PATH: bin, HOME: '/' }));
    expect(found).toMatchObject({ kind: 'none', why: 'bubblewrap is not installed' });
  });

  it('is looked for only where the system has one', async () => {
    const ports = {
      ...{ platform: 'win32' as const, nodePath: 'node', env: {}, exists: () => true },
      ...{ locate: () => 'C:\\bwrap', signal: new AbortController().signal },
      run: () => Promise.reject(new Error('nothing is started')),
    };
    const found = await findSandbox({ home: null, readable: [] }, ports);
    expect(found).toMatchObject({ kind: 'none', next: expect.stringMatching(/container/) });
  });

  it.skipIf(!hasSandbox)('that holds is found, and leaves nothing behind', async () => {
    const [temporary, workspace] = [realFolder(), realFolder()];
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { found } = await lookIn(workspace);
    expect(found).toMatchObject({ kind: 'holds', sandbox: { name: 'bubblewrap' } });
    expect(readdirSync(temporary)).toEqual([]);
    expect(readdirSync(workspace)).toEqual([]);
  });
});
