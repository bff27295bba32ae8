/** A conversation in a whole terminal, in this process: what a person sees, to the character and the colour. */
import { expect, onTestFinished, test } from 'vitest';
import { TerminalScreen } from '../../support/terminal-screen.ts';
import { memorySink } from '../support.ts';
import { chatFolder, left, more, talk, write } from './talking.ts';

const ENV = { LANG: 'C.UTF-8', FORCE_COLOR: '1', TERM: 'xterm-256color', PATH: process.env.PATH };

/** Where the folder of a test lies is the machine's. */
const PLACE = /(?:‹dim›)?In \/[^.]*\.(?:‹›)?\n/;

interface Look {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The pieces of answers come when the test says so. */
function pieces() {
  const due: string[] = [];
  let wake: () => void = () => {};
  let isOver = false;
  return {
    say: (...texts: readonly string[]) => {
      due.push(...texts);
      wake();
    },
    end: () => {
      isOver = true;
      wake();
    },
    async *come() {
      for (;;) {
        const text = due.shift();
        if (text !== undefined) yield { type: 'text', text } as const;
        else if (isOver) break;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
      isOver = false;
    },
  };
}

async function open({ columns = 80, rows = 24, env = ENV }: Look = {}) {
  const tty = memorySink(true);
  tty.resize(columns, rows);
  const answer = pieces();
  const talking = talk(() => 'first', {
    folder: chatFolder(),
    terminal: { stdout: tty, stderr: tty, draw: tty.write, env: { ...env } },
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
              const { text } = { text: words[0].messages.at(-1)?.content ?? '' };
              if (text.startsWith('write')) {
                const [call] = write('notes.txt', 'one\n').calls;
                yield { type: 'tool_call', call: { id: 'c1', ...call } } as never;
              } else yield* answer.come();
              const reason = text.startsWith('write') ? 'tool_calls' : 'stop';
              const usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, thinking: 0 };
              yield {
                type: 'finished',
                reason,
                rawReason: reason,
                usage: { ...usage, modelMs: 0 },
              };
            },
          },
        };
      },
    }),
  });
  const screen = new TerminalScreen(columns, rows);
  let shown = 0;
  const shows = async (sign: string | RegExp): Promise<string> => {
    for (;;) {
      const text = tty.text().slice(shown).replaceAll('\n', '\r\n');
      shown = tty.text().length;
      await screen.write(text);
      const seen = screen.text();
      if (typeof sign === 'string' ? seen.includes(sign) : sign.test(seen))
        return screen.painted().replace(PLACE, '');
      if (tty.text().length === shown && !(await more([tty])))
        throw new Error(`It never showed ${sign}:\n${seen}`);
    }
  };
  onTestFinished(() => answer.end());
  await shows(/leaves\.[\s\S]*> /);
  return { ...talking, tty, screen, shows, answer };
}

test.each<readonly [string, Look]>([
  ['80 columns and 24 rows', {}],
  ['40 columns and 12 rows', { columns: 40, rows: 12 }],
  [
    'a terminal without colour that shows ASCII only',
    { env: { ...ENV, FORCE_COLOR: undefined, NO_COLOR: '1', LANG: 'C' } },
  ],
])('in %s every stage of an answer is seen whole', async (_, look) => {
  const { shows, say, type, answer, terminal, ...talking } = await open(look);
  expect(await shows('> ')).toMatchSnapshot('begun');
  say('What is a tardigrade, and why does it live so long?');
  expect(await shows('waiting for the model')).toMatchSnapshot('asked');
  answer.say('A **tardigrade** is a small animal with eight legs that');
  await shows('writing');
  terminal.advance(3_000);
  expect(await shows('3 s')).toMatchSnapshot('answering');
  answer.say(
    ' lives in water.\n\n```js\nconst legs = 8; // as many as a spider has, and it is one line of code\n```\n- it dries out,\n  and comes back',
  );
  type('and a second question');
  await shows('and a second question');
  type('\r');
  type('half a thought');
  expect(await shows(/comes back[\s\S]*queued: and[\s\S]*half a thought/)).toMatchSnapshot(
    'queued',
  );
  answer.end();
  await shows(/context \d+ %/);
  await shows(/waiting for the model/);
  answer.say('Because it can.');
  answer.end();
  expect(await shows(/Because it can\.[\s\S]*context \d+ %[\s\S]*half a thought/)).toMatchSnapshot(
    'answered',
  );
  type('\u0015/c');
  expect(await shows(/> \/c\S?\n[\s\S]*\/commit/)).toMatchSnapshot('choices');
  type('\u0015one\u001b\rtwo\u001b[A');
  expect(await shows(/> one\S\n {2}two/)).toMatchSnapshot('two lines');
  type('\u0005\u001b[B\u0005\u0015\u007f\u0015');
  await shows(/> \S\n?$/);
  say('write a note');
  await shows('write notes.txt');
  answer.say('Done.');
  answer.end();
  expect(await shows(/Done\.[\s\S]*context \d+ %/)).toMatchSnapshot('a tool');
  type('\u0003');
  expect(await shows(/Press Ctrl\+C[\s\S]*leave\./)).toMatchSnapshot('Ctrl+C');
  expect(await left({ ...talking, say, type, terminal } as never)).toBe(0);
  expect(await shows('/quit')).toMatchSnapshot('left');
  expect(talking.screen.modes.bracketedPasteMode).toBe(false);
  expect(talking.screen.cursorColumn).toBe(0);
});

test('a window made narrower or wider, lower or higher, leaves no piece of an old frame', async () => {
  const { shows, say, answer, terminal, tty, screen } = await open();
  say('Why?');
  await shows('waiting for the model');
  answer.say('word '.repeat(30));
  await shows('writing');
  for (const [columns, rows] of [
    [40, 24],
    [23, 24],
    [100, 30],
    [60, 14],
  ] as const) {
    screen.resize(columns, rows);
    tty.resize(columns, rows);
    terminal.advance(120);
    await shows('writing');
    expect(screen.everything().match(/writing/g), `${columns}x${rows}`).toHaveLength(1);
    expect(screen.everything().match(/word/g), `${columns}x${rows}`).toHaveLength(30);
  }
});

test('Ctrl+Z puts the screen right and stops; after fg the frame is there again, once', async () => {
  const { shows, type, terminal, screen } = await open();
  type('half\u001a');
  expect(terminal.stops).toHaveLength(1);
  expect(await shows('Ctrl+D leaves.')).not.toContain('half');
  expect(terminal.type('x')).toBe(false);
  await screen.write('\r\n[1]+  Stopped\r\n$ fg\r\n');
  terminal.send('SIGCONT');
  await shows(/Stopped\n\$ fg\n[\s\S]*> half/);
  expect(terminal.type('y')).toBe(true);
  await shows('> halfy');
  expect(screen.everything().match(/half/g)).toHaveLength(1);
});

test('after it was stopped from outside the next frame stands below what the shell wrote', async () => {
  const { shows, type, terminal, screen } = await open();
  type('half');
  await shows('> half');
  await screen.write('[1]+  Stopped\r\n$ fg\r\n');
  terminal.send('SIGCONT');
  await shows(/Stopped\n\$ fg\n> half/);
});

test('where nobody could continue it, a program that was not stopped goes on by itself', async () => {
  const { shows, type, terminal } = await open();
  type('half\u001a');
  expect(await shows('Ctrl+D leaves.')).not.toContain('half');
  terminal.advance(500);
  await shows('> half');
  expect(terminal.type('x')).toBe(true);
});
