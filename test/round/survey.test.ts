/** A model that leads: it looks, plans by a call, works and ends, in one conversation. */
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import { goldenWorld } from '../support/golden-world.ts';
import { type RunIn, runIn } from '../support/run-in.ts';
import {
  LARGE,
  type Script,
  type ScriptedCall,
  scriptedProvider,
} from '../support/scripted-provider.ts';
import { somePlaces } from '../support/some-kills.ts';

const call = (name: string, args: Record<string, unknown>): ScriptedCall => ({ name, args });
const write = (path: string, content: string) => call('write_file', { path, content });
const read = (path: string) => call('read_file', { path });
const run = (cmd: string) => call('run_cmd', { cmd });
const done = (more: Record<string, unknown> = {}) =>
  call('mark_subtask_complete', { success: true, reason: 'as asked', ...more });
const plan = (subtasks: readonly object[], more: Record<string, unknown> = {}) =>
  call('set_plan', { tasks: [{ description: 'the work', subtasks }], ...more });

type Reply = string | readonly ScriptedCall[];

/** Its n-th reply, by the conversation alone. */
const replying =
  (...replies: readonly Reply[]): Script =>
  ({ messages }) => {
    const said = messages.filter(({ role }) => role === 'assistant').length;
    const reply = replies[said] ?? 'That is all.';
    return typeof reply === 'string' ? reply : { calls: reply };
  };

const BROKEN = 'def add(a, b):\n    return a - b\n';
const MENDED = 'def add(a, b):\n    return a + b\n';
const TEST = 'from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n';

/** A folder whose tests pass once the code is right. */
const project = () => {
  const world = goldenWorld({
    installed: ['python', 'pytest'],
    program: (_golden, _args, _stdin, read) =>
      read('calc.py') === MENDED && read('test_calc.py') === TEST
        ? { output: '1 passed in 0.01s\n', exitCode: 0 }
        : { output: 'E  assert -1 == 3\n1 failed in 0.01s\n', exitCode: 1 },
  });
  world.write('calc.py', BROKEN);
  world.write('test_calc.py', TEST);
  world.write('todo.txt', 'Buy milk.\n');
  return world;
};

const PYTEST = 'python -m pytest -q';
const edit = call('edit_file', { path: 'calc.py', old_text: 'a - b', new_text: 'a + b' });
const SUMMARY = 'add() took b away. It adds now. Nothing else was seen.';

const FIX: readonly Reply[] = [
  [run(PYTEST), read('calc.py')],
  [
    plan([{ do: 'make add() add', files: ['calc.py'] }], { proof: { cmd: PYTEST } }),
    edit,
    run(PYTEST),
    done({ summary: SUMMARY }),
  ],
];

const working = async (script: Script, options: RunIn = {}) => {
  const world = project();
  const provider = scriptedProvider(script, LARGE);
  const told = await runIn(world, provider, { goal: 'Fix the failing tests', ...options });
  return { world, provider, ...told };
};

const of = <Type extends JournalRecord['type']>(records: readonly JournalRecord[], type: Type) =>
  records.filter((one): one is Extract<JournalRecord, { type: Type }> => one.type === type);

const statuses = (records: readonly JournalRecord[]) =>
  of(records, 'action_finished').map(({ tool, status }) => `${tool} ${status}`);

const ended = (records: readonly JournalRecord[]) =>
  of(records, 'subtask_finished').map(({ subtask, status }) => `${subtask} ${status}`);

/** What the model was told last of the call with that name. */
const toldOf = ({ messages }: ModelRequest, tool: string): string =>
  messages.findLast((one) => one.role === 'tool' && one.toolName === tool)?.content ?? '';

describe('a model that leads', () => {
  it('fixes a file with given tests in two turns, and says what was wrong', async () => {
    const { result, records, provider, world } = await working(replying(...FIX));
    expect(provider.requests).toHaveLength(2);
    // That it failed before was seen by the model itself.
    expect(result).toMatchObject({
      ending: 'achieved',
      detail: `proof passed: ${PYTEST} (1 passed); before the first change it failed`,
    });
    // Three of them in a copy: with the files as they were, with each test that passes named, and with another sum expected.
    expect(world.commands).toHaveLength(6);
    expect(statuses(records)).toEqual([
      'run_cmd error',
      'read_file ok',
      'set_plan ok',
      'edit_file ok',
      'run_cmd ok',
      'mark_subtask_complete ok',
    ]);
    expect(result.state.proof?.passed).toBe(true);
    expect(of(records, 'subtask_finished')).toMatchObject([
      { status: 'completed', report: SUMMARY },
    ]);
    // The same that a plain loop needs that looks, mends and says so: 3.
    expect(provider.requests.length).toBeLessThanOrEqual(1.5 * 3);
  });

  it('has the same tools and an extended conversation from the first request to the last', async () => {
    const { provider } = await working(
      replying(FIX[0] ?? [], [plan([{ do: 'x' }])], [edit], [done()]),
    );
    const [first, ...others] = provider.requests;
    expect(first?.tools?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['set_plan', 'give_up', 'mark_subtask_complete', 'search_text']),
    );
    for (const [index, request] of others.entries()) {
      expect(request.tools).toEqual(first?.tools);
      const before = provider.requests[index]?.messages ?? [];
      expect(request.messages.slice(0, before.length)).toEqual(before);
    }
  });

  it('sees the folder, and is refused with the reason what may change it before a plan', async () => {
    const { provider, world } = await working(
      replying(
        [write('calc.py', MENDED)],
        [run('python calc.py')],
        [run('git status'), edit],
        ...FIX,
      ),
      { maxRounds: 4 },
    );
    const [first, second, third, fourth] = provider.requests as [
      ModelRequest,
      ModelRequest,
      ModelRequest,
      ModelRequest,
    ];
    expect(first.messages[1]?.content).toContain('FOLDER (3 files):\ncalc.py\ntest_calc.py\n');
    expect(toldOf(second, 'write_file')).toMatch(
      /^write_file is closed until there is a plan: call set_plan/,
    );
    expect(toldOf(third, 'run_cmd')).toMatch(
      /^Until there is a plan run_cmd runs what looks, tests or checks, and this command may change/,
    );
    expect(toldOf(fourth, 'run_cmd')).not.toContain('closed');
    expect(toldOf(fourth, 'edit_file')).toContain('closed until there is a plan');
    expect(world.read('calc.py')).toBe(BROKEN);
  });

  it('is asked for a plan after eight looks, and two later the goal itself is the plan', async () => {
    const looks = Array.from({ length: 12 }, (_, index) => [
      call('search_text', { pattern: `word${index}` }),
    ]);
    const { records } = await working(replying(...looks), { maxRounds: 11 });
    const demanded = of(records, 'message_added').filter(({ cause }) => cause === 'plan_demanded');
    expect(demanded).toHaveLength(1);
    const [set] = of(records, 'plan_set');
    expect(set?.why).toContain('no plan came in 10 turns');
    expect(set?.plan.tasks[0]?.subtasks).toMatchObject([{ purpose: 'Fix the failing tests' }]);
  });

  it('takes tests that it saw fail as the proof where the plan names none', async () => {
    const { records } = await working(
      replying(FIX[0] ?? [], [plan([{ do: 'mend it', files: ['calc.py'] }])], [edit, done()]),
    );
    expect(of(records, 'plan_set')[0]?.plan.proof).toEqual({ cmd: PYTEST });
  });

  it('takes none that it ran in another folder: a proof runs in the first one', async () => {
    const world = project();
    world.write('api/calc.py', BROKEN);
    const tests = call('run_cmd', { cmd: PYTEST, cwd: 'api' });
    const script = replying([tests], [plan([{ do: 'mend it' }])], [edit, done()]);
    const { records } = await runIn(world, scriptedProvider(script, LARGE), { goal: 'Fix it' });
    expect(of(records, 'plan_set')[0]?.plan).not.toHaveProperty('proof');
  });

  it('answers a question in the survey by a text', async () => {
    const { result, records } = await working(replying([read('todo.txt')], 'Buy milk.'), {
      goal: 'What shall I do?',
    });
    expect(result).toMatchObject({ ending: 'answered', answer: 'Buy milk.' });
    expect(of(records, 'plan_set')[0]?.plan).toMatchObject({ answer_only: true, fallback: false });
  });

  it('ends several subtasks by one call, each by evidence of its own', async () => {
    const { records, provider } = await working(
      replying(
        [
          plan([
            { do: 'make add() add', files: ['calc.py'] },
            { do: 'tell how it is used', files: ['README.md'] },
            { do: 'look for anything else' },
            { do: 'write what is new', files: ['NEWS.md'] },
          ]),
          edit,
          write('README.md', '# calc\n'),
          done({ ids: ['1.1', '1.2', '1.3', '1.4'] }),
          read('calc.py'),
        ],
        [write('NEWS.md', 'It adds.\n'), done()],
      ),
      { goal: 'Write down how calc works' },
    );
    expect(ended(records)).toEqual([
      '1.1 completed',
      '1.2 completed',
      '1.3 unverified',
      '1.4 completed',
    ]);
    const told = provider.requests[1] as ModelRequest;
    expect(toldOf(told, 'mark_subtask_complete')).toMatch(
      /^1\.1 is completed\.\n1\.2 is completed\.\n1\.3 is ended as you say; .*\nNot done: 1\.4: NEWS\.md was neither written nor read/,
    );
    expect(toldOf(told, 'read_file')).toContain('def add');
  });

  it('works on behind the end of a subtask, in the same reply', async () => {
    const { records } = await working(
      replying([
        plan([
          { do: 'a', files: ['a.txt'] },
          { do: 'b', files: ['b.txt'] },
        ]),
        write('a.txt', 'a\n'),
        done(),
        write('b.txt', 'b\n'),
        done(),
        read('a.txt'),
      ]),
      { goal: 'Write a.txt and b.txt' },
    );
    const finished = of(records, 'action_finished');
    expect(finished.map(({ id }) => id.split('#')[0])).toEqual([
      'none',
      '1.1',
      '1.1',
      '1.2',
      '1.2',
      'none',
    ]);
    expect(finished.at(-1)).toMatchObject({
      status: 'not_run',
      result: 'Not run: the plan came to its end before it.',
    });
    expect(ended(records)).toEqual(['1.1 completed', '1.2 completed']);
  });

  it('plans again at any time: what is done stays, the new plan and proof are said back', async () => {
    const { records, provider } = await working(
      replying(
        [
          plan([{ do: 'a', files: ['a.txt'] }, { do: 'b' }], { proof: { cmd: 'python a.py' } }),
          write('a.txt', 'a\n'),
          done(),
        ],
        [plan([{ do: 'c', files: ['c.txt'] }], { proof: { cmd: PYTEST } })],
        [
          plan([{ do: 'c', files: ['c.txt'] }], {
            proof: { cmd: PYTEST },
            why: 'there is no a.py',
          }),
        ],
      ),
      { goal: 'Write a.txt and c.txt', maxRounds: 3 },
    );
    const [, second, third] = provider.requests as [ModelRequest, ModelRequest, ModelRequest];
    expect(toldOf(second, 'mark_subtask_complete')).toContain('ACTIVE SUBTASK 1.2');
    expect(toldOf(third, 'set_plan')).toContain('The proof was python a.py: say in why');
    const [replanned] = of(records, 'replanned');
    expect(replanned?.why).toBe('there is no a.py');
    expect(
      replanned?.plan.tasks.flatMap(({ subtasks }) =>
        subtasks.map(({ id, status }) => `${id} ${status}`),
      ),
    ).toEqual(['1.1 completed', '2.1 pending']);
    const said = of(records, 'action_finished').findLast(({ tool }) => tool === 'set_plan');
    expect(String(said?.result).split('\n')).toEqual([
      'The plan is set.',
      'PLAN:',
      '1.1 a (files: a.txt; completed)',
      '2.1 c (files: c.txt)',
      `VERIFIED AT THE END BY: ${PYTEST}`,
      'ACTIVE SUBTASK 2.1 (2 of 2): c',
    ]);
    expect(of(records, 'replan_started')).toEqual([]);
  });

  it('gives up at once, and says what it needs', async () => {
    const { result, records, provider } = await working(
      replying([
        call('give_up', { reason: 'left-pad is not here', needs: 'npm install left-pad' }),
      ]),
    );
    expect(provider.requests).toHaveLength(1);
    expect(result).toMatchObject({
      ending: 'failed',
      detail: 'the model gave up: left-pad is not here',
      state: { ended: { needs: 'npm install left-pad' } },
    });
    expect(of(records, 'run_finished')).toMatchObject([{ needs: 'npm install left-pad' }]);
  });

  it.each([
    [
      'a proof that cannot run here',
      { proof: { cmd: 'cargo test' } },
      /Its proof could not be run/,
    ],
    [
      'nine tasks',
      { tasks: Array.from({ length: 9 }, () => ({ description: 'x', subtasks: [{ do: 'y' }] })) },
      /at most 8 tasks and 30 subtasks/,
    ],
    ['no tasks', { tasks: [] }, /tasks: /],
  ])('is told what is wrong with %s', async (_, more, words) => {
    const { provider } = await working(replying([plan([{ do: 'mend it' }], more)]), {
      maxRounds: 1,
    });
    const again = await working(replying([plan([{ do: 'mend it' }], more)]), { maxRounds: 2 });
    expect(provider.requests).toHaveLength(1);
    expect(toldOf(again.provider.requests[1] as ModelRequest, 'set_plan')).toMatch(words);
  });
});

/** Between its intent and its outcome. */
const isInCommand = (records: readonly JournalRecord[]): boolean => {
  const begun = of(records, 'action_intended').filter((one) => one.class === 'command').length;
  const ran = of(records, 'action_finished').filter(
    ({ does, status }) => does === 'runs_commands' && status !== 'denied',
  ).length;
  return begun > ran;
};

const SCENARIOS: readonly (readonly [string, string, readonly Reply[]])[] = [
  ['a survey and a plan with the work behind it', 'Fix the failing tests', FIX],
  [
    'several subtasks closed by one call',
    'Write a.txt and b.txt',
    [
      [read('calc.py')],
      [
        plan([
          { do: 'a', files: ['a.txt'] },
          { do: 'b', files: ['b.txt'] },
          { do: 'c', files: ['c.txt'] },
        ]),
        write('a.txt', 'a\n'),
        write('b.txt', 'b\n'),
        done({ ids: ['1.1', '1.2', '1.3'] }),
        read('a.txt'),
      ],
      [
        plan([{ do: 'c', files: ['c.txt'] }], { why: 'another way' }),
        write('c.txt', 'c\n'),
        done(),
      ],
    ],
  ],
  ['a text that answers', 'What shall I do?', [[read('todo.txt')], 'Buy milk.']],
];

describe.each(SCENARIOS)('%s', (_, goal, replies) => {
  it('leads to the same requests and the same end whichever record it is killed after', async () => {
    const script = replying(...replies);
    const whole = await working(script, { goal });
    const texts = (requests: readonly ModelRequest[]) => [
      ...new Set(requests.map(({ messages, tools }) => JSON.stringify({ messages, tools }))),
    ];
    for (const at of somePlaces(1, whole.records.length, 20)) {
      // What became of a command that was cut off is not known, and the model is told so.
      if (isInCommand(whole.records.slice(0, at))) continue;
      const world = project();
      const provider = scriptedProvider(script, LARGE);
      const machine = world.machine();
      const killed = runIn(world, provider, {
        goal,
        machine,
        onRecord: (_record, index) => {
          if (index < at) return;
          machine.kill();
          throw new Error('killed');
        },
      });
      await expect(killed).rejects.toThrow('killed');
      const { result } = await runIn(world, provider, { goal });
      const where = `killed after record ${at}, ${whole.records[at - 1]?.type}`;
      expect(texts(provider.requests), where).toEqual(texts(whole.provider.requests));
      expect(result.ending, where).toBe(whole.result.ending);
    }
  });
});
