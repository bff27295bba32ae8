/** An answer that is cut off behind whole calls: they are carried out, and the rest is said to be lost. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import { leading } from '../support/leading.ts';
import { journalOf, runIn } from '../support/run-in.ts';
import {
  LARGE,
  type Script,
  type ScriptedReply,
  scriptedProvider,
} from '../support/scripted-provider.ts';
import { somePlaces } from '../support/some-kills.ts';
import { type TestWorld, testWorld } from '../support/test-machine.ts';

const GOAL = 'Write one.txt and two.txt';
const WORK = { subtasks: [{ action: 'write_file', file: 'one.txt', purpose: 'notes' }] };

const write = (path: string) => ({ name: 'write_file', args: { path, content: `${path}\n` } });
const DONE: ScriptedReply = { calls: [{ name: 'mark_subtask_complete', args: { success: true } }] };
/** As far as the conversation shows: first what is cut, then what was left, then the end. */
const model = (cut: ScriptedReply): Script =>
  leading(WORK, (request) => {
    const said = request.messages.map(({ content }) => content).join('\n');
    if (!said.includes('chars to one.txt')) return { ...cut, isCutOff: true };
    return said.includes('chars to two.txt') ? DONE : { calls: [write('two.txt')] };
  });

const WIRES: readonly (readonly [string, ScriptedReply])[] = [
  ['as calls', { text: 'Both files.', calls: [write('one.txt')] }],
];

async function run(script: Script, world: TestWorld = testWorld(), killAt = 0) {
  const provider = scriptedProvider(script, LARGE);
  const machine = world.machine();
  const told = await runIn(world, provider, {
    ...{ goal: GOAL, toolMode: 'native', machine },
    onRecord: (_, index) => {
      if (index !== killAt) return;
      machine.kill();
      throw new Error('killed');
    },
  }).catch((error: unknown) => {
    if (killAt === 0) throw error;
    return null;
  });
  return { told, world, requests: provider.requests };
}

const shapeOf = ({ messages }: ModelRequest) => messages;

describe.each(WIRES)('of an answer that is cut off, calls that came whole %s', (_, cut) => {
  it('are carried out, and the model hears that the rest was lost', async () => {
    const { told, world, requests } = await run(model(cut));
    expect(told?.result.ending).toBe('unverified');
    expect(Object.keys(told?.result.state.files ?? {})).toEqual(['one.txt', 'two.txt']);
    const after = requests.find(({ messages }) => messages.at(-1)?.content.includes('was lost'));
    expect(after?.messages.at(-1)?.content).toMatch(/cut off at its limit of \d+ tokens/);
    expect(after?.messages.at(-2)?.content).toContain('chars to one.txt');
    expect(after?.messages.at(-3)).toMatchObject({ role: 'assistant', content: cut.text });
    expect(
      requests.filter(({ messages }) => messages.length < 4 && messages.length > 2).length,
    ).toBeLessThanOrEqual(1);
    const turn = journalOf(world).find(
      (record) => record.type === 'turn_finished' && record.status.kind === 'truncated',
    );
    expect(turn).toMatchObject({ decoded: { kind: 'calls' } });
  });

  it('are so for every process that goes on after a kill', { timeout: 60_000 }, async () => {
    const whole = await run(model(cut));
    const sent = whole.requests.map(shapeOf);
    const records = journalOf(whole.world).length;
    for (const killAt of somePlaces(2, records, 8)) {
      const killed = await run(model(cut), testWorld(), killAt);
      const { told, requests } = await run(model(cut), killed.world);
      expect(told?.result.ending).toBe('unverified');
      expect(requests.map(shapeOf)).toEqual(sent.slice(sent.length - requests.length));
    }
  });
});

describe('an answer that is cut off', () => {
  it('within its only call is asked for in pieces, with its limit named', async () => {
    const script = leading(WORK, (request) => {
      const isTold = request.messages.at(-1)?.content.includes('smaller pieces');
      return isTold ? { calls: [write('one.txt')] } : { text: 'I write', isCutOff: true };
    });
    const { requests } = await run(script);
    const told = requests.find(({ messages }) => messages.at(-1)?.content.includes('in smaller'));
    expect(told?.messages.at(-1)?.content).toMatch(/limit of 8192 tokens\. Nothing of it/);
  });
});
