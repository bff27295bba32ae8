/** Runs of models that think, on each wire: room, counts, thoughts that go back, effort. */
import { afterEach, describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import { leading } from '../support/leading.ts';
import { statedIn } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import type { ScriptedReply } from '../support/scripted-provider.ts';
import { someKills } from '../support/some-kills.ts';
import { type TestWorld, testWorld } from '../support/test-machine.ts';
import {
  ANSWER_TOKENS,
  type Asked,
  THINKING_WIRES,
  THOUGHT_TOKENS,
  type ThinkingServer,
  type ThinkingWire,
  type Thought,
} from '../support/thinking-wires.ts';

const GOAL = 'Write greet.mjs: node greet.mjs prints "hello Ada"';
const WORK = {
  brief: { examples: statedIn(`GOAL: ${GOAL}`) },
  subtasks: [{ action: 'write_file', file: 'greet.mjs', purpose: 'greets' }],
  verify: { cmd: 'node greet.mjs', prints: 'hello Ada' },
};
const write = (path: string, content: string) => ({ name: 'write_file', args: { path, content } });
const WRITE = write('greet.mjs', 'console.log("hello Ada");\n');
const DONE = { name: 'mark_subtask_complete', args: { success: true, reason: 'it greets' } };

const servers: ThinkingServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const saidIn = ({ messages }: Asked): string => messages.map(({ content }) => content).join('\n');

const LOOK = { name: 'list_dir', args: { path: '.' } };

/** Looks, plans, writes, ends; thinks the same in the same place of its conversation. */
const working = (asked: Asked): ScriptedReply => {
  const write = (request: Asked) =>
    saidIn(request).includes('chars to greet.mjs') ? { calls: [DONE] } : { calls: [WRITE] };
  const reply = leading(WORK, write, [[LOOK]])(asked as ModelRequest, 0);
  return typeof reply === 'string' ? { text: reply } : reply;
};

const thoughtAt = ({ messages }: Asked): string => `thought ${messages.length}`;

const thinking = (asked: Asked): Thought => ({ thinks: thoughtAt(asked), ...working(asked) });

async function serve(wire: ThinkingWire, script: (asked: Asked) => Thought) {
  const server = await wire.serve(script);
  servers.push(server);
  return server;
}

async function run(wire: ThinkingWire, server: ThinkingServer, more: object = {}) {
  const { world = testWorld(), ...options } = more as { readonly world?: TestWorld };
  const provider = server.provider();
  try {
    const wanted = { goal: GOAL, model: wire.model, toolMode: 'native', contextWindow: 32_768 };
    return await runIn(world, provider, { ...wanted, ...options } as never);
  } finally {
    await provider.close();
  }
}

const PLACES = [
  ['a look before the plan', 'lists_folders'],
  ['the plan', 'sets_plan'],
  ['a write', 'writes_whole_files'],
] as const;

describe.each(THINKING_WIRES)('a model that thinks, on the wire of $name', (wire) => {
  it('gets more room, and no word, when it thought all of it away', async () => {
    let first = 0;
    const server = await serve(wire, (asked) => {
      first ||= asked.maxOutputTokens;
      if (asked.maxOutputTokens <= first) return { thinks: 'on and on', isCutOff: true };
      return thinking(asked);
    });
    const { result, records } = await run(wire, server);
    expect(result.ending).toBe('achieved');
    const [one, other] = server.bodies();
    expect(wire.roomIn(other)).toBeGreaterThanOrEqual(wire.roomIn(one) + 8192);
    expect(other.messages).toEqual(one.messages);
    const turns = records.filter(({ type }) => type === 'turn_finished');
    expect(turns[0]).toMatchObject({ status: { kind: 'truncated' } });
    expect(JSON.stringify(server.bodies())).not.toMatch(/shorter|smaller pieces/);
  });

  const whole = async () => {
    const server = await serve(wire, thinking);
    const { result } = await run(wire, server, { effort: 'high' });
    return { result, bodies: server.bodies() };
  };
  let calm: ReturnType<typeof whole> | undefined;

  it('has its thoughts counted, apart where its server tells them', async () => {
    calm ??= whole();
    const { result } = await calm;
    const { turns } = result.state.counters;
    const { thinking: thoughts, output } = result.state.usage.total;
    expect(turns).toBeGreaterThan(2);
    expect(thoughts + output).toBe(turns * (THOUGHT_TOKENS + ANSWER_TOKENS));
    expect(thoughts).toBe(wire.countsThoughts ? turns * THOUGHT_TOKENS : 0);
  });

  // Behind another one on each wire; `npm run crash` takes all.
  it.each(someKills(PLACES, 3, THINKING_WIRES.indexOf(wire)))(
    'gets them back as they were and is asked for the same effort, also by the process after a kill behind %s',
    async (_, kind) => {
      calm ??= whole();
      const { bodies } = await calm;
      const thoughts = wire.thoughtsIn(bodies.at(-1));
      expect(thoughts.length).toBeGreaterThan(0);
      for (const thought of thoughts) expect(String(JSON.stringify(thought))).toContain('thought');

      const server = await serve(wire, thinking);
      const world = testWorld();
      const machine = world.machine();
      const killed = run(wire, server, {
        ...{ world, machine, effort: 'high' },
        onRecord: (record: { readonly type: string; readonly does?: string }) => {
          if (record.type !== 'action_finished' || record.does !== kind) return;
          machine.kill();
          throw new Error('killed');
        },
      });
      await expect(killed).rejects.toThrow('killed');
      const { result } = await run(wire, server, { world });
      expect(result.ending).toBe('achieved');
      expect(wire.thoughtsIn(server.bodies().at(-1))).toEqual(thoughts);
      expect(server.bodies()).toEqual(bodies);
      // The one it had, where a resume names none.
      const efforts = server.bodies().map((body) => wire.effortIn(body));
      expect(new Set(efforts)).toEqual(new Set(['high']));
    },
  );
});
