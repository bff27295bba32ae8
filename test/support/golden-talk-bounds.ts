/** Golden conversations in which something is bounded or asked for apart, or that stand side by side. */
import type { GoldenTalk } from './golden-talk.ts';
import {
  answerText,
  calls,
  edit,
  held,
  MAY_EDIT,
  read,
  run,
  SAY,
  say,
  talk,
  text,
  write,
} from './golden-talk-words.ts';

const CLOSING = { maxIterations: 3, closingTurn: true } as const;
const PAGE = { 'app.js': 'console.log(1)\n', 'page.html': '<h1>Hello</h1>\n' };

const BOUNDED: readonly GoldenTalk[] = [
  talk('closing-turn', 'wire', {
    files: PAGE,
    options: CLOSING,
    does: say('Look at all', 'And now?'),
    answers: [
      calls(read('app.js')),
      calls(read('page.html')),
      'Two files.',
      calls(read('app.js')),
      calls(read('page.html')),
      calls(read('app.js')),
    ],
    shows: ['You can use no more tools.'],
    ends: ['replied', 'limit'],
  }),
  talk('closing-turn', 'held', {
    files: PAGE,
    options: CLOSING,
    does: say('Look at all of it', 'Thanks'),
    answers: [
      held('read_file', { file: 'app.js' }),
      held('read_file', { file: 'page.html' }),
      answerText('Two files.'),
      answerText('Gladly.'),
    ],
    shows: ['You can use no more tools.'],
    ends: ['replied', 'replied'],
  }),
  talk('closing-turn', 'text', {
    files: PAGE,
    options: CLOSING,
    does: say('Look at all of it'),
    answers: [text(read('app.js')), text(read('page.html')), 'Two files.'],
    shows: ['You can use no more tools.'],
    ends: ['replied'],
  }),
  talk('turns-used-up', 'wire', {
    files: PAGE,
    options: { maxIterations: 2, freeIdleTurns: 1, maxToolCalls: 3 },
    does: say('Look at all', 'go on'),
    answers: [
      calls(read('no.txt')),
      calls(read('app.js'), read('page.html')),
      calls(read('app.js')),
      'Two files.',
    ],
    shows: ['limit of 3 calls a message'],
    ends: ['limit', 'replied'],
  }),
];

const CONTENT: readonly GoldenTalk[] = [
  talk('content-apart', 'held', {
    files: PAGE,
    options: MAY_EDIT,
    does: say('Write new.js, and let app.js print 2 as well', 'Let the heading be Hi'),
    answers: [
      held('write_file', { file: 'new.js' }),
      '```js\nconst s = "a \\" b";\n```',
      held('write_file', { file: 'app.js' }),
      'I would rather not.',
      'Here it is:\n```js\nconsole.log(1)\nconsole.log(2)\n```',
      answerText('Both are written.'),
      held('edit_file', { file: 'page.html', instead_of: '<h1>Page</h1>', write: '<h1>Hi</h1>' }),
      '```html\n<h1>Hi</h1>\n```',
      answerText('It is Hi.'),
    ],
    shows: ['app.js is now:', 'Write the whole content that new.js is to have'],
    ends: ['replied', 'replied'],
  }),
  talk('content-refused', 'held', {
    does: say('Write a.js', 'Never mind'),
    answers: [
      held('write_file', { file: 'a.js' }),
      ...['I would rather not.', 'No.', 'Never.'],
      answerText('Gladly.'),
    ],
    ends: ['failed', 'replied'],
  }),
];

const two = (more: string) => ({ say: more, in: 'two' });

const BESIDE: readonly GoldenTalk[] = [
  talk('two-in-one-folder', 'wire', {
    files: { 'a.txt': 'one\n' },
    does: [
      ...say('Read a.txt'),
      two('Read a.txt'),
      { say: 'Write first into it', changesSeen: true },
      two('Write second into it'),
      two('And now?'),
    ],
    answers: [
      calls(read('a.txt')),
      'One.',
      calls(read('a.txt')),
      'One.',
      calls(write('a.txt', 'first\n')),
      'First.',
      calls(write('a.txt', 'second\n')),
      'It has changed.',
      'It says first.',
    ],
    ends: ['replied', 'replied', 'replied', 'replied', 'replied'],
  }),
  talk('own-tools', 'wire', {
    options: {
      builtinTools: false,
      systemPrompt: 'You tell the weather.',
      tools: [
        {
          name: 'weather',
          description: 'Tells the weather. Any place.',
          inputSchema: {
            type: 'object',
            properties: { city: { type: 'string' } },
            required: ['city'],
          },
          touches: 'nothing',
          execute: async () => 'rain',
        },
      ],
    },
    does: say('How is it in Oslo?', 'Thanks'),
    answers: [calls({ name: 'weather', args: { city: 'Oslo' } }), 'It rains.', 'Gladly.'],
    shows: ['rain'],
    ends: ['replied', 'replied'],
  }),
  talk('program-that-fails', 'wire', {
    files: { 'bad.js': 'throw new Error("bad")\n', 'say.js': SAY },
    options: { allow: ['run_cmd(node *)'], maxToolResultChars: 500 },
    does: say('Run bad.js, and mend it'),
    answers: [
      calls(run('node bad.js')),
      calls(read('bad.js')),
      calls(edit('bad.js', 'throw new Error("bad")', 'console.log("good")')),
      calls(run('node bad.js'), run('node say.js')),
      'It says "good".',
    ],
    shows: ['Error: bad', 'good'],
    ends: ['replied'],
  }),
];

export const BOUNDS: readonly GoldenTalk[] = [...BOUNDED, ...CONTENT, ...BESIDE];
