import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lookAtServers } from '../../../src/run/servers/look-at-servers.ts';
import { realMachine } from '../../support/real-run.ts';
import { lookingServer } from '../../support/small-server.ts';

let home = '';
let workspace = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'look-'));
  workspace = join(home, 'work');
  mkdirSync(workspace);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('a look without a run says which servers answer, and leaves none running and no state behind', async () => {
  const servers = {
    eyes: lookingServer('eyes', home),
    boxed: { ...lookingServer('boxed', home), sandbox: true },
    gone: { command: 'node', args: ['-e', 'console.error("no licence"); process.exit(1)'] },
  };
  const { signal } = new AbortController();
  const looks = await lookAtServers(realMachine(), { workspace, servers, sandbox: 'off', signal });
  expect(looks).toEqual([
    { name: 'eyes', tools: ['look'], notes: [] },
    { name: 'boxed', tools: null, notes: [expect.stringContaining('"sandbox": true')] },
    { name: 'gone', tools: null, notes: ['no licence'] },
  ]);
  const pid = Number(readFileSync(join(home, 'eyes.pids'), 'utf8'));
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  expect(existsSync(join(home, 'boxed.pids'))).toBe(false);
  expect(readdirSync(workspace)).toEqual([]);
});
