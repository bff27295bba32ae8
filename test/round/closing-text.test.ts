/** A model that ends its work with a text, as strong ones do, instead of the call that was asked for. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import { type PlannedWork, planJson, wantedBy } from '../support/models.ts';
import { type RunIn, runIn, UNSTATED } from '../support/run-in.ts';
import { LARGE, type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { somePlaces } from '../support/some-kills.ts';
import { testWorld } from '../support/test-machine.ts';

const TALK = 'Both faults are fixed now, and the program says hello. Nothing else was changed.';
const WRONG = 'throw new Error("boom");\n';
const GOOD = 'console.log("hello");\n';
const EDIT = { path: 'hello.mjs', old_text: WRONG.trim(), new_text: GOOD.trim() };

const FIX: PlannedWork = {
  subtasks: [{ action: 'edit_file', file: 'hello.mjs', purpose: 'fix it' }],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
};

const hasEdited = ({ messages }: ModelRequest): boolean =>
  messages.some(({ content }) => content.startsWith('Replaced old_text'));

/** Edits, then only talks, also where the content of a file or an action is asked for. */
const talker: Script = (request) =>
  wantedBy(request) === 'plan'
    ? planJson(FIX)
    : wantedBy(request) === 'tools' && !hasEdited(request)
      ? { calls: [{ name: 'edit_file', args: EDIT }] }
      : TALK;

/** The same with another edit. */
const editing =
  (new_text: string): Script =>
  (request, n) => {
    const reply = talker(request, n);
    if (typeof reply === 'string' || !reply.calls) return reply;
    return { calls: [{ name: 'edit_file', args: { ...EDIT, new_text } }] };
  };

const fixing = async (script: Script, options: RunIn = {}) => {
  const world = testWorld();
  world.write('hello.mjs', WRONG);
  const provider = scriptedProvider(script, LARGE);
  return { world, provider, ...(await runIn(world, provider, options)) };
};

const texts = (records: readonly JournalRecord[], cause: string): readonly string[] =>
  records.flatMap((one) =>
    one.type === 'message_added' && one.cause === cause ? [String(one.text)] : [],
  );

describe('a closing text where the work is done', () => {
  it('ends the subtask as a claim', async () => {
    const { result, records, world } = await fixing(talker);
    expect(result).toMatchObject({
      ending: 'achieved',
      detail: 'proof passed: node hello.mjs; as the goal says, node hello.mjs gives "hello"',
    });
    expect(world.read('hello.mjs')).toBe(GOOD);
    expect(result.state.settings?.driver).toBe('free');
    expect(texts(records, 'nudge')).toEqual([]);
    expect(records.find((one) => one.type === 'subtask_finished')).toMatchObject({
      status: 'completed',
      summary: TALK,
    });
  });

  it('is judged by the proof as any claim, and the next one too', async () => {
    const { result, records, world } = await fixing(editing('console.log("bye");'), {
      goal: UNSTATED,
    });
    expect(result.ending).not.toBe('achieved');
    expect(texts(records, 'proof_failed').length).toBeGreaterThan(0);
    expect(world.read('hello.mjs')).toBe('console.log("bye");\n');
  });

  it('is a claim that the proof judges where a look has a remark on the file, which never holds that text', async () => {
    const { result, records, world } = await fixing(editing('// hello'), { goal: UNSTATED });
    expect(result.ending).not.toBe('achieved');
    expect(texts(records, 'proof_failed')).not.toEqual([]);
    expect(world.read('hello.mjs')).toBe('// hello\n');
  });

  it('is the answer where the run has written nothing', async () => {
    const plan = planJson({
      subtasks: [{ action: 'read_file', file: 'hello.mjs', purpose: 'tell what it does' }],
    });
    const script: Script = (request) =>
      wantedBy(request) === 'plan'
        ? plan
        : request.messages.at(-1)?.content.startsWith('throw')
          ? 'It throws an error.'
          : { calls: [{ name: 'read_file', args: { path: 'hello.mjs' } }] };
    const { result } = await fixing(script, { goal: UNSTATED });
    expect(result).toMatchObject({ ending: 'answered', answer: 'It throws an error.' });
  });

  it('leads to the same requests and the same end whichever record it is killed after', async () => {
    const whole = await fixing(talker, { toolMode: 'native' });
    for (const at of somePlaces(1, whole.records.length, 12)) {
      const world = testWorld();
      world.write('hello.mjs', WRONG);
      const provider = scriptedProvider(talker, LARGE);
      const machine = world.machine();
      const killed = runIn(world, provider, {
        toolMode: 'native',
        machine,
        onRecord: (_, index) => {
          if (index < at) return;
          machine.kill();
          throw new Error('killed');
        },
      });
      await expect(killed).rejects.toThrow('killed');
      const { result } = await runIn(world, provider, { toolMode: 'native' });
      expect(result.ending, `killed after record ${at}`).toBe('achieved');
      const sent = new Set(provider.requests.map((request) => JSON.stringify(request.messages)));
      expect(sent.size).toBe(whole.provider.requests.length);
      expect(world.read('hello.mjs')).toBe(GOOD);
    }
  });
});
