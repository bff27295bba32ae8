/** What stands in the lines of a journal, as they are on disk. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { layoutOf, prepareLayout } from '../../src/journal/layout.ts';
import { FORMAT_VERSION } from '../../src/schema/records.ts';
import { FIXTURES } from '../support/format-1.ts';
import { diligentModel, type PlannedWork } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { type TestWorld, testWorld, WORKSPACE } from '../support/test-machine.ts';

const HISTORY = '.agent_context/history.jsonl';

const linesOf = (text: string | null): readonly Record<string, unknown>[] =>
  (text ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const journalIn = (world: TestWorld) => linesOf(world.read(HISTORY));

const SECRET = 'the marmalade is behind the atlas';

/** A log is not shown before the plan, so that only what is read of it tells the secret. */
const LOOK: PlannedWork = {
  subtasks: [
    { action: 'read_file', file: 'todo.log', purpose: 'tell what it says' },
    { action: 'write_file', file: 'done.txt', purpose: 'says that it is done' },
  ],
  files: { 'done.txt': ['done\n'] },
};

const lookedAt = (): TestWorld => {
  const world = testWorld();
  world.write('todo.log', `${SECRET}\n`);
  return world;
};

const model = () => scriptedProvider(diligentModel(LOOK));

describe.each(['native', 'json'] as const)('a result in %s mode', (toolMode) => {
  it('is stored once: the message of it only names the outcome', async () => {
    const world = lookedAt();
    const { result } = await runIn(world, model(), { toolMode });
    expect(['achieved', 'unverified']).toContain(result.ending);
    expect((world.read(HISTORY) ?? '').split(SECRET)).toHaveLength(2);
    const lines = journalIn(world);
    const outcome = lines.find(
      ({ tool, type }) => type === 'action_finished' && tool === 'read_file',
    );
    expect(outcome).toMatchObject({ result: expect.stringContaining(SECRET) });
    const said = lines.find(({ resultOf }) => resultOf === outcome?.seq);
    expect(said).toMatchObject({ type: 'message_added', cause: 'tool_result' });
    expect(said).not.toHaveProperty('text');
  });

  it('is said to the model as ever, also by a process that must read it from the journal', async () => {
    const whole = model();
    await runIn(lookedAt(), whole, { toolMode });
    const world = lookedAt();
    const [before, after] = [model(), model()];
    const first = await runIn(world, before, {
      toolMode,
      maxRounds: toolMode === 'native' ? 2 : 0,
    });
    expect(first.result).toMatchObject({ ending: 'paused', why: 'limit_rounds' });
    expect(JSON.stringify(before.requests)).not.toContain(SECRET);
    await runIn(world, after, { toolMode, goal: null });
    expect(JSON.stringify(after.requests[0])).toContain(SECRET);
    expect([...before.requests, ...after.requests].map(({ messages }) => messages)).toEqual(
      whole.requests.map(({ messages }) => messages),
    );
  });
});

/** Every type of record that the build 4c35833 knew; it refuses a journal with any other. */
const KNOWN_TO_4C35833 = [
  'action_finished',
  'action_intended',
  'action_started',
  'approval_asked',
  'approval_given',
  'branched',
  'check_ran',
  'compacted',
  'compaction_started',
  'file_restored',
  'message_added',
  'note',
  'plan_set',
  'replan_started',
  'replanned',
  'rewound',
  'round_started',
  'run_finished',
  'run_opened',
  'run_paused',
  'run_resumed',
  'settings_changed',
  'subtask_finished',
  'subtask_started',
  'turn_finished',
  'undo_finished',
  'undo_started',
];

interface Marked {
  readonly seq: number;
  readonly durable: number;
  readonly format: number;
  readonly type: string;
}

describe('a line of the journal', () => {
  it('says its format and up to which one everything was on the disk, from the first one on', async () => {
    const world = lookedAt();
    await runIn(world, model());
    const lines = journalIn(world) as unknown as readonly Marked[];
    expect(lines[0]).toMatchObject({ type: 'run_opened', format: FORMAT_VERSION, seq: 1 });
    const marks = lines.map(({ durable }) => durable);
    expect(marks).toEqual(marks.toSorted((one, other) => one - other));
    expect(lines.filter(({ durable, seq }) => durable >= seq)).toEqual([]);
    expect(lines.filter(({ format }) => format !== FORMAT_VERSION)).toEqual([]);
    // Between an intent and what comes of it stands a barrier.
    const intents = lines.filter(({ type }) => type === 'action_intended');
    expect(intents.length).toBeGreaterThan(0);
    for (const { seq } of intents) expect(lines[seq]?.durable).toBe(seq);
    expect(lines.map(({ type }) => type)).not.toContain('format_raised');
  });

  it('of this build is announced in a run of format 1, so that an older one refuses the run', async () => {
    const world = testWorld();
    prepareLayout(world.machine().fs, layoutOf(WORKSPACE));
    const old = readFileSync(join(FIXTURES, 'paused-native/agent_context/history.jsonl'), 'utf8');
    world.write(HISTORY, old);
    const count = linesOf(old).length;
    const offline = () =>
      scriptedProvider(() => ({ fails: { kind: 'auth_failed' } }), { contextWindow: 16_384 });
    await runIn(world, offline(), { goal: null });
    expect(world.read(HISTORY)?.startsWith(old)).toBe(true);
    const added = (journalIn(world) as unknown as readonly Marked[]).slice(count);
    expect(added.length).toBeGreaterThan(2);
    expect(added[0]).toMatchObject({
      type: 'format_raised',
      from: 1,
      to: FORMAT_VERSION,
      seq: count + 1,
    });
    // Nothing in it says that a build which does not know it may pass over it.
    expect(added[0]).not.toHaveProperty('optional');
    expect(KNOWN_TO_4C35833).not.toContain(added[0]?.type);
    expect(added[0]?.durable).toBe(count);
    expect(added.filter(({ durable, seq }) => durable < count || durable >= seq)).toEqual([]);
    await runIn(world, offline(), { goal: null });
    const raised = journalIn(world).filter(({ type }) => type === 'format_raised');
    expect(raised).toHaveLength(1);
  });
});
