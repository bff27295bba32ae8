/** Prompts are product: every word is paid for in each run, so their size is pinned. */
import { describe, expect, it } from 'vitest';
import { driverOf } from '../../src/drivers/driver-of.ts';
import {
  answerQuestion,
  completionQuestion,
  contentQuestion,
  decisionQuestion,
  inputQuestion,
  repairContentQuestion,
  repairQuestion,
} from '../../src/drivers/guided/questions.ts';
import { environmentNotes } from '../../src/languages/notes.ts';
import { planExamples } from '../../src/languages/plan-examples.ts';
import { planQuestion, replanQuestion } from '../../src/prompts/plan.ts';
import { nudge } from '../../src/prompts/remarks.ts';
import type { Subtask } from '../../src/schema/plan.ts';
import type { ToolMode } from '../../src/schema/records.ts';
import { builtinTools, toolDefinitions } from '../../src/tools/registry.ts';

/** Characters a token stands for, cautiously. */
const tokens = (text: string): number => Math.ceil(text.length / 3.2);

const tools = JSON.stringify(
  toolDefinitions(
    builtinTools({
      programs: {
        find: async () => ({ kind: 'missing', reason: '', hint: '' }),
        environment: () => ({}),
      },
      fingerprint: () => '',
    }),
  ),
);

const installed = new Set(['python', 'pytest', 'node']);

describe('what stands in every request', () => {
  it.each(['python', 'javascript in node'])('is short where the goal is about %s', (language) => {
    const notes = environmentNotes(`a program in ${language}`, installed);
    expect(notes).not.toBe('');
    expect(tokens(systemPrompt('native', notes) + tools)).toBeLessThanOrEqual(1200);
    expect(tokens(systemPrompt('json', notes))).toBeLessThanOrEqual(400);
  });

  it('is one text, whatever is asked', () => {
    expect(systemPrompt('json', 'notes')).toBe(systemPrompt('json', 'notes'));
    expect(systemPrompt('native', '')).not.toMatch(/\n$/);
  });
});

const systemPrompt = (mode: ToolMode, notes: string): string =>
  driverOf({ mode }).systemPrompt(notes);

const subtask: Subtask = {
  id: '1.1',
  step: { action: 'write_file', file: 'a.py' },
  purpose: '',
  checks: [],
  status: 'pending',
};

const FORM = { goal: '', file: 'a.py', faults: [] };

const REPAIR = { goal: '', cmd: '', error: '', files: [], problems: [], choices: [] };

describe('the bare words of a question', () => {
  it.each([
    ['the plan', planQuestion('', [], planExamples(installed).text), 700],
    [
      'another plan',
      replanQuestion({ goal: '', why: '', done: [], files: [], examples: null }),
      100,
    ],
    ['completion', completionQuestion(subtask), 100],
    ['an answer', answerQuestion(subtask, ''), 120],
    ['a decision', decisionQuestion(subtask, []), 60],
    ['input', inputQuestion('', []), 80],
    ['a repair', repairQuestion(REPAIR), 120],
    ['a nudge', nudge('', []), 60],
    ['content', contentQuestion({ ...FORM, imports: '', isTested: true, current: null }), 100],
    ['mended content', repairContentQuestion('a.py', []), 80],
  ])('for %s fit into their tokens', (_, text, most) => {
    expect(text.length).toBeGreaterThan(20);
    expect(tokens(text)).toBeLessThanOrEqual(most);
  });
});
