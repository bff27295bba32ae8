/** A model that begins to change files before it has a plan, and then only talks. */
import { expect, it } from 'vitest';
import { goldenWorld } from '../support/golden-world.ts';
import { runIn } from '../support/run-in.ts';
import { LARGE, type Script, scriptedProvider } from '../support/scripted-provider.ts';

const edit = { name: 'edit_file', args: { path: 'a.txt', old_text: 'one', new_text: 'two' } };

/** Its first reply changes a file, each other one is the same text. */
const talking: Script = ({ messages }) =>
  messages.some(({ role }) => role === 'assistant') ? 'It says two now.' : { calls: [edit] };

const working = async (wants: 'answer' | 'work') => {
  const world = goldenWorld({});
  world.write('a.txt', 'one\n');
  const provider = scriptedProvider(talking, LARGE);
  const { result } = await runIn(world, provider, {
    goal: 'Let a.txt say two',
    ...(wants === 'answer' ? { wants } : {}),
  });
  const told = provider.requests.flatMap(({ messages }) => messages.map(({ content }) => content));
  return { result, told: told.join('\n'), text: world.read('a.txt') };
};

it('a change that waited for a plan which never came is no answer, whatever text follows', async () => {
  const { result, told, text } = await working('work');
  expect(text).toBe('one\n');
  expect(result).toMatchObject({ ending: 'unverified' });
  expect(told).toContain('That was no tool call, and there is no plan.');
  expect(told).not.toContain('If it was your answer');
});

it('where only an answer is wanted, the text is one', async () => {
  expect((await working('answer')).result).toMatchObject({ ending: 'answered' });
});
