/** Room in format 3: what a later build may write, this one opens, shows and keeps. */
import { describe, expect, it } from 'vitest';
import { historyWords } from '../../src/cli/render/records/history-words.ts';
import { RUN_REPAIR } from '../../src/context-manager/repair-records.ts';
import { CONVERSATION_FORMAT, RUN_FORMAT } from '../../src/context-manager/run-format.ts';
import { JournalRecord, type Stamped } from '../../src/schema/records.ts';
import { layoutOfSession } from '../../src/sessions/places.ts';
import { appended } from '../support/appended.ts';
import { chatIn, recordsOfChat } from '../support/chat-in.ts';
import { diligentModel, type PlannedWork } from '../support/models.ts';
import { journalOf, runIn } from '../support/run-in.ts';
import { sampleOf } from '../support/sample-of.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../support/test-machine.ts';

const HISTORY = '.agent_context/history.jsonl';
const BLOB = 'a'.repeat(64);
const IMAGE = { blob: BLOB, mediaType: 'image/png', bytes: 7 };
const UNSEEN = '[A file of type image/png is here, and you cannot see it.]';
const CANDIDATE = { subtask: '1.1', path: 'a.py', index: 1 };

const SAID: JournalRecord = { type: 'person_said', text: 'Like this one', parts: [IMAGE] };
const SHOWN: JournalRecord = {
  ...{ type: 'file_candidate_shown', ...CANDIDATE, text: 'print(1)\n'.repeat(2000) },
  showed: [{ check: 'tests', failed: true, detail: '2 of 3' }],
};
const TAKEN: JournalRecord = { type: 'file_candidate_taken', ...CANDIDATE, why: 'fewest failed' };

/** What a later build may write beside what is known. */
const LATER = { notKnownYet: { why: ['later'] } };
const later = (record: JournalRecord): JournalRecord => ({ ...record, ...LATER });

const WORK: PlannedWork = {
  subtasks: [1, 2, 3].map((n) => ({
    ...{ action: 'write_file', file: `${n}.txt`, purpose: 'has a line' },
  })),
  files: Object.fromEntries([1, 2, 3].map((n) => [`${n}.txt`, [`${n}\n`]])),
};

describe.each(JournalRecord.options.map((option) => [option.shape.type.value, option] as const))(
  'a record %s',
  (_type, option) => {
    it('is read with a field that is not known, which stays', () => {
      const sample = sampleOf(option, 'text') as JournalRecord;
      const record = later(sample.type === 'run_opened' ? { ...sample, format: 3 } : sample);
      const value = { seq: 2, ts: 5, durable: 1, format: 3, ...record };
      for (const format of [RUN_FORMAT, CONVERSATION_FORMAT])
        expect(format.parse(value)).toEqual({ kind: 'record', record: value });
      expect(RUN_FORMAT.misfits(record)).toEqual([]);
    });
  },
);

describe.each(['native', 'json'] as const)(
  'a paused run, led as %s, that a later build wrote in',
  (toolMode) => {
    it('goes on with all of it, and the model is told of an image in words', async () => {
      const world = testWorld();
      const model = scriptedProvider(diligentModel(WORK));
      await runIn(world, model, { toolMode, maxRounds: 1 });
      const before = journalOf(world).length;
      const written = appended(world.read(HISTORY) ?? '', [SAID, SHOWN, TAKEN].map(later));
      world.write(HISTORY, written);
      const { result } = await runIn(world, model, { toolMode, goal: null });
      expect(['achieved', 'unverified']).toContain(result.ending);
      expect(world.read(HISTORY)?.startsWith(written)).toBe(true);
      const added = journalOf(world).slice(before, before + 3);
      expect(added).toMatchObject([SAID, SHOWN, TAKEN].map(later));
      const told = journalOf(world).find((one) => one.type === 'message_added' && one.parts);
      expect(told).toMatchObject({ cause: 'person', parts: [IMAGE] });
      expect(JSON.stringify(told)).not.toContain(UNSEEN);
      const last = model.requests.at(-1)?.messages ?? [];
      expect(last.filter(({ content }) => content.includes(`Like this one`))).toHaveLength(1);
      expect(last.filter(({ content }) => content.endsWith(UNSEEN))).toHaveLength(1);
      const { conversation } = result.state;
      const ref = conversation.find(({ seq }) => seq === told?.seq);
      expect(ref?.length).toBe(
        last.find(({ content }) => content.endsWith(UNSEEN))?.content.length,
      );
    });
  },
);

it('a conversation goes on with a message that has an image, and tells the model that it is lost', async () => {
  const world = testWorld();
  const first = await chatIn(
    world,
    scriptedProvider(() => 'Hello.'),
  );
  await first.session.send('Hi');
  const { run } = first.session.state;
  await first.session.close();
  const { history } = layoutOfSession(WORKSPACE, run);
  const path = history.slice(WORKSPACE.length + 1);
  world.write(path, appended(world.read(path) ?? '', [later(SAID)]));
  const model = scriptedProvider(() => 'I see.');
  const { session } = await chatIn(world, model);
  await session.goOn();
  await session.close();
  const lost = '[A file was here, and its content is lost.]';
  expect(model.requests[0]?.messages.at(-1)?.content).toBe(`Like this one\n${lost}`);
  expect(recordsOfChat(world, run)).toContainEqual(expect.objectContaining(later(SAID)));
});

it('history says who gave a plan, who took a run up, what a run belongs to, what candidates showed and what came with a message', () => {
  const subtasks = [{ id: '1.1', purpose: 'p', checks: [], status: 'pending' as const }];
  const plan = { fallback: false, tasks: [{ id: '1', description: 'it', subtasks }] };
  const opened = { type: 'run_opened', format: 3, goal: 'g', goalHash: 'h', startedAt: 0 } as const;
  const parent = { run: 'job-7', seq: 12 };
  const records = [
    { type: 'plan_set', plan, why: 'edited', by: 'Ada' },
    { type: 'lease_taken', token: 2, host: 'h', worker: 'w-3', version: '1' },
    { ...opened, run: 'r', version: '1', parent, template: 'cli' },
    SHOWN,
    TAKEN,
    SAID,
  ] as const;
  const stamped = records.map((record) => ({ ...record, seq: 3, ts: 5 }) as Stamped);
  expect(stamped.map((record) => historyWords(record))).toEqual([
    'plan: 1 task, 1 subtask, given by Ada: it',
    'taken up again, worker w-3',
    'goal: g (for run job-7, record 12)',
    'candidate 2 of a.py: tests failed: 2 of 3',
    'took candidate 2 of a.py: fewest failed',
    'you said: Like this one [image/png]',
  ]);
});

it('the turn that sums a conversation up says for what its model was asked, and no other does', async () => {
  const world = testWorld();
  const model = scriptedProvider(({ messages }) => {
    const isSummary = messages.at(-1)?.content.startsWith('Summarize this conversation.');
    return isSummary ? 'They talked.' : 'word '.repeat(1500);
  });
  const options = { contextWindow: 8192, toolMode: 'native' } as const;
  const { session } = await chatIn(world, model, options);
  for (let n = 0; n < 8; n += 1) await session.send(`Question ${n}`);
  const { run } = session.state;
  await session.close();
  const turns = recordsOfChat(world, run).filter((one) => one.type === 'turn_finished');
  const summaries = turns.filter(({ purpose }) => purpose === 'summary');
  expect(summaries.length).toBeGreaterThan(0);
  expect(turns.filter(({ modelRole }) => modelRole === 'summary')).toEqual(summaries);
  expect(turns.filter(({ modelRole }) => modelRole === undefined)).toHaveLength(
    turns.length - summaries.length,
  );
});

it('the blob of an image belongs to its journal, so that a repair does not take it for an orphan', () => {
  expect(RUN_REPAIR.blobsIn(SAID)).toEqual([BLOB]);
});
