/** A conversation of ten turns with a small model, killed behind every record: it goes on to the letter. */
import { expect, test } from 'vitest';
import { openSession } from '../../src/chat/open-session.ts';
import { answerText, choiceText } from '../../src/llm/tool-modes/choice.ts';
import type { ModelRequest } from '../../src/schema/turn.ts';
import { SCRIPTED_MODEL, scriptedProvider } from '../support/scripted-provider.ts';
import { type TestMachine, testWorld, WORKSPACE } from '../support/test-machine.ts';
import { watchingRecords } from '../support/written-records.ts';

const act = (name: string, args: Record<string, string>) => choiceText({ name, args });

/** What is said, and what the model makes of it. */
const TALK: readonly (readonly [said: string, ...answers: string[]])[] = [
  ['Hello', answerText('Hello.')],
  ['What is here?', act('list_dir', { path: '.' }), answerText('One file.')],
  [
    'Let it be two',
    act('read_file', { file: 'a.js' }),
    act('edit_file', { file: 'a.js', instead_of: 'one', write: 'two' }),
    answerText('It is two.'),
  ],
  [
    'And in b.js three',
    act('write_file', { file: 'b.js' }),
    '```js\nconsole.log("three")\n```',
    answerText('Written.'),
  ],
  ['Thanks', answerText('Gladly.')],
];
const SAID = TALK.map(([said]) => said);

/** By the request alone: the answer that is due. */
function answer({ messages }: ModelRequest): string {
  const from = messages.findLastIndex(({ content }) => SAID.includes(content));
  const replies = messages.slice(from).filter(({ role }) => role === 'assistant').length;
  return TALK[SAID.indexOf(messages[from]?.content ?? '')]?.[replies + 1] ?? answerText('?');
}

interface Talked {
  readonly requests: readonly string[];
  readonly replies: readonly string[];
  readonly records: number;
}

const NEVER = Number.POSITIVE_INFINITY;

async function talk(machine: TestMachine, until = NEVER): Promise<Talked> {
  const provider = scriptedProvider(answer, { parameters: 1.5e9, canCallTools: false });
  let records = 0;
  const fs = watchingRecords(machine.fs, () => {
    records += 1;
    if (records <= until) return;
    machine.kill();
    throw new Error('killed');
  });
  const session = await openSession({
    ...{ workspace: WORKSPACE, provider, model: SCRIPTED_MODEL, name: 'talk' },
    machine: { ...machine, fs },
  });
  await session.goOn();
  for (const said of SAID.slice(session.state.counters.messages)) await session.send(said);
  const replies = session
    .messages()
    .flatMap(({ role, content }) => (role === 'assistant' && content !== '' ? [content] : []));
  await session.close();
  // Nothing of chance is in them but the name of the session.
  const requests = provider.requests.map(({ seed: _seed, ...rest }) => JSON.stringify(rest));
  return { requests, replies, records };
}

const begun = () => {
  const world = testWorld();
  world.write('a.js', 'console.log("one")\n');
  return world;
};

test('each request after a kill is one that would have been sent, and all is done once', async () => {
  const whole = await talk(begun().machine());
  expect(whole.requests).toHaveLength(10);
  for (let at = 1; at < whole.records; at += 1) {
    const world = begun();
    await expect(talk(world.machine(), at), `record ${at}`).rejects.toThrow();
    const after = await talk(world.machine());
    expect(after.requests, `record ${at}`).toEqual(
      after.requests.length === 0 ? [] : whole.requests.slice(-after.requests.length),
    );
    expect(after.replies, `record ${at}`).toEqual(whole.replies);
    expect(world.read('a.js')).toBe('console.log("two")\n');
    expect(world.read('b.js')).toBe('console.log("three")\n');
  }
});
