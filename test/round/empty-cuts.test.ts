/** An answer that was cut off with nothing to see is asked for again with more room, and no word. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import { diligentModel } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { LARGE, type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const GOAL = 'Write greet.mjs: node greet.mjs prints "hello Ada"';

const diligent = diligentModel({
  subtasks: [{ action: 'write_file', file: 'greet.mjs', purpose: 'greets' }],
  verify: { cmd: 'node greet.mjs', prints: 'hello Ada' },
  files: { 'greet.mjs': ['console.log("hello Ada");\n'] },
});

/** Thinks away all of its room until it has as much as it needs. */
const thinking =
  (needs: number): Script =>
  (request, n) =>
    (request.maxOutputTokens ?? 0) < needs ? { text: '', isCutOff: true } : diligent(request, n);

const roomsOf = (requests: readonly ModelRequest[]) =>
  requests.map(({ maxOutputTokens }) => maxOutputTokens);

const run = async (script: Script, machine = testWorld()) => {
  const provider = scriptedProvider(script, LARGE);
  const told = await runIn(machine, provider, { goal: GOAL, toolMode: 'native' });
  return { ...told, requests: provider.requests };
};

describe('a model that thinks away all of its room', () => {
  it('is asked the same again with twice the room, twice at most', async () => {
    const { result, requests } = await run(thinking(16_384));
    expect(result).toMatchObject({ ending: 'achieved' });
    expect(roomsOf(requests).slice(0, 3)).toEqual([8192, 16_384, 8192]);
    const [first, second] = requests;
    expect(second?.messages).toEqual(first?.messages);
    expect(requests.some(({ messages }) => messages.some(isAboutLength))).toBe(false);
  });

  it('and that needs more than there is hears of it then', async () => {
    const { requests } = await run(thinking(100_000));
    expect(roomsOf(requests).slice(0, 4)).toEqual([8192, 16_384, 16_384, 8192]);
    expect(requests.slice(0, 3).some(({ messages }) => messages.some(isAboutLength))).toBe(false);
  });

  it('is asked the same by the process that comes after a kill', async () => {
    const world = testWorld();
    const machine = world.machine();
    const killed = runIn(world, scriptedProvider(thinking(16_384), LARGE), {
      ...{ goal: GOAL, toolMode: 'native', machine },
      onRecord: (record) => {
        if (record.type !== 'turn_finished') return;
        machine.kill();
        throw new Error('killed');
      },
    });
    await expect(killed).rejects.toThrow('killed');
    const { result, requests } = await run(thinking(16_384), world);
    expect(result).toMatchObject({ ending: 'achieved' });
    expect(requests[0]?.maxOutputTokens).toBe(16_384);
  });
});

const isAboutLength = ({ content }: { readonly content: string }): boolean =>
  /shorter|cut off/.test(content);
