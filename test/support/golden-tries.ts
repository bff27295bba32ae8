/** Whole runs whose first question is a plain try: its files, its sentence, and a plan where it failed. */
import type { GoldenScenario } from './golden-requests.ts';
import { reads, writes } from './golden-scripts.ts';
import { type PlannedWork, triedThen, workingModel } from './models.ts';
import type { Script } from './scripted-provider.ts';

const block = (path: string, ...lines: readonly string[]): string =>
  [path, '```', ...lines, '```'].join('\n');

/** Answers each plain try so, and then works by its plan. */
const tried =
  (answer: string, work: PlannedWork): (() => Script) =>
  () =>
    triedThen(answer, workingModel(work));

const COMMON = { mode: 'json', plainTry: true } as const;

export const TRIES: readonly GoldenScenario[] = [
  {
    ...COMMON,
    name: 'try-two-files',
    goal: 'Write main.py that prints HELLO, with the function shout in words.py',
    files: { 'notes.txt': 'Be loud.\n\n' },
    script: tried(
      `${block('words.py', 'def shout(text):', '    return text.upper()')}\n\n${block('main.py', 'print("HELLO")')}`,
      { subtasks: [] },
    ),
    ends: 'achieved',
    shows: ['Be loud.'],
  },
  {
    ...COMMON,
    name: 'try-answered',
    goal: 'Which port does the server use?',
    files: { 'settings.ini': '[server]\nport = 9090\n' },
    script: tried('The server uses port 9090.', { subtasks: [reads('settings.ini', 'the port')] }),
    ends: 'answered',
    shows: ['port = 9090'],
  },
  {
    ...COMMON,
    name: 'try-that-fails-then-a-plan',
    goal: 'greet.py must print hello',
    files: { 'greet.py': 'print("hi")\n' },
    script: tried(block('greet.py', 'raise NameError("hello")'), {
      subtasks: [writes('greet.py', 'prints hello')],
      verify: { cmd: 'python greet.py', prints: 'hello' },
      files: { 'greet.py': ['print("hello")\n'] },
    }),
    ends: 'achieved',
    shows: ['Plan a goal as tasks'],
  },
];
