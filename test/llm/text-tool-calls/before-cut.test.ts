import { describe, expect, it } from 'vitest';
import { readTextCalls } from '../../../src/llm/text-tool-calls/recover.ts';

const KNOWN = ['write_file', 'read_file', 'delete_file'];

const wholeCalls = (text: string): readonly string[] => {
  const reading = readTextCalls(text, {
    judge: (name) => {
      const tool = KNOWN.includes(name) ? name : null;
      return { tool, isReadOnly: false, usage: '', fault: tool ? null : 'no such tool' };
    },
    idPrefix: 'text',
    cutOff: true,
  });
  return reading.kind === 'calls' ? reading.calls.map(({ args }) => String(args.path)) : [];
};

const json = (path: string, name = 'write_file'): string =>
  JSON.stringify({ name, arguments: { path, content: 'x' } });
const tagged = (path: string): string => `<tool_call>\n${json(path)}\n</tool_call>\n`;
const CUT = '{"name": "write_file", "arguments": {"path": "z", "content": "half';

describe('calls in the text of an answer that was cut off', () => {
  it.each<[string, string, readonly string[]]>([
    ['between tags', `${tagged('a')}${tagged('b')}<tool_call>\n${CUT}`, ['a', 'b']],
    ['between tags, behind words', `I write both.\n${tagged('a')}<tool_call>\n${CUT}`, ['a']],
    ['between tags, the next only begun', `${tagged('a')}<tool_call>`, ['a']],
    ['bare', `${json('a')}\n${json('b')}\n${CUT}`, ['a', 'b']],
    ['in fences', `\`\`\`json\n${json('a')}\n\`\`\`\n\`\`\`json\n${CUT}`, ['a']],
  ])('that stood whole before the cut are read: %s', (_, text, paths) => {
    expect(wholeCalls(text)).toEqual(paths);
  });

  it.each<[string, string]>([
    ['the only one', tagged('a')],
    ['the only one, cut', CUT],
    ['one as content of a call that was cut', `${CUT}\n${tagged('a')}<tool_call>{"na`],
    ['one as content of a tagged one', `<tool_call>${CUT}\n${tagged('a')}<tool_call>{"na`],
    ['one behind code', `const a = {\n${json('a', 'delete_file')}\n{"b": 1`],
    ['one behind words', `For example ${json('a')} and then {`],
    ['one of a tool that nobody knows', `${json('a', 'other')}\n${CUT}`],
    ['one inside a fence that was cut', `\`\`\`md\nUse it so:\n${json('a')}\n${json('b')}\n${CUT}`],
  ])('are no calls where they may be none: %s', (_, text) => {
    expect(wholeCalls(text)).toEqual([]);
  });
});
