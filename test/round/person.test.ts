/** What a person says while the run works: journalled, told in its place, and nothing more. */
import { describe, expect, it } from 'vitest';
import { scriptedAnswer } from '../../bench/support/scripted-model.ts';
import type { Inbox, LineTaken } from '../../src/schema/inbox.ts';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import type { ToolMode } from '../../src/schema/records.ts';
import { BOTH_MODES } from '../support/long-work.ts';
import { type RunIn, runIn } from '../support/run-in.ts';
import { LARGE, type ScriptedReply, scriptedProvider } from '../support/scripted-provider.ts';
import { someKills } from '../support/some-kills.ts';
import { type TestWorld, testWorld } from '../support/test-machine.ts';

const FILES = 3;
const LINE = 'Please write them in Latin';

/** Says a line whenever the test wants to. */
function mouth() {
  let take: ((line: string) => LineTaken) | null = null;
  const inbox: Inbox = {
    listen: (listener) => {
      take = listener;
      return () => {
        take = null;
      };
    },
  };
  return { inbox, say: (line: string): LineTaken | 'nobody' => take?.(line) ?? 'nobody' };
}

/** @param saidAt the request during which the line is said */
function model(saidAt: number, say: () => void) {
  return scriptedProvider((request, n): ScriptedReply | string => {
    if (n === saidAt) say();
    const { messages, tools, responseSchema } = request;
    const asked = { messages, hasTools: !!tools, schema: responseSchema };
    const { text, call } = scriptedAnswer(asked, FILES);
    return call ? { calls: [{ name: call.name, args: { ...call.args } }] } : text;
  }, LARGE);
}

async function runWith(toolMode: ToolMode, saidAt: number, more: RunIn = {}, world = testWorld()) {
  const { inbox, say } = mouth();
  const taken: (LineTaken | 'nobody')[] = [];
  const provider = model(saidAt, () => taken.push(say(LINE)));
  const goal = `Write ${FILES} pages of notes`;
  const told = await runIn(world, provider, { goal, toolMode, inbox, ...more });
  return { told, taken, requests: provider.requests };
}

type Play = Awaited<ReturnType<typeof runWith>>;

const holdsLine = ({ messages }: ModelRequest): boolean => JSON.stringify(messages).includes(LINE);

describe.each(BOTH_MODES)('a line said in a turn of %s mode', (toolMode) => {
  let plays: Promise<[said: Play, calm: Play]> | undefined;
  const played = () => {
    plays ??= Promise.all([runWith(toolMode, 2), runWith(toolMode, 0)]);
    return plays;
  };

  it('is in no request before its turn has ended, and in every one from the next on', async () => {
    const [{ told, taken, requests }] = await played();
    expect(taken).toEqual(['kept']);
    expect(requests.map(holdsLine)).toEqual(requests.map((_, index) => index >= 2));
    const [before, after] = [requests[1]?.messages ?? [], requests[2]?.messages ?? []];
    expect(after.slice(0, before.length)).toEqual(before);
    expect(told.result.state.person).toEqual({ waiting: [], told: [LINE] });
  });

  it('moves neither plan nor proof nor ending', async () => {
    const [one, other] = await played();
    expect(other.taken).toEqual([]);
    expect(one.told.result.ending).toBe(other.told.result.ending);
    expect(one.told.result.state.plan).toEqual(other.told.result.state.plan);
    expect(one.told.result.state.goal).toBe(other.told.result.state.goal);
  });

  it('brings the same requests when the run is killed behind it', async () => {
    const [whole] = await played();
    const sent = whole.requests.map((request) => JSON.stringify(request));
    const first = whole.told.records.findIndex(({ type }) => type === 'person_said');
    const kills = whole.told.records.length - first - 1;
    expect(kills).toBeGreaterThan(5);
    const places = Array.from({ length: kills }, (_, at) => first + 1 + at);
    for (const index of someKills(places, 24, toolMode === 'json' ? 1 : 0)) {
      const world = testWorld();
      await expect(
        runWith(toolMode, 2, { onRecord: (_, n) => dieAt(index, n) }, world),
      ).rejects.toThrow(/killed|takes no more records/);
      const again = await resumed(world);
      expect(sent, `killed at record ${index}`).toEqual(expect.arrayContaining(again.requests));
      expect(again.ending).toBe(whole.told.result.ending);
    }
  });

  it('is still there at the end where no question came any more', async () => {
    const [, { requests }] = await played();
    const { told } = await runWith(toolMode, requests.length);
    expect(told.result.state.person?.waiting.map(({ text }) => text)).toEqual([LINE]);
  });
});

function dieAt(index: number, n: number): void {
  if (n === index) throw new Error('killed');
}

async function resumed(world: TestWorld) {
  const provider = model(0, () => {});
  const { result } = await runIn(world, provider, { goal: null });
  return { ending: result.ending, requests: provider.requests.map((one) => JSON.stringify(one)) };
}

describe('a line', () => {
  it('is not taken when it is empty, too long, one too many, or when the run is over', async () => {
    const { inbox, say } = mouth();
    const answers: unknown[] = [];
    const provider = model(1, () => {
      answers.push(say('  '), say('x'.repeat(8001)));
      for (let n = 0; n < 21; n += 1) answers.push(say(`line ${n}`));
    });
    const { result } = await runIn(testWorld(), provider, {
      inbox,
      goal: 'Write 3 pages of notes',
    });
    expect(answers).toEqual(['empty', 'too_long', ...Array(20).fill('kept'), 'too_many']);
    expect(say('late')).toBe('nobody');
    expect(result.state.person?.told).toHaveLength(5);
  });

  it('is durable when it is told that it is kept', async () => {
    const world = testWorld();
    const { inbox, say } = mouth();
    let isShown = false;
    const provider = model(1, () => say(LINE));
    await runIn(world, provider, {
      inbox,
      goal: 'Write 3 pages of notes',
      emit: (event) => {
        if (event.type === 'turn_started' || isShown) return;
        isShown = event.type === 'record' && event.record.type === 'person_said';
      },
    });
    expect(isShown).toBe(true);
  });
});
