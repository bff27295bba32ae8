import { describe, expect, test } from 'vitest';
import { schemaGrammar } from '../../../src/llm/embedded/schema-grammar.ts';
import {
  answerText,
  choiceSchema,
  choiceShape,
  choiceText,
  readChoice,
  wordsBeforeCut,
} from '../../../src/llm/tool-modes/choice.ts';
import { choiceReader } from '../../../src/llm/tool-modes/choice-reader.ts';
import { toWireSchema } from '../../../src/llm/wire/wire-schema.ts';
import type { JsonSchema, ToolDefinition } from '../../../src/schema/model/turn.ts';

const tool = (
  name: string,
  properties: Record<string, JsonSchema>,
  required = Object.keys(properties),
): ToolDefinition => ({
  name,
  description: '',
  parameters: { type: 'object', properties, required },
});

const READ = tool('read_file', { file: { type: 'string' } });
const RUN = tool('run_cmd', { cmd: { type: 'string' }, stdin: { type: 'string' } }, ['cmd']);
const ASK = tool('ask', { about: { $ref: '#/x' }, unit: { enum: ['C', 'F'] } }, ['about']);
const TOOLS = [READ, RUN, ASK];

interface Shape {
  readonly properties: Record<string, { const?: string }>;
  readonly required: readonly string[];
}

describe('an answer that is held to a schema', () => {
  const schema = choiceSchema(TOOLS) as { anyOf: readonly Shape[] };

  test('is words or one call, decided by the key that comes first in the order of letters, too', () => {
    expect(schema.anyOf.map(({ properties }) => properties.action?.const)).toEqual([
      ...['answer', 'read_file', 'run_cmd', 'ask'],
    ]);
    for (const { properties } of schema.anyOf)
      expect([...Object.keys(properties)].sort()[0]).toBe('action');
  });

  test('must have the arguments that a call needs, and may have the others', () => {
    expect(schema.anyOf.map(({ required }) => required)).toEqual([
      ['action', 'text'],
      ['action', 'file'],
      ['action', 'cmd'],
      ['action', 'args'],
    ]);
    expect(Object.keys(schema.anyOf[2]?.properties ?? {})).toContain('stdin');
  });

  test('can be held to by a grammar, whatever a tool of somebody else says of its arguments', () => {
    expect(schemaGrammar(toWireSchema(choiceSchema(TOOLS)))).toContain('root-3');
  });

  test('can only be words where nothing may be called', () => {
    const words = { action: { const: 'answer' }, text: { type: 'string', minLength: 1 } };
    expect(choiceSchema([])).toMatchObject({ properties: words });
  });

  test('is read as it was meant, and back', () => {
    expect(readChoice('{"action":"answer","text":"Hi"}', TOOLS)).toEqual({
      kind: 'says',
      words: 'Hi',
    });
    const call = { name: 'read_file', args: { file: 'a.txt' } };
    expect(readChoice(choiceText(call), TOOLS)).toEqual({ kind: 'calls', ...call });
    expect(readChoice('{"action":"ask","args":{"about":"rain"}}', TOOLS)).toEqual({
      ...{ kind: 'calls', name: 'ask', args: { about: 'rain' } },
    });
    expect(choiceShape(ASK)).toBe('{"action":"ask","args":{"about":"..."}}');
    expect(readChoice('{"action":"dance"}', TOOLS)).toMatchObject({
      kind: 'invalid',
      error: expect.stringContaining('answer, read_file, run_cmd, ask'),
    });
    for (const other of ['Hello.', '{"name":"read_file"}', '[1]', ''])
      expect(readChoice(other, TOOLS)).toEqual({ kind: 'other' });
  });
});

const runInterruptibly = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
    text.slice(n * size, (n + 1) * size),
  );

function shown(text: string, size: number) {
  const read = choiceReader();
  const pieces = runInterruptibly(text, size).map((piece) => read(piece));
  return {
    words: pieces.map(({ words }) => words).join(''),
    pieces: pieces.map(({ words }) => words),
    actions: pieces.flatMap(({ action = [] }) => action),
  };
}

describe('while it comes', () => {
  const WORDS = 'A "quoted" \\ line\nand\ttwo, ü, 😀 and \u2028.';

  test.each([1, 2, 3, 7, 1000])(
    'its words are shown as they are, and never the object, in pieces of %i',
    (size) => {
      expect(shown(answerText(WORDS), size)).toMatchObject({ words: WORDS, actions: [] });
      const escaped = '{ "action" : "answer" , "text" : "\\ud83d\\ude00\\/\\u00fc" }\n';
      expect(shown(escaped, size).words).toBe('😀/ü');
      for (const piece of shown(escaped, size).pieces) expect(piece).not.toMatch(/\p{Surrogate}/u);
    },
  );

  test.each([1, 4, 1000])('of a call only its name is told, in pieces of %i', (size) => {
    const call = choiceText({ name: 'read_file', args: { file: 'text":"' } });
    expect(shown(call, size)).toMatchObject({ words: '', actions: ['read_file'] });
  });

  test('a fence around it is not shown, and what is no object is', () => {
    expect(shown(`\`\`\`json\n${answerText('Hi')}\n\`\`\``, 1).words).toBe('Hi');
    expect(shown('Hello there.', 1).words).toBe('Hello there.');
    expect(shown('`ls` lists files', 1).words).toBe('`ls` lists files');
  });

  test('an action without an end, or none at all, is not read again with every piece', () => {
    const [start, rest] = [
      '{"action":"',
      `answer${answerText('Hi').slice('{"action":"answer'.length)}`,
    ];
    expect(shown(start + 'x'.repeat(10_000) + rest, 100).actions).toEqual([]);
    expect(shown(' '.repeat(10_000) + start + rest, 100).words).toBe('');
    expect(shown(start + rest, 100).words).toBe('Hi');
  });

  test('cut off it has as many words as came whole', () => {
    expect(wordsBeforeCut('{"action":"answer","text":"As far as\\n th\\u00')).toBe(
      'As far as\n th',
    );
    expect(wordsBeforeCut('{"action":"read_file","file":"a')).toBe('');
    expect(wordsBeforeCut('{"action":"ans')).toBe('');
  });
});
