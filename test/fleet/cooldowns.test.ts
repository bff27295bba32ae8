/** What a model's server asks of one worker is heeded by all that share its profile, and by nobody else. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharedCooldowns } from '../../src/fleet/cooldowns.ts';
import { diligentModel, type PlannedWork } from '../support/models.ts';
import { journalOf } from '../support/run-in.ts';
import type { Script } from '../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../support/test-machine.ts';
import { REQUEST } from './in-process.ts';
import { workerIn } from './worlds.ts';

const WORK: PlannedWork = {
  subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': ['console.log("hello");\n'] },
};
const GOAL = 'Write hello.mjs: node hello.mjs prints "hello"';
const LIMITED: Script = () => ({ fails: { kind: 'rate_limited', retryAfterMs: 50_000 } });
const signal = new AbortController().signal;
const profile = { provider: 'anthropic', profile: 'default' };

/** A folder that several machines see, each with a clock of its own. */
function volume() {
  const { fs } = testWorld().machine();
  let time = 1_700_000_000_000;
  return {
    fs,
    pass: (ms: number) => {
      time += ms;
    },
    seenBy: (tenant: string, ahead = 0) =>
      sharedCooldowns({ fs, root: WORKSPACE, tenant, clock: { now: () => time + ahead } }),
  };
}

describe('a server that asks to be left alone', () => {
  it('is asked by no other run of the tenant before that, and by another tenant at once', async () => {
    const { seenBy } = volume();
    const begin = (tenant: string, script: Script, run: string) => {
      const world = testWorld();
      const worker = workerIn({ world, script, cooldowns: seenBy(tenant) });
      const request = { ...REQUEST, run, workspace: WORKSPACE, goal: GOAL };
      return { world, next: () => worker.advance(request, signal) };
    };
    const first = begin('one', LIMITED, 'first');
    expect(await first.next()).toMatchObject({ is: 'pausing', retryAfterMs: 50_000 });
    const asked: unknown[] = [];
    const diligent = diligentModel(WORK);
    const counted: Script = (request, n) => {
      asked.push(request);
      return diligent(request, n);
    };
    const second = begin('one', counted, 'second');
    expect(await second.next()).toMatchObject({ is: 'pausing', retryAfterMs: 50_000 });
    expect(asked).toHaveLength(0);
    // The wait is a fact of the journal: whoever goes on with the run heeds it.
    expect(journalOf(second.world).at(-1)).toMatchObject({ type: 'wait_started', ms: 50_000 });
    const other = begin('two', counted, 'other');
    expect(await other.next()).toMatchObject({ is: 'going_on' });
    expect(asked).toHaveLength(1);
  });

  it('is left alone for so long and no longer, whatever the clocks of two machines say', () => {
    const { seenBy, pass } = volume();
    const one = seenBy('a');
    one.report(profile, 20_000);
    expect(seenBy('a', 60_000).leftFor(profile)).toBe(0);
    expect(seenBy('a', -60_000).leftFor(profile)).toBe(20_000);
    one.report(profile, 5000);
    expect(one.leftFor(profile)).toBe(20_000);
    pass(12_000);
    expect(one.leftFor(profile)).toBe(8000);
    expect(one.leftFor({ ...profile, profile: 'other' })).toBe(0);
    pass(8000);
    expect(one.leftFor(profile)).toBe(0);
  });

  it('is asked as ever where what is kept makes no sense, or nothing can be kept', () => {
    const { fs, seenBy } = volume();
    const one = seenBy('a');
    one.report(profile, 20_000);
    const folder = join(WORKSPACE, '.agent_context', 'cooldowns');
    for (const name of fs.readdir(folder)) {
      const fd = fs.open(join(folder, name), 'w');
      fs.close(fd);
    }
    expect(one.leftFor(profile)).toBe(0);
    const nowhere = sharedCooldowns({
      ...{ fs, tenant: 'a', clock: { now: () => 0 } },
      root: join(WORKSPACE, 'gone', 'far'),
    });
    nowhere.report(profile, 1000);
    expect(nowhere.leftFor(profile)).toBe(0);
  });
});
