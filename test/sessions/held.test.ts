/** Conversations with a model whose every answer is held to a schema: words, or one call. */
import { describe, expect, test } from 'vitest';
import { answerText, choiceText } from '../../src/llm/tool-modes/choice.ts';
import type { SessionEvent } from '../../src/schema/events/events.ts';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import { transcriptOf } from '../../src/sessions/transcripts/export.ts';
import { chatIn, recordsOfChat } from '../support/chat-in.ts';
import { LARGE, type ScriptedReply, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../support/test-machine.ts';

const act = (name: string, args: Record<string, unknown>): string => choiceText({ name, args });
const say = answerText;
/** A change of a file that was there asks. */
const MAY_EDIT = { allow: ['edit(**)'] };
const SMALL = { parameters: 1.5e9, canCallTools: false } as const;

/** One answer behind the other. */
const small = (...answers: (string | ScriptedReply)[]) =>
  scriptedProvider((_, n) => answers[n - 1] ?? say('That is all.'), SMALL);

const actionsIn = ({ responseSchema }: ModelRequest): readonly unknown[] => {
  const { anyOf = [responseSchema] } = (responseSchema ?? {}) as { anyOf?: unknown[] };
  return anyOf.flatMap((one) => {
    const { properties } = one as { properties?: { action?: { const?: string } } };
    return properties?.action?.const ?? [];
  });
};

/** What stands behind each result. */
const because = (said: string): string =>
  `The user said: ${said}\nAnswer if that is done, else choose the next action.`;

const textIn = (events: readonly SessionEvent[]): string =>
  events.flatMap((event) => (event.type === 'text' ? event.text : [])).join('');

describe('a model that is held to a schema', () => {
  test('that would replace no words in a short file gives it whole', async () => {
    const world = testWorld();
    world.write('list.txt', 'milk\neggs\n');
    const model = small(
      act('edit_file', { file: 'list.txt', instead_of: '', write: 'ten eggs' }),
      '```\nmilk\nten eggs\n```',
      say('Done.'),
    );
    const { session } = await chatIn(world, model, MAY_EDIT);
    await session.send('Make it ten eggs');
    await session.close();
    expect(world.read('list.txt')).toBe('milk\nten eggs\n');
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('milk\neggs');
  });

  test('is asked for words or one of few calls, and what it does is done', async () => {
    const world = testWorld();
    world.write('list.txt', 'milk\neggs\n');
    const model = small(
      act('read_file', { file: 'list.txt' }),
      act('edit_file', { file: 'list.txt', instead_of: 'eggs', write: 'ten eggs' }),
      say('It says "ten eggs" now.\nAnything else?'),
    );
    const { session, events } = await chatIn(world, model, MAY_EDIT);
    const sent = await session.send('Make it ten eggs');
    await session.close();
    expect(world.read('list.txt')).toBe('milk\nten eggs\n');
    expect(sent).toMatchObject({ ending: 'replied', iterations: 3 });
    expect(sent.reply).toBe('It says "ten eggs" now.\nAnything else?');
    expect(textIn(events)).toBe(sent.reply);
    const [first] = model.requests;
    expect(first?.tools).toBeUndefined();
    expect(first?.temperature).toBe(0.2);
    expect(actionsIn(first as ModelRequest)).toEqual([
      ...['answer', 'list_dir', 'read_file', 'search_text', 'write_file', 'edit_file', 'run_cmd'],
    ]);
    expect(model.requests[1]?.messages.slice(2)).toEqual([
      { role: 'assistant', content: act('read_file', { file: 'list.txt' }) },
      {
        role: 'user',
        content: `Result of read_file:\nmilk\neggs\n\n\n${because('Make it ten eggs')}`,
      },
    ]);
    const started = events.flatMap((event) =>
      event.type === 'tool_call_started' ? event.name : [],
    );
    expect(started).toEqual(['read_file', 'edit_file']);
  });

  test('gives the content of a file in a turn of its own, and sees first what is replaced', async () => {
    const world = testWorld();
    world.write('app.js', 'console.log(1)\n');
    const model = small(
      act('write_file', { file: 'new.js' }),
      '```js\nconst s = "a \\" b";\n```',
      act('write_file', { file: 'app.js' }),
      'Here it is:\n```js\nconsole.log(1)\nconsole.log(2)\n```',
      say('Both are written.'),
    );
    const { session, events } = await chatIn(world, model, MAY_EDIT);
    const sent = await session.send('Write new.js, and let app.js print 2 as well');
    await session.close();
    expect(sent).toMatchObject({ ending: 'replied', reply: 'Both are written.' });
    expect(textIn(events)).toBe('Both are written.');
    expect(world.read('new.js')).toBe('const s = "a \\" b";\n');
    expect(world.read('app.js')).toBe('console.log(1)\nconsole.log(2)\n');
    const [, anew, , shown] = model.requests;
    expect(anew?.responseSchema).toBeUndefined();
    expect(anew?.messages.at(-1)?.content).toMatch(
      /^Write the whole content that new\.js is to have/,
    );
    expect(shown?.messages.at(-1)?.content).toMatch(
      /app\.js is now:\n```\nconsole\.log\(1\)\n```\n/,
    );
    expect(session.changes()).toBeDefined();
  });

  test('that gives no content is told so, and prose becomes no file', async () => {
    const world = testWorld();
    const prose = 'I would rather not write that file.';
    const model = small(act('write_file', { file: 'a.js' }), prose, prose, prose);
    const { session } = await chatIn(world, model);
    const sent = await session.send('Write a.js');
    await session.close();
    expect(sent).toMatchObject({ ending: 'failed', reply: '' });
    expect(sent.detail).toContain('There was no code block.');
    expect(world.read('a.js')).toBeNull();
  });

  test('is not asked for the whole of a file that does not come back in one answer', async () => {
    const world = testWorld();
    world.write('long.txt', 'a line of it\n'.repeat(2_000));
    const model = small(act('write_file', { file: 'long.txt' }), say('Too long.'));
    const { session } = await chatIn(world, model);
    await session.send('Write long.txt anew');
    await session.close();
    expect(model.requests[1]?.messages.at(-1)?.content).toBe(
      'long.txt is too long to be written anew. Change some lines of it with edit_file.',
    );
  });

  test('that changes what is not there sees the short file, and gives it whole', async () => {
    const world = testWorld();
    world.write('page.html', '<h1>Hello</h1>\n');
    const model = small(
      act('edit_file', { file: 'page.html', instead_of: '<h1>Page</h1>', write: '<h1>Hi</h1>' }),
      '```html\n<h1>Hi</h1>\n```',
      say('It is Hi.'),
    );
    const { session } = await chatIn(world, model, MAY_EDIT);
    await session.send('Let the heading be Hi');
    await session.close();
    expect(model.requests[1]?.messages.at(-1)?.content).toContain('page.html is now:');
    expect(world.read('page.html')).toBe('<h1>Hi</h1>\n');
  });

  test('is told behind a call that failed that nothing is done', async () => {
    const model = small(act('read_file', { file: 'no.txt' }), say('There is no such file.'));
    const { session } = await chatIn(testWorld(), model);
    await session.send('Read no.txt');
    await session.close();
    expect(model.requests[1]?.messages.at(-1)?.content).toMatch(
      /\n\nThat did not work\. The user said: Read no\.txt\nChoose another action, or answer what/,
    );
  });

  test('may call the same whatever was said, in any language', async () => {
    const said = [
      'What is in this folder?',
      'Was liegt hier?',
      '这里有什么？',
      'Add a file with your name',
    ];
    const model = small(...said.map(() => say('Nothing.')));
    const { session } = await chatIn(testWorld(), model);
    for (const text of said) await session.send(text);
    await session.close();
    const all = ['list_dir', 'read_file', 'search_text', 'write_file', 'edit_file', 'run_cmd'];
    expect(model.requests.map(actionsIn)).toEqual(said.map(() => ['answer', ...all]));
  });

  test.each([
    ['changes', act('edit_file', { file: 'list.txt', instead_of: 'eggs', write: 'ten eggs' })],
    ['writes over', act('write_file', { file: 'list.txt' })],
  ])('that %s a file that was there asks first, whatever was said', async (_how, first) => {
    for (const text of [
      'What is in list.txt?',
      'Change list.txt',
      'Ändere list.txt',
      '修改 list.txt',
    ]) {
      const world = testWorld();
      world.write('list.txt', 'milk\neggs\n');
      const whole = first.includes('write_file') ? ['```\nmilk\nten eggs\n```'] : [];
      const asked: string[] = [];
      const model = small(first, ...whole, say('Done.'));
      const { session } = await chatIn(world, model, {
        ask: async ({ reason }) => {
          asked.push(reason);
          return text.startsWith('What') ? 'no' : 'once';
        },
      });
      await session.send(text);
      await session.close();
      expect(asked).toEqual(['It would change list.txt, which was there before.']);
      const isKept = text.startsWith('What');
      expect(world.read('list.txt')).toBe(isKept ? 'milk\neggs\n' : 'milk\nten eggs\n');
    }
  });

  test('changes what the conversation made without a question', async () => {
    const world = testWorld();
    const model = small(
      act('write_file', { file: 'new.txt' }),
      '```\none\n```',
      act('edit_file', { file: 'new.txt', instead_of: 'one', write: 'two' }),
      say('Two.'),
    );
    const { session } = await chatIn(world, model);
    const sent = await session.send('new.txt');
    await session.close();
    expect(sent.ending).toBe('replied');
    expect(world.read('new.txt')).toBe('two\n');
  });

  test('that goes in circles is stopped: the call is held back, then only words are wanted', async () => {
    const world = testWorld();
    world.write('a.txt', 'one\n');
    const again = act('read_file', { file: 'a.txt' });
    const model = scriptedProvider(
      (request) => (actionsIn(request).length > 1 ? again : say('It says one.')),
      SMALL,
    );
    const { session } = await chatIn(world, model);
    const sent = await session.send('What is in a.txt?');
    expect(sent).toMatchObject({ ending: 'replied', reply: 'It says one.', iterations: 6 });
    const statuses = recordsOfChat(world, session.id).flatMap((record) =>
      record.type === 'action_finished' ? record.status : [],
    );
    expect(statuses).toEqual(['ok', 'ok', 'ok', 'blocked', 'blocked']);
    // What a person asks for again is done again.
    await session.send('And now?');
    await session.close();
    expect(model.requests[6] && actionsIn(model.requests[6]).length).toBe(7);
  });

  test('is held to it where a person says so, and not where its calls are wanted', async () => {
    const asked = async (options: object, toolMode: 'auto' | 'native' | 'json') => {
      const model = scriptedProvider(() => say('Hi'), options);
      const { session } = await chatIn(testWorld(), model, { toolMode });
      await session.send('Hi');
      await session.close();
      return model.requests[0]?.responseSchema !== undefined;
    };
    expect(await asked(LARGE, 'auto')).toBe(false);
    expect(await asked(LARGE, 'json')).toBe(true);
    expect(await asked({ parameters: 7e9 }, 'auto')).toBe(true);
    expect(await asked({ parameters: 7e9 }, 'native')).toBe(false);
    await expect(asked(SMALL, 'native')).rejects.toMatchObject({ code: 'E_USAGE' });
  });

  test('goes on where its server does not hold it to anything: words are an answer', async () => {
    const model = small('Hello there.');
    const { session, events } = await chatIn(testWorld(), model);
    expect(await session.send('Hi')).toMatchObject({ ending: 'replied', reply: 'Hello there.' });
    await session.send('And?');
    await session.close();
    expect(textIn(events)).toBe('Hello there.That is all.');
    expect(model.requests[1]?.messages[2]?.content).toBe(say('Hello there.'));
  });

  test('whose object is none of those it was held to has said that, and nothing is left out', async () => {
    const { session, events } = await chatIn(testWorld(), small('{"answer":"Hello."}'));
    expect(await session.send('Hi')).toMatchObject({ ending: 'replied' });
    await session.close();
    expect(textIn(events)).toBe('{"answer":"Hello."}');
  });

  test('that is cut off has said what came', async () => {
    const cut = { text: '{"action":"answer","text":"It is a lo', isCutOff: true };
    const { session, events } = await chatIn(testWorld(), small(cut));
    expect(await session.send('Tell')).toMatchObject({ ending: 'limit', reply: 'It is a lo' });
    await session.close();
    expect(textIn(events)).toBe('It is a lo');
  });

  test('is exported, and read by another model, as any other would have said it', async () => {
    const world = testWorld();
    world.write('a.txt', 'one\n');
    const { session } = await chatIn(
      world,
      small(act('read_file', { file: 'a.txt' }), say('It says one.')),
    );
    await session.send('What is in a.txt?');
    await session.close();
    const { fs } = world.machine();
    const lines = [...transcriptOf(fs, WORKSPACE, session.id)].slice(1);
    expect(lines.map((line) => (line.type === 'message' ? [line.role, line.content] : []))).toEqual(
      [
        ['user', 'What is in a.txt?'],
        ['assistant', ''],
        ['tool', 'one\n'],
        ['assistant', 'It says one.'],
      ],
    );
    const strong = scriptedProvider(() => 'Yes.', LARGE);
    const other = await chatIn(world, strong, { toolMode: 'native' });
    await other.session.send('Sure?');
    await other.session.close();
    const [, , call, result, answer] = strong.requests[0]?.messages ?? [];
    expect(call).toMatchObject({ toolCalls: [{ name: 'read_file', args: { path: 'a.txt' } }] });
    expect(result).toMatchObject({ role: 'tool', content: 'one\n' });
    expect(answer).toEqual({ role: 'assistant', content: 'It says one.' });
  });

  test('reads what another model said as it would have said it', async () => {
    const world = testWorld();
    world.write('a.txt', 'one\n');
    const strong = scriptedProvider(
      (_, n) => (n === 1 ? { calls: [{ name: 'read_file', args: { path: 'a.txt' } }] } : 'One.'),
      LARGE,
    );
    const { session } = await chatIn(world, strong);
    await session.send('What is in a.txt?');
    await session.close();
    const model = small(say('Yes.'));
    const other = await chatIn(world, model, { toolMode: 'json' });
    await other.session.send('Sure?');
    await other.session.close();
    expect(model.requests[0]?.messages.slice(1).map(({ content }) => content)).toEqual([
      'What is in a.txt?',
      act('read_file', { path: 'a.txt' }),
      `Result of read_file:\none\n\n\n${because('What is in a.txt?')}`,
      say('One.'),
      'Sure?',
    ]);
  });

  test('calls the tools of the program that embeds it', async () => {
    const told: unknown[] = [];
    const weather = {
      name: 'weather',
      description: 'Tells the weather. Any place.',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      touches: 'nothing',
      execute: async (args: unknown) => {
        told.push(args);
        return 'rain';
      },
    } as const;
    const model = small(act('weather', { city: 'Oslo' }), say('It rains.'));
    const { session } = await chatIn(testWorld(), model, {
      tools: [weather],
      builtinTools: false,
    });
    await session.send('How is it in Oslo?');
    await session.close();
    expect(told).toEqual([{ city: 'Oslo' }]);
    expect(actionsIn(model.requests[0] as ModelRequest)).toEqual(['answer', 'weather']);
    expect(model.requests[0]?.messages[0]?.content).toContain(
      '{"action":"weather","city":"..."} Tells the weather.',
    );
  });
});
