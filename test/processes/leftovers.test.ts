import { describe, expect, it } from 'vitest';
import { endLeftover, whereElse } from '../../src/processes/leftovers.ts';
import type { OperatingSystem } from '../../src/processes/operating-system.ts';
import type { ProcessPlace } from '../../src/schema/actions.ts';
import { fake, table } from './fake-system.ts';

const HERE: ProcessPlace = { boot: 'today', pidNamespace: 'pid:[1]', isGated: true };
const STARTED = { pid: 50, startTime: '5077' };
const WORK = '/work';

/** What is said of a leftover, and which trees were ended. */
async function ending(
  system: OperatingSystem,
  {
    started = STARTED,
    there = HERE,
  }: { started?: typeof STARTED | null; there?: ProcessPlace } = {},
  killTree: (pid: number) => Promise<void> = killing(system, 50),
) {
  const ended: number[] = [];
  const said = await endLeftover(started, there, {
    ...{ system, place: HERE, workspace: WORK },
    killTree: async (pid) => {
      ended.push(pid);
      await killTree(pid);
    },
  });
  return { said, ended };
}

/** Ends what has that number, group or session. */
const killing =
  (system: OperatingSystem, ...pids: number[]) =>
  async () => {
    for (const pid of pids) system.signal(pid, 'SIGKILL');
  };

describe('what a killed run had started', () => {
  it('is ended while its process lives', async () => {
    const { system } = table([{ pid: 50, ppid: 1 }]);
    expect(await ending(system)).toEqual({ said: 'ended', ended: [50] });
  });

  it('is said to run on where it cannot be ended', async () => {
    const { system } = table([{ pid: 50, ppid: 1 }]);
    const refused = await ending(system, {}, async () => {});
    expect(refused).toEqual({ said: 'still_running', ended: [50] });
  });

  it('is gone with its process, its group and its session', async () => {
    const { system } = table([{ pid: 60, ppid: 1, folder: WORK }]);
    expect(await ending(system)).toEqual({ said: 'none', ended: [] });
  });

  it('is left alone where somebody else has its number', async () => {
    const { system } = table([{ pid: 50, ppid: 1, folder: WORK }]);
    const started = { pid: 50, startTime: '4000' };
    expect(await ending(system, { started })).toEqual({ said: 'none', ended: [] });
  });

  it.each([
    ['its group', { group: 50, session: 50 }],
    ['its session', { group: 61, session: 50 }],
  ])('is ended in %s when its own process is gone, a zombie or not', async (_, place) => {
    const member = { pid: 61, ppid: 1, ...place };
    const { system } = table([{ ...member, folder: `${WORK}/sub` }]);
    const gone = await ending(system, {}, killing(system, 61));
    expect(gone).toEqual({ said: 'ended', ended: [50] });
    const reaped = table([{ pid: 50, ppid: 1, state: 'Z' }, member]).system;
    const zombie = await ending(reaped, {}, killing(reaped, 61));
    expect(zombie).toEqual({ said: 'ended', ended: [50] });
  });

  it('may still run where a group has its number and nothing shows whose it is', async () => {
    const member = { pid: 61, ppid: 1, group: 50, session: 50 };
    for (const folder of ['/elsewhere', ''])
      expect(await ending(table([{ ...member, folder }]).system)).toEqual({
        said: 'may_run',
        ended: [],
      });
    const older = table([{ pid: 6, ppid: 1, group: 50, session: 50, folder: WORK }]).system;
    expect(await ending(older)).toEqual({ said: 'may_run', ended: [] });
    const untold = { pid: 50, startTime: '' };
    expect(await ending(table([{ pid: 50, ppid: 1 }]).system, { started: untold })).toEqual({
      said: 'may_run',
      ended: [],
    });
  });

  it('is gone with the machine that went down, whoever has its numbers now', async () => {
    const { system } = table([{ pid: 50, ppid: 1, folder: WORK }]);
    const there = { ...HERE, boot: 'yesterday' };
    expect(await ending(system, { there })).toEqual({ said: 'none', ended: [] });
  });

  it('may still run where another machine started it, whatever has its numbers here', async () => {
    const { system } = table([{ pid: 50, ppid: 1, folder: WORK }]);
    const place = { ...HERE, host: 'here' };
    const killTree = () => Promise.reject(new Error('no process of this machine is meant'));
    const of = (there: ProcessPlace, started: typeof STARTED | null = STARTED) =>
      endLeftover(started, there, { system, place, workspace: WORK, killTree });
    const other = { ...HERE, host: 'there', boot: 'another' };
    expect(await of(other)).toBe('may_run');
    expect(await of(other, null)).toBe('may_run');
    expect(whereElse(other, place)).toBe(' on there');
    // Two machines that were switched on together compute the same boot.
    const computed = { ...HERE, host: 'there', boot: 'seconds:1000' };
    const here = { ...place, boot: 'seconds:1001' };
    const ports = { system, place: here, workspace: WORK, killTree };
    expect(await endLeftover(STARTED, computed, ports)).toBe('may_run');
    expect(await of({ ...place, boot: 'yesterday' })).toBe('none');
    expect(whereElse({ ...place, boot: 'yesterday' }, place)).toBe('');
  });

  it('may still run where its container cannot be looked into', async () => {
    const { system } = table([{ pid: 50, ppid: 1 }]);
    const there = { ...HERE, pidNamespace: 'pid:[2]' };
    expect(await ending(system, { there })).toEqual({ said: 'may_run', ended: [] });
  });

  it('never began without the record of its start, and may run where nobody waited for that', async () => {
    const { system } = table([{ pid: 50, ppid: 1 }]);
    expect((await ending(system, { started: null })).said).toBe('none');
    const there = { ...HERE, isGated: false };
    expect((await ending(system, { started: null, there })).said).toBe('may_run');
  });

  it('may still run on Windows, which ends only the command itself', async () => {
    const there = { boot: 'today', pidNamespace: '', isGated: false };
    const place = there;
    for (const started of [null, { pid: 50, startTime: '' }])
      expect(
        await endLeftover(started, there, {
          ...{ system: fake('win32'), place, workspace: 'C:\\work' },
          killTree: async () => {
            throw new Error('nothing of it can be found by a number');
          },
        }),
      ).toBe('may_run');
  });
});
