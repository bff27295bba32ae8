/** A goal that asks several things is answered part by part, in any language: one that is left out is asked for, once. */
import { describe, expect, it } from 'vitest';
import { goalParts } from '../../../src/decompose/brief/goal-parts.ts';
import { diligentModel } from '../../support/models.ts';
import { runIn } from '../../support/run-in.ts';
import { type Script, scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld } from '../../support/test-machine.ts';

const READ = { action: 'read_file', file: 'app.ini', purpose: 'see what it says' };

const GOALS: readonly (readonly [language: string, goal: string])[] = [
  ['English', 'Look at app.ini. Which port is set? Who owns it?'],
  ['German', 'Sieh in app.ini nach. Welcher Port ist gesetzt? Wem gehört er?'],
  ['Chinese', '看一下 app.ini。设置了哪个端口？谁拥有它？'],
];

/** A model that is asked for its answer gives these lines, one try after the other. */
async function answered(
  goal: string,
  tries: readonly (readonly [string, string])[],
  plainTry = false,
) {
  const world = testWorld();
  world.write('app.ini', 'port = 3983\nowner = Ingrid\n');
  let n = 0;
  const work = diligentModel({ subtasks: [READ], answer: '?' });
  const script: Script = (request, turn) => {
    const keys = Object.keys(
      (request.responseSchema as { properties?: { answer?: { properties?: object } } } | undefined)
        ?.properties?.answer?.properties ?? {},
    );
    if (keys.length === 0) return plainTry && turn === 1 ? 'Port 3983.' : work(request, turn);
    const lines = tries[n++] ?? tries.at(-1) ?? [];
    const answer = Object.fromEntries(keys.map((key, at) => [key, lines[at] ?? '']));
    return JSON.stringify({ action: 'mark_subtask_complete', answer, reason: '', success: true });
  };
  const provider = scriptedProvider(script);
  const { result } = await runIn(world, provider, { goal, toolMode: 'json', plainTry });
  const asked = provider.requests.map(({ messages }) => String(messages.at(-1)?.content));
  return { result, asked };
}

describe.each(GOALS)('two questions in %s', (_language, goal) => {
  const [, first = '', second = ''] = goalParts(goal);

  it('are a key each, and the answer has a line for each', async () => {
    const { result, asked } = await answered(goal, [['3983', 'Ingrid']]);
    expect(asked.at(-1)).toContain(`\n1 ${first}\n2 ${second}\n`);
    expect([result.ending, result.state.answer]).toEqual(['answered', '3983\nIngrid']);
  });

  it.each([
    ['empty', ''],
    ['the question itself', second],
  ])('and the one that is left out is asked for: %s', async (_how, left) => {
    const { result, asked } = await answered(goal, [
      ['3983', left],
      ['3983', 'Ingrid'],
    ]);
    expect(asked.at(-1)).toContain(second);
    expect(asked.at(-1)).not.toContain(first);
    expect(result.state.answer).toBe('3983\nIngrid');
  });

  it('once: what stays out is no reason to end otherwise', async () => {
    const { result, asked } = await answered(goal, [['3983', '']]);
    expect(asked.filter((text) => text.includes('says nothing to this part'))).toHaveLength(1);
    expect([result.ending, String(result.state.answer).trim()]).toEqual(['answered', '3983']);
  });

  it('are asked for part by part where a plain try answered with a sentence', async () => {
    const { result, asked } = await answered(goal, [['3983', 'Ingrid']], true);
    expect(asked).toHaveLength(2);
    expect([result.ending, result.state.answer]).toEqual(['answered', '3983\nIngrid']);
  });
});

describe('an answer that seems to be none', () => {
  const GOAL = 'What does app.ini ask?';
  async function said(answers: readonly string[]) {
    const world = testWorld();
    world.write('app.ini', 'prompt = Your name?\n');
    let n = 0;
    const work = diligentModel({ subtasks: [READ], answer: '?' });
    const script: Script = (request, turn) => {
      const wanted = JSON.stringify(request.responseSchema ?? '').includes('"answer"');
      const answer = answers[Math.min(n, answers.length - 1)];
      if (!wanted) return work(request, turn);
      n += 1;
      return JSON.stringify({ action: 'mark_subtask_complete', answer, reason: '', success: true });
    };
    const { result } = await runIn(world, scriptedProvider(script), {
      goal: GOAL,
      toolMode: 'json',
      plainTry: false,
    });
    return [result.ending, result.state.answer, n];
  }

  it('is taken: a file may hold a question', async () => {
    expect(await said(['Your name?'])).toEqual(['answered', 'Your name?', 1]);
  });

  it('is asked for once more where it is the goal itself, and is then taken', async () => {
    expect(await said([GOAL, 'Your name?'])).toEqual(['answered', 'Your name?', 2]);
    expect(await said([GOAL])).toEqual(['answered', GOAL, 2]);
  });

  it('is asked for once more where it has no letter and no figure, and is then taken', async () => {
    expect(await said(['...', 'Your name?'])).toEqual(['answered', 'Your name?', 2]);
    expect(await said(['?'])).toEqual(['answered', '?', 2]);
  });
});

it('one question is asked for as a whole', async () => {
  const { asked } = await answered('Which port is set in app.ini?', []);
  expect(asked.some((text) => text.includes('Now answer the goal'))).toBe(true);
});
