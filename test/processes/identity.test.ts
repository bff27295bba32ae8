import { describe, expect, it } from 'vitest';
import type { Clock } from '../../src/lib/clock.ts';
import { listProcesses, startTimeOf } from '../../src/processes/identity.ts';
import { killProcessTree } from '../../src/processes/kill-tree.ts';
import { type OperatingSystem, operatingSystem } from '../../src/processes/operating-system.ts';
import { fake, table } from './fake-system.ts';

let ticks = 0;
const clock: Clock = {
  now: () => 0,
  monotonic: () => (ticks += 10),
  sleep: () => Promise.resolve(),
};

describe('start times', () => {
  it('on Linux come from the field behind the name, whatever the name holds', () => {
    const { system } = table([
      { pid: 42, ppid: 1 },
      { pid: 43, ppid: 1, state: 'Z' },
    ]);
    expect(startTimeOf(42, system)).toBe('4277');
    expect(startTimeOf(43, system)).toBeNull();
    expect(startTimeOf(44, system)).toBeNull();
    expect(startTimeOf(-1, system)).toBeNull();
  });

  it('of this very process is stable', () => {
    const system = operatingSystem(process.platform);
    expect(startTimeOf(process.pid, system)).not.toBeNull();
    expect(startTimeOf(process.pid, system)).toBe(startTimeOf(process.pid, system));
  });

  it('on macOS come from ps, without zombies', () => {
    const line = 'Ss   Sat Nov 21 10:00:01 2026    \n';
    const system = fake('darwin', { capture: () => line });
    expect(startTimeOf(42, system)).toBe('Sat Nov 21 10:00:01 2026');
    expect(startTimeOf(42, fake('darwin', { capture: () => `Z${line}` }))).toBeNull();
    expect(
      startTimeOf(42, fake('darwin', { signal: () => false, capture: () => line })),
    ).toBeNull();
  });

  it('on Windows come from PowerShell, asked only about a live process', () => {
    const live = fake('win32', { capture: () => '638983044000000000\r\n' });
    expect(startTimeOf(42, live)).toBe('638983044000000000');
    expect(live.captured[0]).toContain('D:\\Win\\System32\\WindowsPowerShell');
    const dead = fake('win32', { signal: () => false });
    expect(startTimeOf(42, dead)).toBeNull();
    expect(dead.captured).toEqual([]);
    expect(startTimeOf(42, fake('win32', { capture: () => 'no such cmdlet' }))).toBeNull();
  });

  it('reads the macOS process list', async () => {
    const printed =
      '    1     0     1 Ss   Sat Nov 21 09:00:00 2026    \n   42     1    42 S+   Sat Nov 21 10:00:00 2026\n';
    expect(await listProcesses(fake('darwin', { ask: async () => printed }))).toMatchObject([
      { pid: 1, parent: 0, group: 1, startTime: 'Sat Nov 21 09:00:00 2026' },
      { pid: 42, parent: 1, group: 42, zombie: false },
    ]);
  });
});

describe('asking a system program', () => {
  const look = operatingSystem(process.platform);
  const ask = (code: string, timeoutMs: number) =>
    look.ask(process.execPath, ['-e', code], timeoutMs);

  it('gives what it prints, and nothing where it fails, is not there or takes too long', async () => {
    expect(await ask('console.log("said")', 60_000)).toBe('said\n');
    expect(await ask('process.exit(3)', 60_000)).toBeNull();
    expect(await ask('setInterval(() => {}, 1000)', 50)).toBeNull();
    expect(await look.ask('/no/such/program', [], 60_000)).toBeNull();
  });
});

describe('killing a tree', () => {
  it('takes children, the group, the session, and who left them but descends', async () => {
    const { system, killed } = table([
      { pid: 1, ppid: 0 },
      { pid: 1000, ppid: 1 },
      { pid: 50, ppid: 1000 },
      { pid: 51, ppid: 50, group: 50 },
      { pid: 52, ppid: 51, group: 52, session: 52 },
      { pid: 53, ppid: 52, group: 52, session: 52 },
      { pid: 54, ppid: 1, group: 50 },
      { pid: 55, ppid: 1, group: 55, session: 50 },
      { pid: 60, ppid: 1000 },
      { pid: 61, ppid: 1 },
    ]);
    await killProcessTree(50, system, clock);
    expect(killed.sort()).toEqual([50, 51, 52, 53, 54, 55]);
  });

  it('never touches this process or init', async () => {
    const { system, killed } = table([
      { pid: 1, ppid: 0 },
      { pid: 1000, ppid: 1 },
    ]);
    for (const pid of [1000, 1, 0, -5, Number.NaN]) await killProcessTree(pid, system, clock);
    expect(killed).toEqual([]);
  });

  it('spares this process even inside the tree it ends', async () => {
    const groups: number[] = [];
    const { system, killed } = table([
      { pid: 50, ppid: 1 },
      { pid: 1000, ppid: 50, group: 50 },
      { pid: 51, ppid: 50, group: 50 },
    ]);
    const signal: OperatingSystem['signal'] = (pid, name) => {
      if (pid < 0) groups.push(pid);
      return system.signal(pid, name);
    };
    await killProcessTree(50, { ...system, signal }, clock);
    expect(killed.sort()).toEqual([50, 51]);
    expect(groups).toEqual([]);
  });

  it('looks at those alone that came since, unless something is left in the group', async () => {
    const rows = [
      { pid: 1, ppid: 0 },
      { pid: 30, ppid: 1, group: 50 },
      { pid: 55, ppid: 1, group: 55, session: 50 },
    ];
    const before = new Set(['1', '30']);
    const lookedAt = async (isGroupLeft: boolean) => {
      const { system, killed } = table(rows);
      const read: string[] = [];
      const watched: OperatingSystem = {
        ...system,
        signal: (pid, name) => (name === 0 ? isGroupLeft : system.signal(pid, name)),
        readText: (path) => {
          read.push(path);
          return system.readText(path);
        },
      };
      await killProcessTree(50, watched, clock, before);
      return { killed: killed.sort(), read: [...new Set(read)] };
    };
    expect(await lookedAt(false)).toEqual({ killed: [55], read: ['/proc/55/stat'] });
    // One that has the number of a process that is gone.
    expect((await lookedAt(true)).killed).toEqual([30, 55]);
  });

  it('gives up on a process that does not go', async () => {
    const { system } = table([{ pid: 50, ppid: 1 }]);
    await killProcessTree(50, { ...system, signal: () => true }, clock);
  });

  it('on Windows asks taskkill for the whole tree, then ends what is left', async () => {
    let looks = 0;
    const system = fake('win32', { signal: (_, signal) => signal !== 0 || ++looks < 3 });
    await killProcessTree(50, system, clock);
    expect(system.captured).toEqual(['D:\\Win\\System32\\taskkill.exe /PID 50 /T /F']);
    expect(looks).toBe(3);
  });

  it('lets others have their turn while it asks', async () => {
    let answer = (_: null): void => {};
    const asked = new Promise<null>((resolve) => {
      answer = resolve;
    });
    const ended = { darwin: false, win32: false };
    const killing = (['darwin', 'win32'] as const).map(async (platform) => {
      await killProcessTree(50, fake(platform, { ask: () => asked, signal: () => false }), clock);
      ended[platform] = true;
    });
    await new Promise(setImmediate);
    expect(ended).toEqual({ darwin: false, win32: false });
    answer(null);
    await Promise.all(killing);
    expect(ended).toEqual({ darwin: true, win32: true });
  });
});
