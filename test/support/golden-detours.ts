/** Golden runs that leave the straight way: replans, loops, cuts, crashes, other hands. */
import type { GoldenScenario } from './golden-requests.ts';
import {
  call,
  calls,
  done,
  firstAnswers,
  GREETS,
  inTurns,
  reads,
  run,
  runs,
  write,
  writes,
} from './golden-scripts.ts';
import type { GoldenWorld } from './golden-world.ts';
import { noteName, reader } from './long-work.ts';
import { diligentModel, type PlannedWork, planJson, wantedBy } from './models.ts';
import type { Script } from './scripted-provider.ts';

const GREETING: PlannedWork = {
  subtasks: [writes('hello.py', 'prints hello')],
  verify: { cmd: 'python hello.py', prints: 'hello' },
  files: { 'hello.py': ['print("hello")\n'] },
};

const OTHER_PLAN = planJson({
  subtasks: [writes('greet.py', 'prints hello')],
  verify: { cmd: 'python greet.py', prints: 'hello' },
});

const LOUD: PlannedWork = {
  ...GREETING,
  subtasks: [...GREETING.subtasks, runs('python hello.py --loud', 'shows it')],
};

const notes = (count: number): { readonly [path: string]: string } =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      noteName(index + 1),
      `${Array.from({ length: 60 }, (_, line) => `line ${line} of note ${index + 1} says ${line * 7}`).join('\n')}\n`,
    ]),
  );

const HEAVY = 3;

/** As the result of a call: its head may be shown before the plan, too. */
const isRead = (content: string): boolean => content.startsWith(`line 0 of note ${HEAVY} `);

/** No request that holds the third note is taken; the second plan begins behind it. */
const heavy: Script = (request, n) => {
  const said = request.messages.map(({ content }) => content);
  const withoutCurrentContent = said.some((content) => content.includes('does not fit into'));
  if (wantedBy(request) === 'plan' && withoutCurrentContent)
    return planJson({ subtasks: [reads(noteName(HEAVY + 1), 'learn it')] });
  return said.some(isRead) && !withoutCurrentContent
    ? { fails: { kind: 'context_overflow' } }
    : reader(HEAVY + 1)(request, n);
};

/** Dies once in the command, after what it did and before anybody hears of it. */
const dyingOnce = () => {
  const dead = new WeakSet<GoldenWorld>();
  return (world: GoldenWorld, args: readonly string[]) => {
    if (dead.has(world) || !args.includes('--loud')) return null;
    dead.add(world);
    return world.crash();
  };
};

/** Somebody else writes the file right before the answer number `at`. */
const meddledWith =
  (script: Script, world: GoldenWorld, at: number, path: string): Script =>
  (request, n) => {
    if (n === at) world.write(path, 'print("somebody else")\n');
    return script(request, n);
  };

export const DETOURS: readonly GoldenScenario[] = [
  {
    name: 'replan',
    mode: 'json',
    goal: GREETS,
    script: () =>
      firstAnswers(
        { ...GREETING, files: { ...GREETING.files, 'greet.py': ['print("hello")\n'] } },
        {
          plan: [planJson(GREETING), OTHER_PLAN],
          content: Array.from({ length: 4 }, () => 'Sure, gladly.'),
        },
      ),
    ends: 'achieved',
    shows: ['no usable content came for hello.py', 'No subtask writes hello.py'],
  },
  {
    name: 'replan',
    mode: 'native',
    goal: GREETS,
    script: () =>
      firstAnswers(GREETING, {
        plan: [planJson(GREETING), OTHER_PLAN],
        tools: [
          calls(done({ success: false, reason: 'there is no paper' })),
          calls(write('greet.py', 'print("hello")\n')),
          calls(done()),
        ],
      }),
    ends: 'achieved',
    shows: ['there is no paper'],
  },
  {
    name: 'refused-content',
    mode: 'json',
    goal: GREETS,
    script: () => firstAnswers(GREETING, { content: ['Sure, gladly.', '```\n```'] }),
    ends: 'achieved',
    shows: ['There was no code block', 'The code block was empty'],
  },
  {
    name: 'truncated-answer',
    mode: 'json',
    goal: GREETS,
    script: () =>
      firstAnswers(GREETING, {
        plan: [{ text: '{"tasks": [', isCutOff: true }],
        content: [{ text: '```\nprint("hel', isCutOff: true }],
        action: [{ text: '{"action": "mark_sub', isCutOff: true }, 'no JSON at all'],
      }),
    ends: 'achieved',
    shows: ['cut off'],
  },
  {
    name: 'truncated-answer',
    mode: 'native',
    goal: GREETS,
    script: () =>
      firstAnswers(GREETING, {
        plan: [{ text: '{"tasks": [', isCutOff: true }],
        tools: [{ text: 'I shall now', isCutOff: true }],
      }),
    ends: 'achieved',
    shows: ['answer was cut off'],
  },
  {
    name: 'loop-guard',
    mode: 'native',
    goal: GREETS,
    files: { 'a.txt': 'the same\n' },
    script: () =>
      inTurns(
        GREETING,
        Array.from({ length: 40 }, () => calls(call('read_file', { path: 'a.txt' }))),
      ),
    ends: 'failed',
    shows: ['the same calls came again and again'],
  },
  {
    name: 'answers-that-cannot-be-read',
    mode: 'json',
    goal: GREETS,
    files: { 'a.txt': 'the same\n' },
    script: () => (request) =>
      wantedBy(request) === 'plan'
        ? 'no plan'
        : JSON.stringify({ action: 'read_file', because: 'again', file: 'a.txt' }),
    ends: 'failed',
    shows: ['is not open now', "the model's answers could not be read"],
  },
  {
    name: 'nudged-until-it-stalls',
    mode: 'auto',
    goal: GREETS,
    script: () =>
      firstAnswers(GREETING, {
        tools: ['I would rather talk.', 'Indeed.', 'As I said.'],
      }),
    ends: 'paused: stalled',
    shows: ['That was no tool call'],
  },
  {
    name: 'unusable-calls-until-json',
    mode: 'auto',
    goal: GREETS,
    script: () =>
      firstAnswers(GREETING, {
        tools: [
          '<tool_call>{"name": "write_file", "arguments": {"path": "hello.py", ',
          '<tool_call>{"name": "write_file", "arguments": {"path": "hello.py", ',
        ],
      }),
    ends: 'achieved',
    shows: ['could not be used as sent', 'Short, complete, working code'],
  },
  ...(['native', 'json'] as const).flatMap((mode): readonly GoldenScenario[] => [
    {
      name: 'compaction',
      mode,
      goal: 'Read all notes and tell the secret of the last one',
      files: notes(14),
      contextWindow: 4480,
      script: () => reader(14),
      ends: 'answered',
      shows: ['Earlier in this run'],
    },
    {
      name: 'overflow-then-replan',
      mode,
      goal: 'Read all notes and tell the secret of the last one',
      files: notes(HEAVY + 1),
      contextWindow: 4096,
      script: () => heavy,
      ends: 'answered',
      shows: ['does not fit into 4096 tokens'],
    },
    {
      name: 'overflow-told-by-the-server',
      mode,
      goal: 'Read all notes and tell the secret of the last one',
      files: notes(6),
      contextWindow: 16_384,
      script: () => (request, n) =>
        request.contextWindow > 5000 && JSON.stringify(request.messages).length > 9000
          ? { fails: { kind: 'context_overflow', windowTokens: 4500 } }
          : reader(6)(request, n),
      ends: 'answered',
      shows: ['"contextWindow": 4500'],
    },
    {
      name: 'crash-in-a-command',
      mode,
      goal: GREETS,
      program: dyingOnce(),
      script: () => diligentModel(LOUD),
      ends: 'achieved',
      shows: ['outcome unknown'],
    },
    {
      name: 'file-changed-meanwhile',
      mode,
      goal: GREETS,
      files: { 'hello.py': 'print("old")\n' },
      script: (world) =>
        mode === 'json'
          ? meddledWith(diligentModel(GREETING), world, 2, 'hello.py')
          : meddledWith(
              inTurns(GREETING, [
                calls(call('read_file', { path: 'hello.py' })),
                calls(write('hello.py', 'print("hello")\n')),
                calls(call('read_file', { path: 'hello.py' })),
                calls(write('hello.py', 'print("hello")\n')),
              ]),
              world,
              3,
              'hello.py',
            ),
      ends: 'achieved',
      shows: ['somebody else'],
    },
    {
      name: 'server-that-comes-and-goes',
      mode,
      goal: GREETS,
      script: () => (request, n) =>
        n % 3 === 2
          ? { fails: { kind: 'network_error', retryable: true } }
          : diligentModel(GREETING)(request, n),
      ends: 'achieved',
      shows: ['"seed"'],
    },
    {
      name: 'timeout-of-a-command',
      mode,
      goal: GREETS,
      script: () =>
        mode === 'json'
          ? diligentModel(LOUD)
          : inTurns(LOUD, [
              calls(write('hello.py', 'print("hello")\n')),
              calls(done()),
              calls(run('python hello.py --loud', { timeout_sec: 5 })),
              calls(run('python hello.py')),
            ]),
      program: (_, args) => (args.includes('--loud') ? 'timeout' : null),
      ends: 'achieved',
      shows: ['did not end within'],
    },
  ]),
];
