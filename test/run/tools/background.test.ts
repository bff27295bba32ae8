/** Programs in the background of a run: real ones, started by a script that leads. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type RunGoalOptions, runGoal } from '../../../src/agent.ts';
import { startTimeOf } from '../../../src/processes/identity.ts';
import { operatingSystem } from '../../../src/processes/operating-system.ts';
import type { RunEvent } from '../../../src/schema/events/events.ts';
import type { JournalRecord } from '../../../src/schema/records.ts';
import { leading } from '../../support/leading.ts';
import type { PlannedWork } from '../../support/models.ts';
import { realFolder, realMachine } from '../../support/real-run.ts';
import {
  LARGE,
  SCRIPTED_MODEL,
  type Script,
  type ScriptedCall,
  scriptedProvider,
} from '../../support/scripted-provider.ts';
import { runStepwise } from '../../support/stepwise.ts';
import { watchingRecords } from '../../support/written-records.ts';

const system = operatingSystem(process.platform);
const isAlive = (pid: number): boolean => startTimeOf(pid, system) !== null;
const tellsPorts = process.platform === 'linux';

/** Says in a file that it runs; works until it is ended. */
const SERVER = `
import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
appendFileSync('pids', process.pid + '\\n');
createServer().listen(0, '127.0.0.1', () => console.log('ready'));
`;
const GIVEN = {
  'server.mjs': SERVER,
  'writes.mjs': `${SERVER}
import { existsSync } from 'node:fs';
const look = setInterval(() => {
  if (!existsSync('go.txt')) return;
  clearInterval(look);
  writeFileSync('made.txt', 'x');
  console.log('made');
}, 20);`,
};
const WORK = { subtasks: [{ action: 'read_file', file: 'server.mjs', purpose: 'look' }] };
const DONE: ScriptedCall = {
  name: 'mark_subtask_complete',
  args: { success: true, reason: 'seen', answer: 'it runs' },
};
const start = (cmd: string): ScriptedCall => ({ name: 'run_cmd', args: { cmd, background: true } });
const readOn = (args: object): ScriptedCall => ({ name: 'read_output', args: { ...args } });

/** One call a turn, then the end. */
const each =
  (calls: readonly ScriptedCall[]): Script =>
  ({ messages }) => {
    const told = messages.filter(({ role }) => role === 'tool').length - 1;
    return { text: '', calls: [calls[told] ?? DONE] };
  };

interface Options extends Partial<RunGoalOptions> {
  readonly folder?: string;
  readonly onRecord?: (record: JournalRecord) => void;
  readonly work?: Partial<PlannedWork>;
  readonly works?: typeof runGoal;
}

async function run(calls: readonly ScriptedCall[], options: Options = {}) {
  const {
    folder = realFolder(GIVEN),
    onRecord = () => {},
    work = {},
    works = runGoal,
    emit = () => {},
    ...more
  } = options;
  const provider = scriptedProvider(leading({ ...WORK, ...work }, each(calls)), LARGE);
  const machine = realMachine();
  const events: RunEvent[] = [];
  const result = await works({
    ...{ goal: 'look at it', workspace: folder, provider, model: SCRIPTED_MODEL },
    machine: { ...machine, fs: watchingRecords(machine.fs, onRecord) },
    ...more,
    emit: (event) => {
      events.push(event);
      emit(event);
    },
  });
  const records = events.flatMap((event) => (event.type === 'record' ? [event.record] : []));
  const results = records.flatMap((one) =>
    one.type === 'action_finished' && one.tool !== 'set_plan'
      ? [{ ...one, result: String(one.result) }]
      : [],
  );
  const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
  return { result, records, results, notices, folder, pids: pidsIn(folder) };
}

function pidsIn(folder: string): readonly number[] {
  const file = join(folder, 'pids');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number) : [];
}

const of = <Type extends JournalRecord['type']>(records: readonly JournalRecord[], type: Type) =>
  records.filter((one): one is Extract<JournalRecord, { type: Type }> => one.type === type);

describe('a program in the background', () => {
  it('is told with its port, is read on, is ended by its name, and leaves what it printed', async () => {
    const ran = await run([
      start('node server.mjs'),
      readOn({ id: 'bg1' }),
      { name: 'stop_process', args: { id: 'bg1' } },
      readOn({ id: 'bg1' }),
      { name: 'stop_process', args: { id: 'bg1' } },
      readOn({ id: 'bg7' }),
    ]);
    const [started, running, stopped, kept, again, none] = ran.results;
    if (tellsPorts)
      expect(started?.result).toMatch(/^bg1 is running, listening on 127\.0\.0\.1:\d+\nready\n/);
    expect(started).toMatchObject({ status: 'ok', target: 'node server.mjs (in the background)' });
    expect(started).not.toHaveProperty('does');
    expect(started?.result).toContain('stop_process {"id":"bg1"} ends it');
    expect(running?.result).toContain('[lines 1 to 1 of 1, bg1]\nready');
    expect(stopped?.result).toBe('bg1 was ended, with everything it had started.\nready');
    expect(kept?.result).toContain('ready\n[ended');
    expect(again).toMatchObject({
      status: 'error',
      result: 'bg1 has ended. Nothing runs there now.',
    });
    expect(none?.result).toContain('There is no "bg7" in the background.');
    expect(of(ran.records, 'background_started')).toMatchObject([
      { id: 'bg1', cmd: 'node server.mjs', pid: ran.pids[0] },
    ]);
    expect(of(ran.records, 'background_ended')).toMatchObject([{ id: 'bg1', how: 'stopped' }]);
    expect(ran.pids.map(isAlive)).toEqual([false]);
  });

  it('is meant where it is the only one, named where it is not, and one of four at most', async () => {
    const ran = await run([
      start('node server.mjs'),
      readOn({}),
      readOn({ wait_sec: 0.05 }),
      start('node server.mjs'),
      readOn({ wait_sec: 20 }),
      ...[3, 4, 5].map((n) => start(`node server.mjs ${n}`)),
    ]);
    const [, only, waited, , both] = ran.results;
    expect(only?.result).toContain('bg1]\nready');
    expect(waited?.result).toContain('bg1]\nready');
    expect(both).toMatchObject({
      status: 'error',
      result: 'In the background run bg1, bg2: name one.',
    });
    const starts = ran.results.filter(({ tool }) => tool === 'run_cmd');
    expect(starts.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok', 'error']);
    expect(starts.at(-1)?.result).toContain('bg1, bg2, bg3, bg4 run in the background');
  });

  it("ends with the run, which ends no worse for it, and what it changed is recorded as nobody's", async () => {
    const go = { name: 'write_file', args: { path: 'go.txt', content: 'go' } };
    const ran = await run([start('node writes.mjs'), go, readOn({ id: 'bg1', wait_sec: 20 })]);
    expect(ran.results[2]?.result).toContain('made');
    expect(ran.pids.map(isAlive)).toEqual([false]);
    expect(of(ran.records, 'background_ended')).toMatchObject([{ how: 'proof' }]);
    expect(of(ran.records, 'files_changed')).toContainEqual(
      expect.objectContaining({
        by: 'unknown',
        files: expect.arrayContaining([expect.objectContaining({ path: 'made.txt' })]),
      }),
    );
  });

  it('ends before the proof, and the model that has to go on knows it', async () => {
    const verify = { cmd: 'node check.mjs', prints: '', stdin: '' };
    const folder = realFolder({
      ...GIVEN,
      'check.mjs': `import { existsSync, writeFileSync } from 'node:fs';
        if (!existsSync('second')) { writeFileSync('second', ''); process.exit(1); }`,
    });
    const ran = await run([start('node server.mjs')], { folder, work: { verify } });
    const types = ran.records.map(({ type }) => type);
    expect(of(ran.records, 'background_ended')).toMatchObject([{ how: 'proof' }]);
    expect(types.indexOf('background_ended')).toBeLessThan(types.indexOf('check_ran'));
    const told = of(ran.records, 'message_added').find(({ cause }) => cause === 'background_ended');
    expect(told?.text).toContain('bg1 (node server.mjs) was ended before the proof');
  });

  it('that fails at once is told so, and one that is missing or refused never starts', async () => {
    const ran = await run([
      start('node gone.mjs'),
      start('no-such-program'),
      start('rm -r /'),
      start('node -e 1'),
    ]);
    const [failed, missing, denied, over] = ran.results;
    expect(failed).toMatchObject({ status: 'error', facts: { exitCode: 1 } });
    expect(failed?.result).toMatch(/^bg1 ended with exit code 1\n/);
    expect(missing).toMatchObject({ status: 'error', facts: { notStarted: true } });
    expect(denied?.status).toBe('denied');
    expect(over?.result).toMatch(/^bg2 ended with exit code 0\n/);
    expect(of(ran.records, 'background_ended').map(({ how, exitCode }) => [how, exitCode])).toEqual(
      [
        ['exited', 1],
        ['exited', 0],
      ],
    );
  });

  it('waits for a plan', async () => {
    const looks = [[start('git status')]];
    const provider = scriptedProvider(leading(WORK, each([]), looks), LARGE);
    const folder = realFolder(GIVEN);
    const events: RunEvent[] = [];
    await runGoal({
      ...{ goal: 'look at it', workspace: folder, provider, model: SCRIPTED_MODEL },
      ...{ machine: realMachine(), emit: (event) => void events.push(event) },
    });
    const first = events.find(
      (event) => event.type === 'record' && event.record.type === 'action_finished',
    );
    expect(first).toMatchObject({ record: { status: 'denied' } });
  });
});

it('of a run taken step by step ends with the process that started it, and the next one tells the model', async () => {
  const calls = [start('node server.mjs'), readOn({ id: 'bg1' })];
  const { records, results, pids, result } = await run(calls, { works: runStepwise });
  expect(of(records, 'background_ended')).toMatchObject([{ id: 'bg1', how: 'crash' }]);
  expect(pids.map(isAlive)).toEqual([false]);
  expect(results[1]?.result).toContain('bg1 has ended.');
  const told = of(records, 'message_added').find(({ cause }) => cause === 'background_ended');
  expect(told?.text).toContain('bg1 (node server.mjs)');
  expect(result.ending).not.toBe('paused');
});

describe('a run that is cut off', () => {
  class Died extends Error {}
  /** At this record and ever after: the periodic look at the journal swallows what a single event throws. */
  const diesAt = (type: string) => {
    let isDead = false;
    return (event: RunEvent): void => {
      isDead ||= event.type === 'record' && event.record.type === type;
      if (isDead) throw new Died();
    };
  };

  it('by a pause ends it, and tells the model when it goes on', async () => {
    const stop = new AbortController();
    const calls = [start('node server.mjs'), readOn({ id: 'bg1', wait_sec: 500 })];
    const cut = await run(calls, {
      signal: stop.signal,
      onRecord: (record) => {
        if (record.type === 'action_finished' && record.tool === 'run_cmd') stop.abort();
      },
    });
    expect(cut.result).toMatchObject({ ending: 'paused', why: 'interrupted' });
    expect(of(cut.records, 'background_ended')).toMatchObject([{ how: 'run' }]);
    expect(cut.pids.map(isAlive)).toEqual([false]);
    const after = await run([], { goal: null, folder: cut.folder });
    const told = of(after.records, 'message_added').find(
      ({ cause }) => cause === 'background_ended',
    );
    expect(told?.text).toContain('bg1 (node server.mjs) was ended when the run paused');
    expect(of(after.records, 'background_started')).toEqual([]);
  });

  /** The process is gone: nothing of it ends what it has started. */
  function dying(container?: string) {
    const machine = realMachine();
    return {
      ...machine,
      processes: (...args: Parameters<typeof machine.processes>) => {
        const real = machine.processes(...args);
        return {
          ...real,
          endDaemons: async () => ({ ended: [], left: [] }),
          place: { ...real.place, ...(container === undefined ? {} : { pidNamespace: container }) },
          background: async (...given: Parameters<NonNullable<typeof real.background>>) => {
            const one = await real.background?.(...given);
            return typeof one === 'object' ? { ...one, end: async () => {} } : (one ?? '');
          },
        };
      },
    };
  }

  it.skipIf(process.platform === 'win32')(
    'by a crash leaves nothing that works on, starts nothing again, and the model knows',
    async () => {
      const folder = realFolder(GIVEN);
      const emit = diesAt('background_started');
      const cut = run([start('node server.mjs')], { folder, machine: dying(), emit });
      await expect(cut).rejects.toThrow(Died);
      const [pid = 0] = pidsIn(folder);
      expect(isAlive(pid)).toBe(true);
      const after = await run([], { goal: null, folder });
      expect(isAlive(pid)).toBe(false);
      expect(of(after.records, 'background_ended')).toMatchObject([{ id: 'bg1', how: 'crash' }]);
      const told = of(after.records, 'message_added').find(
        ({ cause }) => cause === 'background_ended',
      );
      expect(told?.text).toContain('bg1 (node server.mjs) was ended since the run was cut off');
      expect(after.notices).toContain(
        'bg1 (node server.mjs) ran in the background when the run was cut off. It was still running and has been ended.',
      );
      expect(of(after.records, 'background_started')).toEqual([]);
      expect(pidsIn(folder)).toEqual([pid]);
    },
  );

  it.skipIf(process.platform === 'win32')(
    'by a crash in another container is not said to have ended what nobody can see',
    async () => {
      const folder = realFolder(GIVEN);
      const emit = diesAt('background_started');
      const cut = run([start('node server.mjs')], { folder, machine: dying('elsewhere'), emit });
      await expect(cut).rejects.toThrow(Died);
      onTestFinished(() => pidsIn(folder).forEach((pid) => void process.kill(pid)));
      const after = await run([], { goal: null, folder });
      expect(of(after.records, 'background_ended')).toMatchObject([{ id: 'bg1', how: 'lost' }]);
      const told = of(after.records, 'message_added').find(
        ({ cause }) => cause === 'background_ended',
      );
      expect(told?.text).toMatch(/^bg1 .* was cut off with the run \(it, .* may still run\)/);
      expect(after.notices.join()).toMatch(/bg1 .* may still run: look, and end it yourself/);
    },
  );

  it('before its start is written begins nothing', async () => {
    const folder = realFolder(GIVEN);
    const emit = diesAt('action_started');
    await expect(run([start('node server.mjs')], { folder, emit })).rejects.toThrow(Died);
    expect(pidsIn(folder)).toEqual([]);
  });
});
