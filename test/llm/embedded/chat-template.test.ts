import { expect, test } from 'vitest';
import { chatTemplate, mergeNeighbours } from '../../../src/llm/embedded/chat-template.ts';
import type { JinjaModule, Tokenizer } from '../../../src/llm/embedded/engine-api.ts';
import type { ChatMessage } from '../../../src/llm/embedded/protocol.ts';

/** Markup is one token (its negative length), every other character is its code. */
const tokenizer: Tokenizer = {
  tokenize: (text, special) =>
    (special ? text.split(/(<[^>]*>)/) : [text]).flatMap((part) =>
      special && part.startsWith('<')
        ? [-part.length]
        : [...part].map((character) => character.codePointAt(0) ?? 0),
    ),
  detokenize: (tokens) => String.fromCodePoint(...tokens),
  tokens: { bos: 1, bosString: '<s>', eosString: '</s>', shouldPrependBosToken: false },
};
const jinja = (refusesSystem = false): JinjaModule => ({
  Template: class {
    render(context: { readonly [name: string]: unknown }): string {
      const messages = context.messages as readonly ChatMessage[];
      if (refusesSystem && messages.some(({ role }) => role === 'system')) {
        throw new Error('System role not supported');
      }
      return `${messages.map(({ role, content }) => `<${role}>${content.trim()}<end>`).join('')}<assistant>`;
    }
  },
});
const none = (): undefined => undefined;
const conversation: readonly ChatMessage[] = [
  { role: 'system', content: 'S' },
  { role: 'user', content: ' ask <end> ' },
  { role: 'assistant', content: 'A' },
  { role: 'user', content: 'B' },
];

test('text that looks like markup stays text, and its white space stays', () => {
  const { tokens } = chatTemplate(tokenizer, jinja(), '', none);
  const text = [...' ask <end> '].map((character) => character.codePointAt(0));
  expect(tokens(conversation.slice(1, 2))).toEqual([-6, ...text, -5, -11]);
});

test('a longer conversation starts with all the tokens of a shorter one', () => {
  const { tokens } = chatTemplate(tokenizer, jinja(), '', none);
  const shorter = tokens(conversation.slice(0, 2));
  expect(tokens(conversation).slice(0, shorter.length)).toEqual(shorter);
});

test('an earlier answer is fed as the tokens it was generated as', () => {
  const recall = (text: string) => (text === 'A' ? [777] : undefined);
  const { tokens } = chatTemplate(tokenizer, jinja(), '', recall);
  expect(tokens(conversation)).toContain(777);
  expect(tokens([{ role: 'user', content: 'A' }])).not.toContain(777);
});

test('a template that refuses system messages gets it inside the first user message', () => {
  const { tokens } = chatTemplate(tokenizer, jinja(true), '', none);
  expect(tokens(conversation.slice(0, 2)).filter((token) => token < 0)).toEqual([-6, -5, -11]);
});

test('neighbours of one role become one message', () => {
  const merged = mergeNeighbours([
    { role: 'user', content: 'a' },
    { role: 'user', content: 'b' },
    { role: 'assistant', content: 'c' },
  ]);
  expect(merged).toEqual([
    { role: 'user', content: 'a\n\nb' },
    { role: 'assistant', content: 'c' },
  ]);
});
