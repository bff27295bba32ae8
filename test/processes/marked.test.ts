import { expect, it } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { marksOf } from '../../src/processes/marked.ts';
import { operatingSystem } from '../../src/processes/operating-system.ts';

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
  const marks = marksOf(ports, systemClock);
  expect(await marks?.endAll()).toEqual({ ended: [], left: [] });
  expect(looks()).toBe(0);
});

it('one that started a program beside itself looks for what is left of it', async () => {
  const { ports, looks } = emptyLinux();
  const marks = marksOf(ports, systemClock);
  expect(marks?.wordBeside()).toBe(`${marks?.mark}.0`);
  await marks?.endAll();
  expect(looks()).toBe(1);
});
