/** A run killed after any of its records, and started again, is the run it would have been. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/schema/model/turn.ts';
import type { JournalRecord, ToolMode } from '../../../src/schema/records.ts';
import { diligentModel, type PlannedWork, wantedBy } from '../../support/models.ts';
import { runIn, type Told } from '../../support/run-in.ts';
import {
  type Script,
  type ScriptedProvider,
  scriptedProvider,
} from '../../support/scripted-provider.ts';
import { someKills } from '../../support/some-kills.ts';
import { type TestWorld, testWorld, WORKSPACE } from '../../support/test-machine.ts';

const HELLO: PlannedWork = {
  subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': ['console.log("hello");\n'] },
};

const TWO_STEPS: PlannedWork = {
  subtasks: [
    { action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' },
    { action: 'run_cmd', cmd: 'node hello.mjs --loud', purpose: 'shows it' },
  ],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': ['throw new Error("boom");\n', 'console.log("hello");\n'] },
};

const FAILING_PROOF: PlannedWork = {
  ...HELLO,
  files: { 'hello.mjs': ['console.log("goodbye");\n', 'console.log("hello");\n'] },
};

/** Every third answer that is no plan cannot be used, and one is cut off. */
const clumsy =
  (model: Script): Script =>
  (request, n) => {
    const place = request.messages.length + request.seed;
    const wanted = wantedBy(request);
    if (wanted === 'content' && place % 3 === 0) return { text: '```\nconsole', isCutOff: true };
    if (wanted === 'action' && place % 3 === 0) return 'no JSON at all';
    if (wanted === 'tools' && place % 3 === 0) return 'I would rather talk about it.';
    return model(request, n);
  };

const seedOf = (turn: number, attempt: number): number =>
  createHash('sha256').update(`say hello\0${0}\0${turn}\0${attempt}`).digest().readUInt32BE(0) &
  0x7fffffff;

const FIRST_ATTEMPTS = new Set(Array.from({ length: 30 }, (_, turn) => seedOf(turn, 1)));

/** The first attempt of every turn meets a server that is not there. */
const flaky =
  (model: Script): Script =>
  (request, n) =>
    FIRST_ATTEMPTS.has(request.seed)
      ? { fails: { kind: 'network_error', retryable: true } }
      : model(request, n);

/** In pairs, of which one is played here, and both by `npm run crash`. */
const SCENARIOS: readonly (readonly [string, ToolMode, Script])[] = [
  ['a goal with a proof', 'native', diligentModel(HELLO)],
  ['a goal with a proof', 'json', diligentModel(HELLO)],
  ['a command that fails first', 'json', diligentModel(TWO_STEPS)],
  ['a command that fails first', 'native', diligentModel(TWO_STEPS)],
  ['a goal without a usable plan', 'native', diligentModel({ ...HELLO, verify: { cmd: '' } })],
  ['a goal without a usable plan', 'json', diligentModel({ ...HELLO, verify: { cmd: '' } })],
  ['a proof that fails first', 'json', diligentModel(FAILING_PROOF)],
  ['a proof that fails first', 'native', diligentModel(FAILING_PROOF)],
  ['a clumsy model', 'native', clumsy(diligentModel(FAILING_PROOF))],
  ['a clumsy model', 'json', clumsy(diligentModel(FAILING_PROOF))],
  ['a server that comes and goes', 'json', flaky(diligentModel(HELLO))],
  ['a server that comes and goes', 'native', flaky(diligentModel(HELLO))],
];

interface Whole {
  readonly world: TestWorld;
  readonly provider: ScriptedProvider;
  readonly told: Told;
}

async function whole(script: Script, toolMode: ToolMode): Promise<Whole> {
  const world = testWorld();
  const provider = scriptedProvider(script);
  return { world, provider, told: await runIn(world, provider, { toolMode, maxRounds: 60 }) };
}

/** Kills the run when record `index` is durable, then starts it again. */
async function killedAt(index: number, script: Script, toolMode: ToolMode): Promise<Whole> {
  const world = testWorld();
  const provider = scriptedProvider(script);
  const machine = world.machine();
  const kill = (_: JournalRecord, seen: number): void => {
    if (seen !== index) return;
    machine.kill();
    throw new Error('killed');
  };
  const options = { toolMode, maxRounds: 60 };
  await expect(runIn(world, provider, { ...options, machine, onRecord: kill })).rejects.toThrow();
  return { world, provider, told: await runIn(world, provider, options) };
}

/** Where a kill hides what a command did, the run goes on knowing that it does not know. */
const hidesOutcome = (records: readonly JournalRecord[], index: number): boolean => {
  const last = records[index - 1];
  if (last?.type === 'action_intended') return last.class === 'command';
  return last?.type === 'action_started' && hidesOutcome(records, index - 1);
};

/** A trial in a copy that was cut off is made again. */
const done = ({ commands }: TestWorld) =>
  commands.filter(({ isDone, cwd }) => isDone && cwd === WORKSPACE).map(({ line }) => line);

const texts = (requests: readonly ModelRequest[]): readonly string[] =>
  requests.map((request) => JSON.stringify(request));

/** Every 30th record, in each scenario from another one on. */
const indexesOf = (scenario: number, count: number): readonly number[] =>
  someKills(
    Array.from({ length: count - 1 }, (_, at) => at + 1),
    30,
    3 * scenario,
  );

describe.each(
  someKills(
    SCENARIOS.map((one, at) => [...one, at] as const),
    2,
  ),
)('%s in %s mode', (_, toolMode, script, scenario) => {
  it('sends the same requests and runs the same commands whichever record of a sample it is killed after', async () => {
    const calm = await whole(script, toolMode);
    const requests = texts(calm.provider.requests);
    const count = calm.told.records.length;
    expect(count).toBeGreaterThan(15);
    for (const index of indexesOf(scenario, count)) {
      if (hidesOutcome(calm.told.records, index)) continue;
      const { provider, told, world } = await killedAt(index, script, toolMode);
      const where = `killed after record ${index}, ${calm.told.records[index - 1]?.type}`;
      expect(texts(provider.requests), where).toEqual(requests);
      expect(told.result.ending, where).toBe(calm.told.result.ending);
      expect(done(world), where).toEqual(done(calm.world));
      expect(world.read('hello.mjs'), where).toBe(calm.world.read('hello.mjs'));
    }
  });
});

describe.each(someKills(['native', 'json'] as const, 2))(
  'a command cut off before its outcome in %s mode',
  (toolMode) => {
    it('is called interrupted, or not run where its start is not written, and is not run again before the model was asked', async () => {
      const script = diligentModel(TWO_STEPS);
      const calm = await whole(script, toolMode);
      const { records } = calm.told;
      const hidden = records.flatMap((_, at) => (hidesOutcome(records, at + 1) ? [at + 1] : []));
      expect(hidden.length).toBeGreaterThan(1);
      // In pairs: where it was intended, and where it was begun.
      for (const index of someKills(hidden, 3)) {
        const { told } = await killedAt(index, script, toolMode);
        const hasBegun = records[index - 1]?.type === 'action_started';
        const types = told.records.map((one) =>
          one.type === 'action_intended' ? `${one.type} ${one.class}` : one.type,
        );
        const interrupted = told.records.find((one) => one.type === 'action_finished');
        const status = hasBegun ? 'interrupted' : 'not_run';
        expect(interrupted).toMatchObject({ tool: 'run_cmd', status });
        const again = types.indexOf('action_intended command');
        const asked = types.indexOf('turn_finished');
        expect(asked).toBeGreaterThan(0);
        if (again >= 0) expect(asked).toBeLessThan(again);
      }
    });
  },
);
