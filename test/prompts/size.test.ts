/** Prompts are product: every word is paid for in each run, so their size is pinned. */
import { describe, expect, it } from 'vitest';
import { plannableOf } from '../../src/decompose/plan-schema.ts';
import { driverNamed } from '../../src/drivers/driver-of.ts';
import {
  answerQuestion,
  contentQuestion,
  decisionQuestion,
  inputQuestion,
  repairQuestion,
} from '../../src/drivers/guided/questions.ts';
import { environmentNotes } from '../../src/languages/notes.ts';
import { planExamples } from '../../src/languages/plan-examples.ts';
import { briefQuestion } from '../../src/prompts/brief.ts';
import { planQuestion, replanQuestion } from '../../src/prompts/plan.ts';
import type { DriverName } from '../../src/schema/driver.ts';
import type { Subtask } from '../../src/schema/plan.ts';
import { DEFINITIONS, NAMES, stepOf, TOOLS } from '../support/built-in-tools.ts';

/** Characters a token stands for, cautiously. */
const tokens = (text: string): number => Math.ceil(text.length / 3.2);

const tools = JSON.stringify(DEFINITIONS);

const installed = new Set(['python', 'pytest', 'node']);

describe('what stands in every request', () => {
  it.each(['python', 'javascript in node'])('is short where the goal is about %s', (language) => {
    const notes = environmentNotes(`a program in ${language}`, installed);
    expect(notes).not.toBe('');
    // The plan is a call, and the engine's verbs and programs in the background stand among the tools.
    expect(tokens(systemPrompt('free', notes) + tools)).toBeLessThanOrEqual(2620);
    expect(tokens(systemPrompt('guided', notes))).toBeLessThanOrEqual(400);
  });

  it('is one text, whatever is asked', () => {
    expect(systemPrompt('guided', 'notes')).toBe(systemPrompt('guided', 'notes'));
    expect(systemPrompt('free', '')).not.toMatch(/\n$/);
  });
});

const systemPrompt = (driver: DriverName, notes: string): string =>
  driverNamed(driver).systemPrompt(notes, NAMES);

const subtask: Subtask = {
  id: '1.1',
  step: stepOf('write_file', 'a.py'),
  purpose: '',
  checks: [],
  status: 'pending',
};

const PLAN = {
  examples: planExamples(installed, '').text,
  plannable: plannableOf(TOOLS).map(({ name }) => name),
  names: NAMES,
};

const FORM = { goal: '', file: 'a.py', faults: [] };

const REPAIR = {
  goal: '',
  cmd: '',
  error: '',
  files: [],
  file: 'a.py',
  isThere: true,
  current: null,
  faults: [],
};

describe('the bare words of a question', () => {
  it.each([
    ['the plan', planQuestion('', [], PLAN), 700],
    ['how the goal is read', briefQuestion([]), 350],
    [
      'another plan',
      replanQuestion({ goal: '', why: '', done: [], files: [], form: PLAN, withForm: false }),
      100,
    ],
    ['an answer', answerQuestion(subtask, { goal: '', parts: [] }, NAMES.ends_subtasks), 120],
    ['a decision', decisionQuestion(subtask, []), 60],
    ['input', inputQuestion('', [], NAMES.runs_commands), 80],
    ['a repair', repairQuestion(REPAIR), 120],
    ['content', contentQuestion({ ...FORM, isTested: true, failing: '', current: null }), 100],
  ])('for %s fit into their tokens', (_, text, most) => {
    expect(text.length).toBeGreaterThan(20);
    expect(tokens(text)).toBeLessThanOrEqual(most);
  });
});
