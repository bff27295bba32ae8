/** Functions of the embedding program: whatever they do, a call settles and nothing is left unhandled. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runAgent } from '../../../src/host/library/agent/run-agent.ts';
import { createSession } from '../../../src/host/library/create-session.ts';
import { type GoalOptions, runGoal } from '../../../src/host/library/run-goal.ts';
import type { StreamEvent } from '../../../src/schema/events/stream.ts';
import type { PlainTool } from '../../../src/tools/own/plain-tool.ts';
import { asked, callingOwn, OWN_GOAL, SEND } from '../../support/own-tools.ts';
import { SCRIPTED_MODEL } from '../../support/scripted-provider.ts';
import { type TestWorld, testWorld, WORKSPACE } from '../../support/test-machine.ts';

const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);

beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
});
afterEach(async () => {
  await new Promise(setImmediate);
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

const optionsIn = (world: TestWorld, more: Partial<GoalOptions> = {}): GoalOptions => ({
  ...{ goal: OWN_GOAL, workspace: WORKSPACE, machine: world.machine(), toolMode: 'native' },
  ...{ provider: callingOwn(SEND), model: SCRIPTED_MODEL, instructions: false },
  ...{ tools: [asked(() => 'sent')], ...more },
});

const never = (): Promise<never> => new Promise(() => {});
const failing = (async () => {
  throw new Error('no listener');
}) as unknown as () => void;

const warnings = (events: readonly StreamEvent[]): readonly string[] =>
  events.flatMap((event) =>
    event.type === 'notice' && event.level === 'warning' ? [event.text] : [],
  );

describe('a function that never settles', () => {
  it('as ask: a run ends with abort, and its lock is free', async () => {
    const world = testWorld();
    const run = runGoal(
      optionsIn(world, {
        ask: () => {
          run.abort();
          return never();
        },
      }),
    );
    expect(await run).toMatchObject({ ending: 'paused', why: 'interrupted' });
    const again = await runGoal(optionsIn(world, { ask: async () => 'once' }));
    expect(again.ending).not.toBe('paused');
  });

  it('as beforeEffect: a run ends with abort, and what it was about to do is not begun', async () => {
    const world = testWorld();
    const sent: string[] = [];
    const send = asked(() => String(sent.push('sent')));
    const run = runGoal(
      optionsIn(world, {
        tools: [{ ...send, touches: 'network' }],
        beforeEffect: () => {
          run.abort();
          return never();
        },
      }),
    );
    expect(await run).toMatchObject({ ending: 'paused', why: 'interrupted' });
    expect(sent).toEqual([]);
  });

  it('as tools of a source: a run ends with abort', async () => {
    const tools = () => {
      run.abort();
      return never();
    };
    const run = runGoal(optionsIn(testWorld(), { tools: [{ name: 'slow', tools }] }));
    await expect(run).rejects.toMatchObject({ code: 'E_INTERRUPTED' });
  });

  it('as ask: a message of a session ends with abort, and the session can be opened again', async () => {
    const world = testWorld();
    const session = await createSession({ ...optionsInSession(world), name: 'one', ask: never });
    const stop = new AbortController();
    const sent = session.send(OWN_GOAL, {
      signal: stop.signal,
      onEvent: ({ type }) => {
        if (type === 'permission_asked') stop.abort();
      },
    });
    expect(await sent).toMatchObject({ ending: 'interrupted' });
    await session.close();
    const again = await createSession({ ...optionsInSession(world), name: 'one', ask: never });
    await again.close();
  });

  it('as the check of a tool or the closing of its source: neither holds a run', async () => {
    const world = testWorld();
    const check = { version: 1, vendor: 'own', validate: () => never() } as const;
    const slow = {
      ...{ name: 'send', description: 'Sends.', touches: 'nothing' as const, timeoutMs: 1000 },
      ...{ inputSchema: { '~standard': check }, jsonSchema: { type: 'object' as const } },
      execute: () => 'sent',
    } satisfies PlainTool;
    const source = { name: 'own', tools: () => [slow], close: never };
    const result = await runGoal(optionsIn(world, { tools: [source] }));
    expect(result.ending).not.toBe('paused');
  });

  it('as the description of a model: a run ends with abort', async () => {
    const world = testWorld();
    const provider = { ...callingOwn(SEND), describe: never };
    const run = runGoal(optionsIn(world, { provider }));
    setImmediate(() => run.abort());
    await expect(run).rejects.toMatchObject({ code: 'E_INTERRUPTED' });
  });
});

describe('a function that fails', () => {
  it('as emit: the run goes on, and the failure is one warning', async () => {
    for (const emit of [
      failing,
      () => {
        throw new Error('no listener');
      },
    ]) {
      const run = runGoal(optionsIn(testWorld(), { emit, yes: true }));
      const events: StreamEvent[] = [];
      for await (const event of run) events.push(event);
      expect((await run).ending).not.toBe('paused');
      expect(warnings(events).filter((text) => text.includes('no listener'))).toHaveLength(1);
    }
  });

  it('as onEvent of a session, of a message or of an agent: the work goes on', async () => {
    const options = optionsInSession(testWorld());
    const session = await createSession({ ...options, yes: true, onEvent: failing });
    const sent = session.send(OWN_GOAL, { onEvent: failing });
    const events: StreamEvent[] = [];
    for await (const event of sent) events.push(event);
    expect((await sent).ending).not.toBe('failed');
    expect(warnings(events).some((text) => text.includes('no listener'))).toBe(true);
    await session.close();
    const config = { ...optionsInSession(testWorld()), yes: true };
    const call = { sessionKey: 'a', userMessage: OWN_GOAL, config, onEvent: failing };
    expect((await runAgent(call)).ending).not.toBe('failed');
  });

  it('as saveRules or policy: rules are not kept, and what the policy rejects is a no', async () => {
    const kept = await runGoal(
      optionsIn(testWorld(), { ask: async () => 'always', saveRules: failing }),
    );
    expect(kept.ending).not.toBe('paused');
    const policy = failing as never;
    expect((await runGoal(optionsIn(testWorld(), { policy }))).ending).toBeTypeOf('string');
  });
});

function optionsInSession(world: TestWorld) {
  const { toolMode: _, goal: _goal, journal: _journal, run: _run, ...options } = optionsIn(world);
  return options;
}
