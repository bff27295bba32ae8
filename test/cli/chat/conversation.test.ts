import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runState } from '../support.ts';
import { chatFolder, lastOf, left, ready, talk, write } from './talking.ts';

describe('a conversation at a terminal', () => {
  test('streams the answer to stdout, shows tools on stderr and what was used behind each', async () => {
    const talking = await ready((request, n) =>
      n === 1 ? { text: 'I write it.', ...write('a.txt', 'one\n') } : `Done: ${lastOf(request)}`,
    );
    talking.say('Write a.txt');
    await talking.sees(/context \d+ %/);
    expect(await left(talking)).toBe(0);
    const { stdout, stderr } = talking.terminal;
    expect(stdout.text()).toContain('I write it.\n');
    expect(stdout.text()).toContain('Done: Wrote 4 chars to a.txt\n');
    expect(stderr.text()).toContain('✓ write a.txt');
    expect(talking.terminal.leftovers()).toBe(0);
    expect(talking.terminal.type('x')).toBe(false);
  });

  test('shows lines of a log above the prompt, each whole', async () => {
    const talking = await ready(() => 'Hello.', { argv: ['chat', '--verbose'] });
    talking.say('Hi');
    await talking.sees(/context \d+ %/);
    await left(talking);
    const { stderr } = talking.terminal;
    expect(stderr.text()).toMatch(
      /^(?:\S*)\[VRB\]\S* \S+ \[1\.0\] llm \S+: messages 2, \d+ bytes/m,
    );
  });

  test('is what agent alone with two terminals is, and names a paused run first', async () => {
    const paused = runState({ ended: null, paused: { why: 'interrupted', detail: '' } });
    const talking = await ready(() => 'Hello.', {
      argv: [],
      engine: (engine) => ({
        ...engine,
        beliefIn: () => ({ kind: 'own', state: paused }),
        lockOwner: () => null,
      }),
    });
    await left(talking);
    expect(talking.terminal.stdout.text()).toMatch(
      /^Paused here: "Write .*\(\d of \d done\)\n {2}Continue: \/goal\n/,
    );
  });

  test('is what agent with options and no goal is', async () => {
    const talking = await ready(() => 'Hello.', { argv: ['-m', 'openai/gpt-5-mini'] });
    talking.say('Hi');
    await talking.sees('Hello.');
    expect(await left(talking)).toBe(0);
  });

  test('in which nothing was said replaces no saved one', async () => {
    const talking = await ready(() => 'Hello.', { argv: ['chat', '--save', 'talk.jsonl'] });
    talking.say('Hi');
    await talking.sees('Hello.');
    talking.say('/clear');
    await talking.sees('A new conversation has begun');
    expect(await left(talking)).toBe(0);
    const { folder } = talking;
    const saved = readFileSync(join(folder, 'talk.jsonl'), 'utf8');
    expect(saved).toContain('"content":"Hi"');
    await left(await ready(() => '', { folder, argv: ['chat', '--save', 'talk.jsonl'] }));
    expect(readFileSync(join(folder, 'talk.jsonl'), 'utf8')).toBe(saved);
  });

  test('without two terminals is a mistake that names the next step', async () => {
    const talking = talk(() => 'Hello.', { isTerminal: false });
    expect(await talking.ended).toBe(2);
    expect(talking.all()).toContain('agent --exec');
  });

  test('shows the shortest help to who typed agent alone and has no model', async () => {
    const talking = talk(() => 'Hello.', {
      argv: [],
      engine: (engine) => ({ ...engine, openModel: () => Promise.reject(new Error('no model')) }),
    });
    expect(await talking.ended).toBe(1);
    expect(talking.terminal.stdout.text()).toContain('agent doctor');
  });

  test('queues what is typed while the model works, in order', async () => {
    let answer: (() => void) | null = null;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const talking = await ready((request) => `heard ${lastOf(request)}`, {
      engine: (engine) => ({
        ...engine,
        openModel: async (request) => {
          const opened = await engine.openModel(request);
          const { provider } = opened;
          return {
            ...opened,
            provider: {
              ...provider,
              async *stream(...words) {
                await held;
                yield* provider.stream(...words);
              },
            },
          };
        },
      }),
    });
    talking.say('first');
    talking.say('second');
    talking.type('third, not sent');
    await talking.sees('queued: second');
    (answer as (() => void) | null)?.();
    await talking.sees('heard second');
    talking.type('\u0015');
    await left(talking);
    expect(talking.model.requests.map(lastOf)).toEqual(['first', 'second']);
  });

  test('takes a paste of a thousand lines as one message, which only Enter sends', async () => {
    const talking = await ready((request) => `${lastOf(request).split('\n').length} lines`);
    const lines = Array.from({ length: 1_000 }, (_, n) => `line ${n}`).join('\r');
    talking.type(`\u001b[200~${lines}\u001b[201~`);
    await talking.sees('1,000 lines');
    expect(talking.model.requests).toHaveLength(0);
    talking.type('\r');
    await talking.sees('(1000 lines)');
    await talking.sees(/^1000 lines$/m);
    await left(talking);
  });

  test('sends several lines, and has what was said before under the arrow', async () => {
    const talking = await ready((request) => `heard ${JSON.stringify(lastOf(request))}`);
    talking.type('one\u001b\rtwo\\');
    talking.type('\r');
    talking.say('three');
    await talking.sees('heard "one\\ntwo\\nthree"');
    talking.say('again');
    await talking.sees('heard "again"');
    talking.type('\u001b[A\u001b[A');
    talking.type('\r');
    await talking.sees(/heard "one\\ntwo\\nthree"[\s\S]*heard "one\\ntwo\\nthree"/);
    await left(talking);
  });

  test('ends the answer with Ctrl+C, clears the line with it, and leaves with two of them', async () => {
    let isAsked: (() => void) | null = null;
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const talking = await ready(() => 'never', {
      engine: (engine) => ({
        ...engine,
        openModel: async (request) => {
          const opened = await engine.openModel(request);
          const stream = () => ({
            async *[Symbol.asyncIterator]() {
              (isAsked as (() => void) | null)?.();
              await new Promise(() => {});
            },
          });
          return { ...opened, provider: { ...opened.provider, stream: stream as never } };
        },
      }),
    });
    talking.say('hang');
    await asked;
    talking.type('\u0003');
    await talking.sees('stopped by the user');
    talking.terminal.advance(5_000);
    talking.type('some words\u0003');
    talking.terminal.advance(5_000);
    talking.type('\u0003');
    await talking.sees('Press Ctrl+C again');
    talking.type('\u0003');
    expect(await talking.ended).toBe(0);
    expect(talking.all()).not.toContain('Not sent');
  });

  test('leaves with Ctrl+D on an empty line, and gives back what was typed when the window closes', async () => {
    const talking = await ready(() => 'Hello.');
    talking.type('\u0004');
    expect(await talking.ended).toBe(0);
    const other = await ready(() => 'Hello.');
    other.type('half a sentence\u0004');
    other.terminal.send('SIGHUP');
    expect(await other.ended).toBe(0);
    expect(other.terminal.stderr.text()).toContain('Not sent: half a sentence');
  });

  test('completes commands and files with Tab', async () => {
    const folder = chatFolder();
    mkdirSync(join(folder, 'source'));
    writeFileSync(join(folder, 'source', 'alpha.txt'), '');
    const talking = await ready((request) => `heard ${lastOf(request)}`, { folder });
    talking.type('/he\t');
    talking.type('\r');
    await talking.sees('Tab completes');
    talking.type('read sou\tal\t');
    talking.type('now\r');
    await talking.sees('heard read source/alpha.txt now');
    talking.type('/c');
    await talking.sees(/▸ \/commit MESSAGE .*\n {2}\/compact /);
    talking.type('\u0015');
    await left(talking);
  });

  test('says where it is held, the way back, and what was said last to who comes back', async () => {
    const folder = chatFolder();
    writeFileSync(join(folder, 'AGENTS.md'), 'Use tabs.\n');
    const first = await ready(() => 'It is **well**.', { folder });
    await first.sees(`In ${folder}. Instructions: AGENTS.md.`);
    await first.sees('no sandbox.');
    first.say('How is it?');
    await first.sees('context ');
    // Nobody has read it back when the session is closed.
    first.say('!node --version');
    await first.sees('run node --version');
    await left(first);
    await first.sees('Back to it: agent chat --session 1\n');
    const second = await ready(() => '', { folder, argv: ['chat', '--session', '1'] });
    await second.sees(/> How is it\?\nIt is (\*\*)?well(\*\*)?\.\n/);
    await left(second);
    const nothing = await ready(() => '', { folder });
    await left(nothing);
    expect(nothing.all()).not.toContain('Back to it');
  });

  test('of several that were held here the person chooses one, or none', async () => {
    const folder = chatFolder();
    for (const word of ['one word', 'two words']) {
      const talking = await ready(() => 'Hello.', { folder });
      talking.say(word);
      await talking.sees('context ');
      await left(talking);
    }
    const asked: string[] = [];
    const talking = await ready(() => 'Hello.', {
      folder,
      argv: ['chat', '--resume'],
      terminal: {
        ask: async (question) => {
          asked.push(question);
          return asked.length === 1 ? '7' : '1';
        },
      },
    });
    await talking.sees(/ 2 .*"two words"\n {2}1 .*"one word"\n/);
    await talking.sees('There is no conversation 7.');
    await talking.sees('> one word');
    await left(talking);
    expect(asked).toHaveLength(2);
    const argv = ['chat', '--resume'];
    const closed = talk(() => 'Hello.', { folder, argv, terminal: { ask: async () => null } });
    expect(await closed.ended).toBe(2);
    expect(closed.all()).toContain('No conversation was chosen.');
  });

  test('goes on by name or number, and with the last one', async () => {
    const folder = chatFolder();
    const script = (request: { readonly messages: readonly { readonly content: string }[] }) =>
      `heard ${request.messages.filter(({ content }) => /^word/.test(content)).length}`;
    for (const [argv, heard] of [
      [['chat', '--session', 'mine'], 1],
      [['chat', '--session', 'mine'], 2],
      [['chat', '--session', '1'], 3],
      [['chat', '--resume'], 4],
      [['chat'], 1],
    ] as const) {
      const talking = await ready(script, { folder, argv, terminal: { ask: async () => '' } });
      talking.say('word');
      await talking.sees(`heard ${heard}`);
      await left(talking);
    }
    const missing = talk(script, { folder, argv: ['chat', '--session', '99'] });
    expect(await missing.ended).toBe(2);
    expect(missing.all()).toContain('agent sessions');
  });
});
