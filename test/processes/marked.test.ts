import { expect, it } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { processMarks } from '../../src/processes/marked.ts';
import { operatingSystem } from '../../src/processes/operating-system.ts';
import { NOTHING_RAN } from '../../src/processes/run.ts';

/** A Linux with no process on it, and how often somebody looked at all of them. */
function emptyLinux() {
  let looks = 0;
  const system = {
    ...operatingSystem('linux'),
    readText: () => null,
    list: () => {
      looks += 1;
      return [];
    },
  };
  return { ports: { system, killTree: async () => {} }, looks: () => looks };
}

it('a run that started no program looks at no process when it ends', async () => {
  const { ports, looks } = emptyLinux();
  const marks = processMarks(ports, systemClock);
  expect(await marks?.endAll()).toEqual({ ended: [], left: [] });
  expect(looks()).toBe(0);
});

it('one that started a program beside itself looks for what is left of it', async () => {
  const { ports, looks } = emptyLinux();
  const marks = processMarks(ports, systemClock);
  expect(marks?.wordBeside()).toBe(`${marks?.mark}.0`);
  await marks?.endAll();
  expect(looks()).toBe(1);
});

it('after a command only processes are examined that were not there before it', async () => {
  const read: string[] = [];
  let listed = ['1', '20'];
  const system = {
    ...operatingSystem('linux'),
    list: () => listed,
    readText: (path: string) => {
      read.push(path);
      return null;
    },
  };
  const marks = processMarks({ system, killTree: async () => {} }, systemClock);
  const started = { file: '/bin/true', args: [], cwd: '/', env: {} };
  const limits = { timeoutMs: 1, maxOutputBytes: 1 };
  const hooks = { signal: new AbortController().signal, onOutput: () => {}, onSpawn: () => {} };
  read.length = 0;
  await marks?.around(async () => {
    listed = ['1', '20', '21'];
    return { ...NOTHING_RAN, durationMs: 1 };
  })({ ...started, ...limits }, hooks);
  expect(read).toEqual(['/proc/21/environ']);
});
