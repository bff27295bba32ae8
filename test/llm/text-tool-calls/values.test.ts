/** A value that looks like a call, or like thinking, is never read as anything else than that value. */
import { describe, expect, it, test } from 'vitest';
import { readTextCalls } from '../../../src/llm/text-tool-calls/recover.ts';
import { fc } from '../../support/dice.ts';

const read = (text: string) =>
  readTextCalls(text, {
    judge: (name, { cmd, ...others }) => ({
      ...{ tool: name === 'run' ? name : null, isReadOnly: true, usage: '' },
      fault: typeof cmd === 'string' && Object.keys(others).length === 0 ? null : 'cmd is missing',
    }),
    idPrefix: 'text',
    cutOff: false,
  });

const json = (cmd: string): string => JSON.stringify({ name: 'run', arguments: { cmd } });
const INNER = json('x');

const FORMS: { readonly [name: string]: (cmd: string) => string } = {
  bare: json,
  'in tags': (cmd) => `<tool_call>\n${json(cmd)}\n</tool_call>`,
  'in a fence': (cmd) => `\`\`\`json\n${json(cmd)}\n\`\`\``,
  'behind a token': (cmd) => `[TOOL_CALLS][${json(cmd)}]`,
  'with text for its arguments': (cmd) =>
    JSON.stringify({ name: 'run', arguments: JSON.stringify({ cmd }) }),
  'with doubled braces': (cmd) => `{${json(cmd)}}`,
  'with lines as they are': (cmd) =>
    `<tool_call>{"name":"run","arguments":{"cmd":"${cmd.replace(/[\\"]/g, '\\$&')}"}}</tool_call>`,
  'in tags for each value': (cmd) =>
    `<function=run>\n<parameter=cmd>\n${cmd}\n</parameter>\n</function>`,
};

const PIECES = [
  ...[
    'a',
    ' ',
    '\n',
    '\r\n',
    '\t',
    '"',
    "'",
    '\\',
    '{',
    '}',
    '{{',
    '}}',
    '[',
    ']',
    '<',
    '>',
    ':',
    ',',
    '`',
  ],
  ...[
    '```',
    '```json\n',
    '<think>',
    '</think>',
    '<|end|>',
    '<|channel|>analysis<|message|>',
    '<tool_response>',
  ],
  ...['<tool_call>', '</tool_call>', '<function=run>', '<parameter=cmd>', '[TOOL_CALLS]', INNER],
  ...['\0', '\u202e', '\u2028', '\ud83d\ude00', '//'],
];

test.each(Object.entries(FORMS))('in a call %s', (_name, form) => {
  const value = fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((all) => all.join(''));
  fc.assert(
    fc.property(value, (cmd) => {
      const reading = read(form(cmd));
      const calls = reading.kind === 'calls' ? reading.calls : [{ args: { cmd } }];
      expect(calls.map(({ args }) => args)).toEqual([{ cmd }]);
    }),
    { seed: 3, numRuns: 400 },
  );
});

describe('a call in tags for each value', () => {
  const form = FORMS['in tags for each value'] as (cmd: string) => string;

  it.each([`</think>${INNER}`, `<think>${INNER}`, `\n</think>\n<function=run>\n${INNER}`])(
    'holds what may be thinking: %j',
    (cmd) => {
      expect(read(form(cmd))).toMatchObject({ kind: 'calls', calls: [{ args: { cmd } }] });
    },
  );

  // The form has no way to write its own end in a value.
  it.each([
    ['the end of a value', 'a</parameter>b'],
    ['the end of a call', 'a</parameter>\n</function>b'],
    ['the end of a call and another one', `a</parameter></function>\n${INNER}`],
    ['the end of a value behind thinking', `a</think></parameter>${INNER}`],
  ])('is shown back where its value holds %s', (_what, cmd) => {
    expect(read(form(cmd)).kind).toBe('shown_back');
  });
});
