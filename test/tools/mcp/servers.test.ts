/** Real servers over stdio, started by our own processes. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/lib/clock.ts';
import { startTimeOf } from '../../../src/processes/identity.ts';
import { killProcessTree } from '../../../src/processes/kill-tree.ts';
import { openProcess } from '../../../src/processes/open-process.ts';
import { operatingSystem } from '../../../src/processes/operating-system.ts';
import { starterOf } from '../../../src/processes/starter.ts';
import { connectServer } from '../../../src/tools/mcp/connect.ts';
import { wireName } from '../../../src/tools/mcp/names.ts';
import { wireOver } from '../../../src/tools/mcp/wire.ts';

const { platform } = process;
const system = operatingSystem(platform, process.env.SystemRoot);
const ports = {
  platform,
  clock: systemClock,
  startTime: (pid: number) => startTimeOf(pid, system),
  killTree: (pid: number) => killProcessTree(pid, system, systemClock),
  starter: starterOf(system),
};

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const never = new AbortController().signal;

/** What is to end by itself has no time for it. */
const impatient: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 20), signal),
};

function server(
  args: readonly string[],
  { deadlineMs = 20_000, callMs = 10_000, clock = systemClock as Clock } = {},
) {
  const pids: number[] = [];
  const request = {
    file: process.execPath,
    args,
    cwd: folder,
    env: { PATH: process.env.PATH ?? '' },
  };
  const wire = wireOver((hooks) =>
    openProcess(request, { ...hooks, onSpawn: (pid) => void pids.push(pid) }, { ...ports, clock }),
  );
  const options = { name: 'files', version: '1', deadlineMs, callMs, signal: never };
  return { pids, connected: connectServer(wire, options) };
}

const isGone = (pid: number): boolean => startTimeOf(pid, system) === null;

const packaged = (name: string): string => {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  return join(dirname(manifest), 'dist', 'index.js');
};

const script = (text: string): readonly string[] => {
  writeFileSync(join(folder, 'server.mjs'), text);
  return [join(folder, 'server.mjs')];
};

/** A server in a few lines. @param onCall what becomes of a call. @param schema of its tool, as JSON */
const small = (onCall: string, schema = '{"type":"object"}'): readonly string[] =>
  script(`
import { createInterface } from 'node:readline';
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
console.log('starting up');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
  else if (method === 'tools/list') console.log('{"jsonrpc":"2.0","id":' + id + ',"result":{"tools":[{"name":"do","description":"' + 'x'.repeat(5000) + '","inputSchema":' + ${JSON.stringify(schema)} + '}]}}');
  else if (method === 'tools/call') { ${onCall} }
});`);

describe('the server of files', () => {
  test('lists its tools, reads a file, says what is wrong, and is gone when it is closed', async () => {
    writeFileSync(join(folder, 'a.txt'), 'hello');
    const { pids, connected } = server([
      packaged('@modelcontextprotocol/server-filesystem'),
      folder,
    ]);
    const { tools, call, close } = await connected;
    expect(tools.map(({ name }) => name)).toContain('read_text_file');
    expect(await call('read_text_file', { path: join(folder, 'a.txt') }, never)).toMatchObject({
      status: 'ok',
      content: 'hello',
    });
    const outside = await call('read_text_file', { path: '/etc/passwd' }, never);
    expect(outside).toMatchObject({ status: 'error', content: expect.stringContaining('denied') });
    await close();
    expect(pids.map(isGone)).toEqual([true]);
  });
});

describe('a server that is none', () => {
  test('dies at once: its last words say why', async () => {
    const { connected } = server(script('console.error("no token set"); process.exit(3);'));
    await expect(connected).rejects.toThrow('no token set');
  });

  test('throws: its error says why, and not what its runtime prints behind', async () => {
    const { connected } = server(script('throw new Error("no token set");'));
    await expect(connected).rejects.toThrow('Error: no token set');
  });

  test('says nothing: the deadline ends it', async () => {
    const endless = script('setInterval(() => {}, 1000);');
    const { pids, connected } = server(endless, { deadlineMs: 100, clock: impatient });
    await expect(connected).rejects.toThrow('did not answer in time');
    expect(pids.map(isGone)).toEqual([true]);
  });

  test('describes its tools deeper than can be read: that is said, and not how it was found', async () => {
    const deep = `${'{"type":"object","properties":{"a":'.repeat(9000)}{}${'}}'.repeat(9000)}`;
    const { connected } = server(small('', deep));
    await expect(connected).rejects.toThrow('its answer is nested too deeply to be read');
  });

  test('is not there', async () => {
    const { connected } = server(['no-such-file.mjs']);
    await expect(connected).rejects.toThrow();
  });
});

describe('a server in trouble', () => {
  test('dies in a call: that call says so, and so does the next', async () => {
    const { connected } = server(small('console.error("out of luck"); process.exit(1);'));
    const { tools, call, close } = await connected;
    expect(tools[0]?.description).toHaveLength(2000);
    expect(await call('do', {}, never)).toMatchObject({ status: 'connection_error' });
    expect(await call('do', {}, never)).toMatchObject({
      status: 'connection_error',
      content: expect.stringContaining('out of luck'),
    });
    await close();
  });

  test('hangs in a call: it times out, and what it did is unknown', async () => {
    const { connected } = server(small(''), { callMs: 50 });
    const { call, close } = await connected;
    expect(await call('do', {}, never)).toMatchObject({
      status: 'timeout',
      content: expect.stringContaining('unknown'),
    });
    const stop = new AbortController();
    const cancelled = call('do', {}, stop.signal);
    stop.abort();
    expect(await cancelled).toMatchObject({ status: 'cancelled' });
    await close();
  });
});

test('names are safe on every wire, and none can be read as the name of another tool', () => {
  expect(wireName('files', 'read')).toBe('mcp__files__read');
  const long = wireName('files', 'x'.repeat(100));
  expect(long).toMatch(/^mcp__files__x+_[0-9a-f]{8}$/);
  expect(long).toHaveLength(64);
  expect(wireName('a.b', 'c')).not.toBe(wireName('a_b', 'c'));
  expect(wireName('a', 'b__c')).not.toBe(wireName('a__b', 'c'));
  expect(wireName('a', '_b')).not.toBe(wireName('a_', 'b'));
  expect(wireName('a', 'b.c')).not.toBe(wireName('a', 'b_c'));
});
