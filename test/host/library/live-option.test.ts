/** A run of the library that others of its user can follow, and one that nobody can. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runGoal } from '../../../src/host/library/run-goal.ts';
import { livePlaceOf } from '../../../src/host/live/live-place.ts';
import { dataFolderOf } from '../../../src/host/user/user-folders.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { notesIn } from '../../../src/live/address.ts';
import { liveKey } from '../../../src/live/handshake.ts';
import type { OwnerMessage } from '../../../src/live/protocol.ts';
import { openChannel } from '../../../src/live/watcher.ts';
import { thisMachine } from '../../../src/run/machine.ts';
import { LARGE, SCRIPTED_MODEL, scriptedProvider } from '../../support/scripted-provider.ts';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'w-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const KEY = new Uint8Array(32).fill(3);
const env = () => ({ XDG_DATA_HOME: join(folder, 'data'), LOCALAPPDATA: join(folder, 'data') });
const place = () => {
  const { platform } = process;
  return livePlaceOf(thisMachine(), dataFolderOf({ env: env(), platform }), env());
};

/** Answers when it is let go. */
function held() {
  let letGo = (): void => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const provider = scriptedProvider(() => 'It is empty.', LARGE);
  const stream: typeof provider.stream = async function* (...args) {
    await gate;
    yield* provider.stream(...args);
  };
  const asked = { workspace: join(folder, 'work'), goal: 'What is in this folder?' };
  mkdirSync(asked.workspace);
  return { letGo, options: { ...asked, provider: { ...provider, stream }, model: SCRIPTED_MODEL } };
}

test('a run with live is followed to its result, by who has its key', async () => {
  const { letGo, options } = held();
  const run = runGoal({ ...options, originKey: KEY, live: { env: env() } });
  await expect.poll(() => notesIn(place())).toHaveLength(1);
  const [note] = notesIn(place());
  const told: OwnerMessage[] = [];
  const channel = await openChannel({
    ...{ address: note?.address ?? '', run: note?.run ?? '', key: liveKey(KEY), after: null },
    ...{ random: randomBytes, clock: systemClock, answers: false },
    signal: new AbortController().signal,
    onMessage: (one) => told.push(one),
  });
  if (typeof channel === 'string') throw new Error(channel);
  await expect.poll(() => told.length).toBeGreaterThan(0);
  letGo();
  const { exitCode } = await run;
  expect(await channel.closed).toBe('bye');
  const events = told.flatMap((one) => (one.is === 'event' ? [one.event] : []));
  expect(events.at(-1)).toMatchObject({ type: 'result', exitCode });
  expect(notesIn(place())).toEqual([]);
});

test('nothing listens where it is not asked for, and live without a key is refused', async () => {
  const { letGo, options } = held();
  letGo();
  await runGoal({ ...options, originKey: KEY });
  expect(existsSync(join(folder, 'data'))).toBe(false);
  await expect(runGoal({ ...options, live: true })).rejects.toMatchObject({
    code: 'E_USAGE',
    message: expect.stringContaining('without a key'),
  });
  const odd = { ...options, originKey: KEY, live: 'yes' } as never;
  await expect(runGoal(odd)).rejects.toMatchObject({ code: 'E_USAGE' });
});

test.each<[string, unknown]>([
  ['no', { kind: 'no' }],
  ['nothing', undefined],
])(
  'who asks about the plan is called, also where nobody watches and nothing else is asked: %s',
  async (_what, answer) => {
    const tasks = [{ description: 'it', subtasks: [{ do: 'write one.txt' }] }];
    const call = { name: 'set_plan', args: { tasks } };
    const provider = scriptedProvider(() => ({ calls: [call] }), LARGE);
    const workspace = join(folder, 'work');
    mkdirSync(workspace);
    const asked: string[] = [];
    const { ending } = await runGoal({
      ...{ workspace, goal: 'Write one.txt', provider, model: SCRIPTED_MODEL },
      ...{ originKey: KEY, live: { env: env() }, agreePlan: true },
      askPlan: async ({ goal }) => {
        asked.push(goal);
        return answer as never;
      },
    });
    expect([asked, ending]).toEqual([['Write one.txt'], 'paused']);
  },
);
