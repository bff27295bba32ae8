import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lay } from '../../eval/evaluate.ts';
import { filesOf, plainPrompt, runPlain } from '../../eval/plain-run.ts';
import type { TurnRequest } from '../../src/host/library/execute-turn.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'tardigrade-plain-'));
  lay(join(place, 'work'), { 'calc.py': 'def add(a, b):\n    return a - b\n' });
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

async function answered(response: string) {
  const asked: TurnRequest[] = [];
  const run = await runPlain(
    {
      ...{ goal: 'Fix add', model: 'm', seed: 7, timeoutMs: 1_000 },
      ...{ workspace: join(place, 'work'), logFile: join(place, 'log') },
    },
    async (request) => {
      asked.push(request);
      return {
        status: { type: 'success', hasToolCalls: false, finalAnswer: true },
        ...{ response, latencyMs: 1 },
        tokens: { input: 30, output: 9, thinking: 1, cacheRead: 5, cacheWrite: 0 },
      };
    },
  );
  return { run, asked };
}

test('one prompt shows the goal and the files, and the files of the answer are written', async () => {
  const { run, asked } = await answered(
    '**calc.py**\n```python\ndef add(a, b):\n    return a + b\n```\n\nlib/one.js\n```\n1;\n```\n',
  );
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ model: 'm', seed: 7 });
  expect(asked[0]?.messages.at(-1)?.content).toBe(
    'Goal: Fix add\n\ncalc.py\n```\ndef add(a, b):\n    return a - b\n```',
  );
  expect(readFileSync(join(place, 'work/calc.py'), 'utf8')).toBe(
    'def add(a, b):\n    return a + b\n',
  );
  expect(readFileSync(join(place, 'work/lib/one.js'), 'utf8')).toBe('1;\n');
  expect(run).toMatchObject({ exitCode: 9, answer: null, tokensIn: 30, tokensOut: 10, turns: 1 });
});

test('an answer without a file is the answer, and no file is touched', async () => {
  const { run } = await answered('It subtracts.');
  expect(run.answer).toBe('It subtracts.');
  expect(readFileSync(join(place, 'work/calc.py'), 'utf8')).toContain('a - b');
});

test('a name that leads out of the folder is not written', async () => {
  await answered('../out.txt\n```\nx\n```\n\n/tmp/never.txt\n```\nx\n```\n');
  expect(existsSync(join(place, 'out.txt'))).toBe(false);
  expect(filesOf('a/../../b.txt\n```\nx\n```')).toEqual([]);
});

test('a folder without files is a goal alone', () => {
  expect(plainPrompt('Write a.txt', []).at(-1)?.content).toBe('Goal: Write a.txt');
});
