/** What the model may choose from, by the state. */
import { describe, expect, it } from 'vitest';
import { inputAction, openActions } from '../../../src/drivers/guided/choose.ts';
import { active, failed, file } from '../../support/run-state.ts';
import { WRITTEN, working } from './states.ts';

const CMD = 'node hello.mjs';
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `Line ${index}: `);
const asking = (prompts: readonly string[], stdin: string | null = null) =>
  working({ files: { 'hello.mjs': file({ prompts }) }, commands: [failed(CMD, { stdin })] });

const RUN = { tool: 'run_cmd', fixed: { cmd: CMD }, without: ['timeout_sec'] };
const byLine = (lines: readonly string[]) => ({ ...RUN, lines: { stdin: lines } });

describe('the input of a program', () => {
  it.each([
    ['line by line where its questions are known', asking(['Name: ']), byLine(['Name: '])],
    ['as one text where nobody knows what it asks', asking([]), RUN],
    ['line by line up to nine of them', asking(numbered(9)), byLine(numbered(9))],
    ['as one text from ten on', asking(numbered(10)), RUN],
    [
      'with a line to end it where as many as there are questions were not enough',
      asking(['Name: ', 'Age: '], 'Ada\n36'),
      byLine(['Name: ', 'Age: ', 'to end the program']),
    ],
    [
      'without one where fewer lines were typed',
      asking(['Name: ', 'Age: '], 'Ada'),
      byLine(['Name: ', 'Age: ']),
    ],
    [
      'as one text where the line to end it is the tenth',
      asking(numbered(9), 'a\n'.repeat(9)),
      RUN,
    ],
  ])('is asked for %s', (_, state, action) => {
    expect(inputAction(state, CMD)).toEqual(action);
  });
});

describe('success of a subtask', () => {
  const completion = (state: Parameters<typeof openActions>[0]) => openActions(state).at(-1);
  const COMPLETE = { tool: 'mark_subtask_complete', without: ['answer'] };

  it('may be told where nothing speaks against it', () => {
    expect(completion(working(WRITTEN))).toEqual(COMPLETE);
  });

  it('may not be told before anything was done, nor where no subtask is known', () => {
    const refused = { ...COMPLETE, fixed: { success: false } };
    expect(completion(working({}))).toEqual(refused);
    expect(completion(working({ ...WRITTEN, active: active({ id: '9.9' }) }))).toEqual(refused);
  });
});
