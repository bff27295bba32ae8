import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { isInside } from '../../src/lib/files/absolute-paths.ts';
import { readVariable } from '../../src/processes/programs/search-path.ts';
import { runProcess } from '../../src/processes/run.ts';
import { nodeRequest, watchedHooks } from './support.ts';

/** A program of this machine, run by the rules of win32. */
async function runAsOnWindows(script: string) {
  const asked: string[] = [];
  const hooks = watchedHooks();
  const outcome = await runProcess(nodeRequest(script), hooks, {
    platform: 'win32',
    clock: systemClock,
    starter: null,
    startTime: (pid) => {
      asked.push(`start time of ${pid}`);
      return '7';
    },
    killTree: async (pid) => {
      asked.push(`end of ${pid}`);
    },
  });
  return { outcome, asked, spawned: hooks.spawned };
}

describe('on Windows', () => {
  it('a command starts without a PowerShell for its start time, and ends without taskkill', async () => {
    const { outcome, asked, spawned } = await runAsOnWindows('console.log(1)');
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 0, output: '1\n' });
    expect(spawned).toEqual([{ pid: expect.any(Number), startTime: '' }]);
    expect(asked).toEqual([]);
  });

  it('names of variables differ in more than case only', () => {
    const env = { SYSTEMROOT: 'D:\\Win', Path: 'D:\\bin' };
    expect(readVariable(env, 'SystemRoot', 'win32')).toBe('D:\\Win');
    expect(readVariable(env, 'PATH', 'win32')).toBe('D:\\bin');
    expect(readVariable(env, 'PATH', 'linux')).toBeUndefined();
    expect(readVariable(env, 'TEMP', 'win32')).toBeUndefined();
  });

  it('a folder is inside another whatever the case, but not on another drive', () => {
    expect(isInside('C:\\ws', 'c:\\WS\\a', 'win32')).toBe(true);
    expect(isInside('C:\\ws', 'C:\\wsx', 'win32')).toBe(false);
    expect(isInside('C:\\ws', 'D:\\ws\\a', 'win32')).toBe(false);
    expect(isInside('C:\\ws', '\\\\nas\\ws', 'win32')).toBe(false);
  });
});
