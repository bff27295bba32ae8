/** Before a run waits for somebody, everything that it knows is on the disk. */
import { expect, test } from 'vitest';
import { ContextManager } from '../../src/context-manager/context-manager.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import { diligentModel } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

/** The file system, and whether the journal holds bytes that nobody synced. */
function tellingDurable(fs: FileSystem) {
  const journals = new Set<number>();
  let isDurable = true;
  const told = new Proxy(fs, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const result: unknown = value.apply(target, args);
        const fd = (name === 'open' ? result : args[0]) as number;
        if (name === 'open' && String(args[0]).endsWith('history.jsonl')) journals.add(fd);
        if (name === 'close') journals.delete(fd);
        if (name === 'write' && journals.has(fd)) isDurable = false;
        if (name === 'fdatasync' && journals.has(fd)) isDurable = true;
        return result;
      };
    },
  });
  return { fs: told, isDurable: () => isDurable };
}

/** A server that is not there the second time it is asked; what was durable at each wait. */
async function runWithWaits(): Promise<{ pauses: boolean[]; requests: boolean[] }> {
  const world = testWorld();
  const machine = world.machine();
  const disk = tellingDurable(machine.fs);
  const pauses: boolean[] = [];
  const requests: boolean[] = [];
  const model = diligentModel({
    subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
    verify: { cmd: 'node hello.mjs', prints: 'hello' },
    files: { 'hello.mjs': ['console.log("hello");\n'] },
  });
  const script: Script = (request, n) => {
    requests.push(disk.isDurable());
    return requests.length === 2
      ? { fails: { kind: 'network_error', retryable: true } }
      : model(request, n);
  };
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
    if (ms < 60_000) pauses.push(disk.isDurable());
    return machine.clock.sleep(ms, signal);
  };
  await runIn(world, scriptedProvider(script), {
    machine: { ...machine, fs: disk.fs, clock: { ...machine.clock, sleep } },
  });
  return { pauses, requests };
}

test('a request and a pause between two attempts find the journal on the disk', async () => {
  const { pauses, requests } = await runWithWaits();
  expect(pauses.length).toBeGreaterThan(0);
  expect(requests.length).toBeGreaterThan(2);
  expect([...pauses, ...requests].every(Boolean)).toBe(true);
});

test.each(['request', 'pause'] as const)(
  'would show a forgotten barrier before a %s',
  async (what) => {
    const { sync } = ContextManager.prototype;
    ContextManager.prototype.sync = function (before) {
      if (before !== what) sync.call(this, before);
    };
    try {
      const { pauses, requests } = await runWithWaits();
      expect((what === 'pause' ? pauses : requests).every(Boolean)).toBe(false);
    } finally {
      ContextManager.prototype.sync = sync;
    }
  },
);
