/** A model that gives a failing file back as it was is asked for one line of it. */
import { describe, expect, it } from 'vitest';
import { diligentModel, openIn } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const GOAL = 'Write greet.mjs: node greet.mjs prints "hello Ada"';
const WRONG = 'const name = "Ada";\nconsole.log("hallo Ada");\n';

const copying = diligentModel({
  subtasks: [{ action: 'write_file', file: 'greet.mjs', purpose: 'greets' }],
  verify: { cmd: 'node greet.mjs', prints: 'hello Ada' },
  files: { 'greet.mjs': [WRONG] },
});

/** @param lines what it answers when it is asked for a line, the last one again and again */
function model(lines: readonly (readonly [string, string])[], asked: string[] = []): Script {
  return (request, n) => {
    const isLine = request.responseSchema && openIn(request).some((one) => 'instead_of' in one);
    if (!isLine) return copying(request, n);
    asked.push(request.messages.at(-1)?.content ?? '');
    const [instead_of, write] = lines[Math.min(asked.length, lines.length) - 1] ?? ['', ''];
    const answer = { action: 'edit_file', because: 'a letter', file: 'greet.mjs' };
    return JSON.stringify({ ...answer, instead_of, write });
  };
}

const run = async (script: Script) => {
  const world = testWorld();
  const { result } = await runIn(world, scriptedProvider(script), { goal: GOAL, toolMode: 'json' });
  return { world, result };
};

describe('a file that came back as it was', () => {
  it('is mended in the line that the model names', async () => {
    const asked: string[] = [];
    const line = ['console.log("hallo Ada");', 'console.log("hello Ada");'] as const;
    const { world, result } = await run(model([line], asked));
    expect(result).toMatchObject({ ending: 'achieved' });
    expect(world.read('greet.mjs')).toBe(WRONG.replace('hallo', 'hello'));
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('A line of greet.mjs is wrong.');
    expect(asked[0]).toContain('console.log("hallo Ada");');
  });

  it('is asked for a line once more where the first was the same or not there, and then given up', async () => {
    const asked: string[] = [];
    const { world, result } = await run(model([['x', 'y']], asked));
    expect(result.ending).not.toBe('achieved');
    expect(world.read('greet.mjs')).toBe(WRONG);
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.length).toBeLessThan(12);
  });
});
