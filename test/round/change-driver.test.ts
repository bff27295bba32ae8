/** A run that goes on under another driver: what is open is planned again, what is done stays. */
import { describe, expect, it } from 'vitest';
import type { TurnStatus } from '../../src/schema/model/turn.ts';
import { diligentModel, type PlannedWork, planJson, wantedBy } from '../support/models.ts';
import { type RunIn, runIn } from '../support/run-in.ts';
import {
  LARGE,
  SCRIPTED_MODEL,
  type Script,
  scriptedProvider,
} from '../support/scripted-provider.ts';
import { somePlaces } from '../support/some-kills.ts';
import { testWorld } from '../support/test-machine.ts';

const FIRST = { action: 'write_file', file: 'words.mjs', purpose: 'holds the words' };
const SECOND = { action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' };
const WORK: PlannedWork = {
  subtasks: [FIRST, SECOND],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: {
    'words.mjs': ['export const word = "hello";\n'],
    'hello.mjs': ['console.log("hello");\n'],
  },
};
const LEFT: PlannedWork = { ...WORK, subtasks: [SECOND] };

const isSecond = (messages: readonly { readonly content: string }[]): boolean =>
  messages.some(({ content }) => content.includes('ACTIVE SUBTASK 1.2'));

/** At its work, but for the second subtask: there its calls cannot be read. */
const stammering: Script = (request, n) =>
  wantedBy(request) === 'tools' && isSecond(request.messages)
    ? '<tool_call>{"name": "write_file", '
    : wantedBy(request) === 'plan' && isSecond(request.messages)
      ? planJson(LEFT)
      : diligentModel(
          wantedBy(request) === 'tools' ? WORK : isSecond(request.messages) ? LEFT : WORK,
        )(request, n);

const statuses = (state: { readonly plan: unknown }): readonly string[] =>
  JSON.stringify(state.plan).match(/"status":"(\w+)"/g) ?? [];

describe('calls that cannot be read', () => {
  it('have what is open planned again, and what is done stays', async () => {
    const world = testWorld();
    const provider = scriptedProvider(stammering, LARGE);
    const { result, records } = await runIn(world, provider);
    expect(result.ending).toBe('achieved');
    expect(statuses(result.state)).toEqual([
      '"status":"completed"',
      '"status":"failed"',
      '"status":"completed"',
    ]);
    const types = records.map(({ type }) => type);
    expect(types.indexOf('replan_started')).toBeLessThan(types.lastIndexOf('settings_changed'));
    const replan = provider.requests.findLast((request) => wantedBy(request) === 'plan');
    const asked = replan?.messages.at(-1)?.content ?? '';
    // The first plan was asked for beside this conversation, so its form is told again.
    expect(asked).toContain('Plan a goal as tasks with subtasks.');
    expect(asked).toContain('Done so far: write_file words.mjs: holds the words.');
    expect(replan?.messages[0]?.content).toMatch(
      /^You are a coding agent in one folder\. You plan/,
    );
  });

  it('lead to the same requests whichever record around the change the run is killed after', async () => {
    const whole = scriptedProvider(stammering, LARGE);
    const { records } = await runIn(testWorld(), whole);
    const all = new Set(whole.requests.map(({ messages }) => JSON.stringify(messages)));
    const change = records.findIndex(({ type }) => type === 'replan_started');
    for (const at of somePlaces(change - 2, change + 6, 4)) {
      const world = testWorld();
      const provider = scriptedProvider(stammering, LARGE);
      const machine = world.machine();
      const killed = runIn(world, provider, {
        machine,
        onRecord: (_, index) => {
          if (index < at) return;
          machine.kill();
          throw new Error('killed');
        },
      });
      await expect(killed).rejects.toThrow('killed');
      const { result } = await runIn(world, provider);
      expect(result.ending, `killed after record ${at}`).toBe('achieved');
      const sent = new Set(provider.requests.map(({ messages }) => JSON.stringify(messages)));
      expect(
        [...sent].filter((one) => !all.has(one)),
        `killed after record ${at}`,
      ).toEqual([]);
    }
  });
});

describe('a fallback that is smaller than the model before it', () => {
  const GONE: TurnStatus = { kind: 'auth_failed' };
  const run = (options: RunIn) => {
    const failing: Script = (request, n) =>
      isSecond(request.messages) ? { fails: GONE } : diligentModel(WORK)(request, n);
    const small = { ...scriptedProvider(stammeringNot, { contextWindow: 32_768 }), name: 'spare' };
    const fallback = { provider: small, model: SCRIPTED_MODEL, profile: 'default' };
    return runIn(testWorld(), scriptedProvider(failing, LARGE), {
      fallbacks: [fallback],
      ...options,
    });
  };
  const stammeringNot: Script = (request, n) =>
    diligentModel(wantedBy(request) === 'tools' ? WORK : LEFT)(request, n);

  it('is led, by a plan of its own', async () => {
    const { result, records } = await run({});
    expect(result.ending).toBe('achieved');
    expect(result.state.settings).toMatchObject({
      provider: 'spare',
      driver: 'guided',
      numCtx: 16_384,
    });
    expect(records.filter((one) => one.type === 'replanned')).toHaveLength(1);
  });

  it('leads all the same where a person chose so', async () => {
    const { result, records } = await run({ toolMode: 'native' });
    expect(result.ending).toBe('achieved');
    expect(result.state.settings).toMatchObject({ provider: 'spare', driver: 'free' });
    expect(records.filter((one) => one.type === 'replanned')).toHaveLength(0);
  });
});
