/** The baseline of a table: one prompt with the small files of the folder, written as it answers. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { TurnRequest } from '../src/host/library/execute-turn.ts';
import type { PublicTurnResult } from '../src/host/library/public-turn.ts';
import type { AgentRun } from './agent-run.ts';
import { filesIn, textOf } from './workspace-files.ts';

export interface PlainCommand {
  readonly goal: string;
  readonly model: string;
  readonly seed: number;
  readonly workspace: string;
  readonly timeoutMs: number;
  /** Gets the prompt and the answer. */
  readonly logFile: string;
}

type Ask = (request: TurnRequest) => Promise<PublicTurnResult>;
type Messages = TurnRequest['messages'];

/** Characters: a file above is left out of the prompt. */
const LARGEST_FILE = 12_000;
const LONGEST_ANSWER = 1_000;
const TEMPERATURE = 0.2;

const ORDER =
  'You carry out goals in a folder. Answer with every file that is new or changes, whole, each in a fenced block behind a line with its name. Answer a question with one sentence.';

const EXAMPLES: readonly (readonly [string, string])[] = [
  ['Goal: Write hello.py that prints hello.', 'hello.py\n```\nprint("hello")\n```'],
  [
    'Goal: Which port does the server use?\n\nsettings.ini\n```\n[server]\nport = 8080\n```',
    'The server uses port 8080.',
  ],
  [
    'Goal: The greeting in greet.js must say Hi.\n\ngreet.js\n```\nexport const GREETING = "Hello";\n```',
    'greet.js\n```\nexport const GREETING = "Hi";\n```',
  ],
];

/** It claims nothing: nobody looks at what came. */
export async function runPlain(command: PlainCommand, ask: Ask): Promise<AgentRun> {
  const started = performance.now();
  const messages = plainPrompt(command.goal, textFilesOf(command.workspace));
  const signal = AbortSignal.timeout(command.timeoutMs);
  const {
    status,
    response = '',
    tokens,
  } = await ask({
    ...{ model: command.model, messages, seed: command.seed, signal },
    ...{ temperature: TEMPERATURE, maxOutputTokens: LONGEST_ANSWER },
  });
  writeFileSync(command.logFile, `${JSON.stringify({ messages, status, response })}\n`);
  const isWhole = status.type === 'success';
  const files = isWhole ? filesOf(response) : [];
  for (const { path, text } of files) write(join(command.workspace, path), text);
  return {
    ...{ exitCode: exitCodeOf(status, signal), timedOut: signal.aborted },
    seconds: (performance.now() - started) / 1000,
    ...{ rounds: 1, turns: 1 },
    tokensIn: tokens?.input ?? 0,
    tokensCached: tokens?.cacheRead ?? 0,
    tokensOut: (tokens?.output ?? 0) + (tokens?.thinking ?? 0),
    promptBytes: Buffer.byteLength(JSON.stringify(messages)),
    answer: isWhole && files.length === 0 ? response.trim() : null,
    isWithheld: false,
    said: 'message' in status ? `${status.type}: ${status.message}` : status.type,
  };
}

/** 7 says nothing of the model: the table stops there. */
function exitCodeOf({ type }: PublicTurnResult['status'], { aborted }: AbortSignal): number | null {
  if (aborted) return null;
  if (type === 'success') return 9;
  return type === 'truncated' || type === 'context_overflow' ? 3 : 7;
}

export function plainPrompt(goal: string, files: readonly File[]): Messages {
  const shown = files.map(({ path, text }) => `\n\n${path}\n\`\`\`\n${text.trimEnd()}\n\`\`\``);
  return [
    { role: 'system', content: ORDER },
    ...EXAMPLES.flatMap(([user, assistant]) => [
      { role: 'user' as const, content: user },
      { role: 'assistant' as const, content: assistant },
    ]),
    { role: 'user', content: `Goal: ${goal}${shown.join('')}` },
  ];
}

interface File {
  readonly path: string;
  readonly text: string;
}

/** A fenced block behind a line with a name is a file; a name that leads out of the folder is none. */
export function filesOf(answer: string): readonly File[] {
  const blocks = answer
    .replaceAll('\r\n', '\n')
    .matchAll(/^[*#`\s]*([\w./-]+\.\w+)[*`:\s]*\n```[^\n]*\n(.*?)\n?^```/gms);
  return [...blocks]
    .map(([, path = '', text = '']) => ({ path, text: `${text}\n` }))
    .filter(({ path }) => !isAbsolute(path) && !path.split('/').includes('..'));
}

const textFilesOf = (workspace: string): readonly File[] =>
  filesIn(workspace)
    .map((path) => ({ path, text: textOf(workspace, path) }))
    .filter(({ text }) => text.length <= LARGEST_FILE && !text.includes('\0'));

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
