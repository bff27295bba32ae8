/** Steps by behaviour: whole runs of a scripted model, and what the engine did with its answers. */
import { describe, expect, it } from 'vitest';
import type { MessageCause } from '../../src/schema/model/message-cause.ts';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import {
  diligentModel,
  openIn,
  type PlannedWork,
  wantedBy,
  workReplies,
} from '../support/models.ts';
import { runIn, SAY_HELLO, UNSTATED } from '../support/run-in.ts';
import { type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { type ScriptedProgram, testWorld } from '../support/test-machine.ts';

const GOOD = 'console.log("hello");\n';
const WRONG = 'throw new Error("boom");\n';

const EOF_ERROR = 'Traceback (most recent call last):\n  File "a.py"\nEOFError: EOF when reading\n';

const HELLO: PlannedWork = {
  subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': [GOOD] },
};

const THEN_RUN: PlannedWork = {
  ...HELLO,
  subtasks: [
    ...HELLO.subtasks,
    { action: 'run_cmd', cmd: 'node hello.mjs --loud', purpose: 'shows it' },
  ],
  files: { 'hello.mjs': [WRONG, GOOD] },
};

const _fileAskedFor = ({ messages }: ModelRequest): string =>
  messages.flatMap(({ content }) => /whole content of (\S+?),? /.exec(content)?.[1] ?? []).at(-1) ??
  '';

const causes = (records: readonly JournalRecord[]): readonly MessageCause[] =>
  records.flatMap((one) => (one.type === 'message_added' ? [one.cause] : []));

const endings = (records: readonly JournalRecord[]) =>
  records.flatMap((one) => (one.type === 'subtask_finished' ? [one.status] : []));

const work = (
  script: Script,
  toolMode: 'native' | 'json',
  { program, goal = SAY_HELLO }: { program?: ScriptedProgram; goal?: string } = {},
) => {
  const world = testWorld(program);
  return runIn(world, scriptedProvider(script), { goal, toolMode }).then((told) => ({
    ...told,
    world,
  }));
};

describe('a plan in json mode', () => {
  it('is carried out with one question for content, and none for what its checks tell', async () => {
    const { records } = await work(diligentModel(HELLO), 'json');
    expect(causes(records)).toEqual([
      'brief_question',
      'plan_question',
      'subtask_started',
      'content_question',
      'tool_result',
    ]);
  });

  it('mends a failed command in a conversation beside, then runs it again itself', async () => {
    const { records, world, result } = await work(diligentModel(THEN_RUN), 'json');
    expect(result.ending).toBe('achieved');
    const at = (look: (record: JournalRecord) => boolean) => records.findIndex(look);
    const asked = at((one) => one.type === 'round_started' && one.file === 'hello.mjs');
    const opened = at((one) => one.type === 'branched' && one.at === 'open');
    const closed = at((one) => one.type === 'branched' && one.at === 'close');
    expect(asked).toBeGreaterThan(0);
    expect(opened).toBeGreaterThan(0);
    expect(closed).toBeGreaterThan(Math.max(opened, asked));
    const lines = world.commands.map(({ line }) => line);
    expect(lines.filter((line) => line.endsWith('--loud'))).toHaveLength(2);
    expect(world.read('hello.mjs')).toBe(GOOD);
  });

  it('is unverified, not failed, where its proof only lacks arguments that nobody gave', async () => {
    const usage: ScriptedProgram = () => ({ output: 'usage: hello.mjs NAME\n', exitCode: 2 });
    const model = diligentModel({ ...HELLO, verify: { cmd: 'node hello.mjs' } });
    const { result } = await work(model, 'json', { program: usage, goal: UNSTATED });
    expect(result).toMatchObject({
      ending: 'unverified',
      detail: 'node hello.mjs: it wants arguments, and the plan gives it none',
    });
  });

  it('asks what a user types when a program ends for want of input', async () => {
    const asks: ScriptedProgram = (_, stdin) =>
      stdin === undefined
        ? { output: 'Your name? \nEOFError: EOF when reading a line\n', exitCode: 1 }
        : { output: 'hello\n', exitCode: 0 };
    const { records, world } = await work(
      diligentModel({ ...THEN_RUN, files: HELLO.files! }),
      'json',
      { program: asks },
    );
    expect(causes(records)).toContain('input_question');
    expect(world.commands.some(({ stdin }) => stdin === 'Ada\n')).toBe(true);
  });

  it('asks for a line to end it as well when a program still asks after all its answers', async () => {
    const asks: ScriptedProgram = (_, stdin) =>
      stdin?.includes('\n', 4)
        ? { output: 'hello\n', exitCode: 0 }
        : { output: `Your name? \n${EOF_ERROR}`, exitCode: 1 };
    const model = diligentModel({ ...THEN_RUN, files: HELLO.files! });
    const asked: string[][] = [];
    const script: Script = (request, n) => {
      const stdin = wantedBy(request) === 'action' ? openIn(request)[0]?.stdin : undefined;
      if (!stdin) return model(request, n);
      const keys = Object.keys(stdin.properties as object);
      asked.push(keys);
      const lines = Object.fromEntries(keys.map((key) => [key, 'Ada']));
      return JSON.stringify({ action: 'run_cmd', because: 'it asks', stdin: lines });
    };
    const { world } = await work(script, 'json', { program: asks });
    expect(asked[0]).toEqual(['1_Your_name']);
    expect(asked[1]).toEqual(['1_Your_name', '2_to_end_the_program']);
    expect(world.commands.some(({ stdin }) => stdin === 'Ada\nAda\n')).toBe(true);
  });

  describe('whose repair gives a file back as it was', () => {
    const TWO: PlannedWork = {
      ...HELLO,
      subtasks: [
        { action: 'write_file', file: 'data.json', purpose: 'the data' },
        { action: 'write_file', file: 'other.mjs', purpose: 'helps' },
        ...HELLO.subtasks,
        { action: 'run_cmd', cmd: 'node --test', purpose: 'shows it' },
      ],
      files: {
        'data.json': ['[]\n'],
        'other.mjs': ['export const other = 1;\n'],
        'hello.mjs': [GOOD],
      },
    };
    const failing: ScriptedProgram = () => ({ output: 'AssertionError: no\n', exitCode: 1 });
    it('is asked once more with that fault, and then another file is mended, data last', async () => {
      const { records } = await work(diligentModel(TWO), 'json', {
        program: failing,
        goal: UNSTATED,
      });
      const end = records.findIndex((one) => one.type === 'replan_started');
      const first = records.slice(0, end);
      expect(
        first.flatMap((one) => (one.type === 'round_started' ? (one.file ?? []) : [])),
      ).toEqual(['hello.mjs', 'other.mjs', 'data.json']);
      const asked = first.flatMap((one) =>
        one.type === 'message_added' &&
        String(one.text).includes('This command failed: node --test')
          ? [String(one.text)]
          : [],
      );
      expect(asked).toHaveLength(6);
      for (const text of asked) expect(text).toContain('AssertionError: no');
      expect(asked[0]).toContain('hello.mjs is now:');
      expect(asked[0]).toContain('export const other = 1;');
      expect(asked[0]).toContain('Write the whole content of hello.mjs, corrected.');
      expect(asked[1]).toBe(
        `${asked[0]
          ?.replace(/hello\.mjs is now:\n```\n[^`]*```\n/, '')
          .replace(
            'hello.mjs, corrected.',
            'hello.mjs anew, in another way.',
          )}\nIt must not have this fault again: it is the same as before: something must change`,
      );
    });
  });

  it('asks for content once more when it cannot be used, without the refused answer', async () => {
    const model = diligentModel(HELLO);
    let refused = 0;
    const script: Script = (request, n) => {
      if (wantedBy(request) !== 'content') return model(request, n);
      const isShown = request.messages.some((one) => one.content === 'Sure, gladly.');
      expect(isShown).toBe(false);
      return refused++ < 2 ? 'Sure, gladly.' : model(request, n);
    };
    const { result, records } = await work(script, 'json');
    expect(result.ending).toBe('achieved');
    // How the goal was read, and two answers.
    expect(records.filter((one) => one.type === 'rewound')).toHaveLength(3);
  });

  it('makes another plan when no usable content comes, and fails in the end', async () => {
    const model = diligentModel(HELLO);
    const script: Script = (request, n) =>
      wantedBy(request) === 'content' ? 'Sure, gladly.' : model(request, n);
    const { result, records } = await work(script, 'json');
    expect(result.ending).toBe('failed');
    expect(records.filter((one) => one.type === 'replan_started')).toHaveLength(2);
  });

  it('reads a file that somebody made before it is written over', async () => {
    const world = testWorld();
    world.write('hello.mjs', 'console.log("old");\n');
    const provider = scriptedProvider(diligentModel(HELLO));
    const { records } = await runIn(world, provider, { toolMode: 'json' });
    const tools = records.flatMap((one) => (one.type === 'action_finished' ? [one.tool] : []));
    expect(tools.slice(0, 2)).toEqual(['read_file', 'write_file']);
  });
});

describe('completion in native mode', () => {
  const done = { name: 'mark_subtask_complete', args: { success: true, reason: 'done' } };
  const write = { name: 'write_file', args: { path: 'hello.mjs', content: GOOD } };

  it('without any evidence is taken as said, and ends unverified', async () => {
    const script: Script = (request, n) =>
      wantedBy(request) === 'tools'
        ? { calls: [done] }
        : diligentModel({
            ...HELLO,
            subtasks: [{ action: 'read_file', file: 'a.txt', purpose: 'tell' }],
            verify: { cmd: '' },
          })(request, n);
    const { result, records } = await work(script, 'native');
    const statuses = records.flatMap((one) => (one.type === 'action_finished' ? [one.status] : []));
    expect(statuses).toEqual(['ok', 'ok']);
    expect(endings(records)).toEqual(['unverified']);
    expect(result.ending).toBe('unverified');
  });

  it('gives up a file whose name the plan only guessed: its check is left out, its proof is run', async () => {
    const guessed = { action: 'write_file', file: 'guess.mjs', purpose: 'prints hello' };
    const model = diligentModel({ ...HELLO, subtasks: [guessed] });
    const script: Script = (request, n) => {
      if (wantedBy(request) !== 'tools') return model(request, n);
      return { calls: [workReplies(request) > 0 ? done : write] };
    };
    const { result, records } = await work(script, 'native', { goal: UNSTATED });
    const said = records.flatMap((one) =>
      one.type === 'action_finished' && one.status === 'denied' ? [String(one.result)] : [],
    );
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('guess.mjs was neither written nor read in this run');
    const checks = records.flatMap((one) => (one.type === 'check_ran' ? [one.text] : []));
    expect(checks).toEqual(['node hello.mjs: it ended with exit code 0']);
    expect(endings(records)).toEqual(['unverified']);
    expect(result.ending).toBe('unverified');
  });

  it('is told of a failed proof twice; a proof that never passes is no success', async () => {
    const model = diligentModel({ ...HELLO, verify: { cmd: 'node hello.mjs', prints: 'bonjour' } });
    const script: Script = (request, n) =>
      wantedBy(request) !== 'tools'
        ? model(request, n)
        : { calls: [workReplies(request) > 0 ? done : write] };
    const { result, records } = await work(script, 'native');
    expect(causes(records).filter((cause) => cause === 'proof_failed').length).toBeGreaterThan(1);
    expect(result.ending).not.toBe('achieved');
  });

  it('counts for nothing against a proof that passes', async () => {
    const script: Script = (request, n) => {
      if (wantedBy(request) !== 'tools') return diligentModel(HELLO)(request, n);
      const written = workReplies(request) > 0;
      return { calls: [written ? done : write] };
    };
    const { result } = await work(script, 'native');
    expect(result).toMatchObject({ ending: 'achieved' });
    expect(result.ending === 'achieved' && result.detail).toMatch(/node hello\.mjs/);
  });

  it('skips the calls behind it, and each of them is told so', async () => {
    let first = true;
    const script: Script = (request, n) => {
      if (wantedBy(request) !== 'tools') return diligentModel(HELLO)(request, n);
      const calls = first ? [write, done, write] : [done];
      first = false;
      return { calls };
    };
    const { records, result } = await work(script, 'native');
    expect(result.ending).toBe('achieved');
    const statuses = records.flatMap((one) => (one.type === 'action_finished' ? [one.status] : []));
    expect(statuses).toEqual(['ok', 'ok', 'ok', 'not_run']);
  });
});
