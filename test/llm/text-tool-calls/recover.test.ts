import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readTextCalls } from '../../../src/llm/text-tool-calls/recover.ts';
import { type RecordingName, recorded } from '../../support/fake-ollama-recordings.ts';
import { decode } from './support.ts';

const TOOLS: Record<string, z.ZodType> = {
  write_file: z.object({
    path: z.string(),
    content: z.string(),
    create_dirs: z.boolean().optional(),
  }),
  read_file: z.strictObject({ path: z.string() }),
  run_cmd: z.strictObject({ cmd: z.string(), timeout_sec: z.number().optional() }),
  list_dir: z.strictObject({ path: z.string() }),
  mark_subtask_complete: z.strictObject({ success: z.boolean(), reason: z.string().optional() }),
};

const read = (text: string, cutOff = false) =>
  readTextCalls(text, {
    judge: (said, args) => {
      const name = said.replace(/^functions\.|:\d+$/g, '');
      const tool = TOOLS[name];
      const isValid = tool?.safeParse(args).success ?? false;
      return {
        tool: tool ? name : null,
        isReadOnly: true,
        usage: tool ? name : '',
        fault: isValid ? null : 'no such call',
      };
    },
    idPrefix: 'text',
    cutOff,
  });

const recover = (text: string, cutOff = false) => {
  const reading = read(text, cutOff);
  return reading.kind === 'calls' ? reading.calls : [];
};

const namesAndArgs = (text: string) => recover(text).map((call) => [call.name, call.args]);

const contentOf = (name: RecordingName): string =>
  recorded(name)
    .body.trim()
    .split('\n')
    .map((line) => JSON.parse(line).message.content)
    .join('');

const HI = { path: 'a.txt', content: 'hi' };
const CALL = '{"name": "write_file", "arguments": {"path": "a.txt", "content": "hi"}}';

describe('what a real Qwen2.5-Coder wrote', () => {
  it.each<[RecordingName, [string, Record<string, unknown>][]]>([
    ['chat_tools_stream', [['write_file', { path: 'hello.txt', content: 'Hello, world!' }]]],
    ['chat_tools_nostream', [['write_file', HI]]],
    ['native_call_stream', [['write_file', HI]]],
    [
      'native_two_calls',
      [
        ['write_file', HI],
        ['mark_subtask_complete', { success: true }],
      ],
    ],
    ['native_unknown_tool', []],
    ['native_bad_json', []],
  ])('%s', (name, calls) => {
    expect(namesAndArgs(contentOf(name))).toEqual(calls);
  });

  it('an answer that was cut off holds no call', () => {
    expect(recover(contentOf('native_call_cut_by_length'), true)).toEqual([]);
    expect(recover(CALL, true)).toEqual([]);
  });
});

describe('every known form of a call is found', () => {
  const ARGS = '{"path": "a.txt", "content": "hi"}';
  it.each([
    ['bare', CALL],
    ['after prose', `Sure, I will do that.\n\n${CALL}\nDone.`],
    ['outer braces doubled', `{{"name": "write_file", "arguments": ${ARGS}}}`],
    [
      'outer braces doubled, one too many at the end',
      `{{"name": "write_file", "arguments": ${ARGS}}}}`,
    ],
    [
      'all braces doubled',
      '{{"name": "write_file", "arguments": {{"path": "a.txt", "content": "hi"}}}}',
    ],
    ['outer brace doubled at the start only', `{{"name": "write_file", "arguments": ${ARGS}}`],
    ['json fence', `Here:\n\`\`\`json\n${CALL}\n\`\`\``],
    ['fence without a name', `\`\`\`\n${CALL}\n\`\`\``],
    ['fence that is not closed', `\`\`\`json\n${CALL}`],
    [
      'doubled braces in a fence',
      `\`\`\`json\n{{"name": "write_file", "arguments": ${ARGS}}}\n\`\`\``,
    ],
    ['Hermes', `<tool_call>\n${CALL}\n</tool_call>`],
    ['Hermes, not closed', `<tool_call>\n${CALL}`],
    ['Hermes, closed by another opening', `<tool_call>${CALL}<tool_call>`],
    ['tools tag', `<tools>${CALL}</tools>`],
    ['function_call tag', `<function_call>${CALL}</function_call>`],
    ['Llama 3', `{"name": "write_file", "parameters": ${ARGS}}`],
    ['Llama 3 with its token', `<|python_tag|>{"name": "write_file", "parameters": ${ARGS}}`],
    [
      'OpenAI',
      `{"type":"function","function":{"name":"write_file","arguments":${JSON.stringify(ARGS)}}}`,
    ],
    ['list', `[${CALL}]`],
    ['tool and args', `{"tool": "write_file", "args": ${ARGS}}`],
    ['Mistral 7B', `[TOOL_CALLS][${CALL}]`],
    ['LM Studio', `[TOOL_REQUEST]${CALL}[END_TOOL_REQUEST]`],
    [
      'Cohere',
      `<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "write_file", "parameters": ${ARGS}}]<|END_ACTION|>`,
    ],
    [
      'Qwen3-Coder',
      '<tool_call>\n<function=write_file>\n<parameter=path>\na.txt\n</parameter>\n<parameter=content>\nhi\n</parameter>\n</function>\n</tool_call>',
    ],
    ['thinking before it', `<think>I could run rm.</think>${CALL}`],
    ['thinking whose beginning the template wrote', `I could.\n</think>\n${CALL}`],
  ])('%s', (_, text) => {
    expect(namesAndArgs(text)).toEqual([['write_file', HI]]);
  });

  it('several calls keep their order and get ids of their own', () => {
    const calls = recover(`${CALL}\n{"name":"run_cmd","arguments":{"cmd":"python a.py"}}`);
    expect(calls.map((call) => [call.id, call.name])).toEqual([
      ['text_1', 'write_file'],
      ['text_2', 'run_cmd'],
    ]);
  });
});

describe('the content of a file comes through whole', () => {
  const written = (content: string, frame: (json: string) => string = (json) => json) =>
    recover(frame(JSON.stringify({ name: 'write_file', arguments: { path: 'a', content } })));

  it.each([
    ['braces', 'function f() { if (x) { return {{a: 1}} }}'],
    ['a fence', '# Title\n```python\nprint(1)\n```\nend'],
    ['another call in a fence', `Example:\n\`\`\`json\n${CALL}\n\`\`\`\n`],
    ['a tag', 'see <tool_call>{"name": "list_dir", "arguments": {"path": "."}}</tool_call>'],
    ['quotes and backslashes', 'print("C:\\\\temp\\n")  # \\d'],
  ])('with %s', (_, content) => {
    const frames = [
      (json: string) => json,
      (json: string) => `\`\`\`json\n${json}\n\`\`\``,
      (json: string) => `<tool_call>${json}</tool_call>`,
      (json: string) => json.replace(/^\{/, '{{').replace(/\}$/, '}}'),
    ];
    for (const frame of frames) {
      const calls = written(content, frame);
      expect(calls.map((call) => call.args)).toEqual([{ path: 'a', content }]);
    }
  });

  it('with line breaks that were not escaped, which can mean nothing else', () => {
    const text = '{"name": "write_file", "arguments": {"path": "a", "content": "one\n\ttwo\n"}}';
    expect(namesAndArgs(text)).toEqual([['write_file', { path: 'a', content: 'one\n\ttwo\n' }]]);
  });
});

describe('what is no whole JSON is guessed for no tool', () => {
  it.each([
    ['names without quotes', '{name: "run_cmd", arguments: {cmd: "ls"}}'],
    ['single quotes', "{'name': 'run_cmd', 'arguments': {'cmd': 'ls'}}"],
    ['a comma too many', '{"name": "run_cmd", "arguments": {"cmd": "ls",}}'],
    ['a brace too few', '{"name": "run_cmd", "arguments": {"cmd": "ls"}'],
    ['a brace too few in a fence', '```json\n{"name": "run_cmd", "arguments": {"cmd": "ls"}\n```'],
    [
      'a brace too few in a tag',
      '<tool_call>{"name": "run_cmd", "arguments": {"cmd": "ls"}</tool_call>',
    ],
  ])('%s', (_, text) => {
    expect(read(text)).toMatchObject({ kind: 'shown_back' });
  });
});

describe('what is no call is not carried out', () => {
  it.each([
    ['a name that is not declared', '{"name": "delete_all", "arguments": {}}'],
    ['arguments that do not fit', '{"name": "write_file", "arguments": {"file": "a"}}'],
    ['only thought of', `<think>${CALL}</think>Let me ask first.`],
    ['thought of without an end', `<think>maybe ${CALL}`],
    ['shown as code', `In Python you could write:\n\`\`\`python\ncall = ${CALL}\n\`\`\``],
    ['JSON that means something else', '```json\n{"scripts": {"test": "vitest"}}\n```'],
    ['prose', 'Use list_dir(path=".") to see [the files] in {this} folder.'],
    ['a Python list', '[1, 2, 3]'],
    ['an empty answer', ''],
  ])('%s', (_, text) => {
    expect(recover(text)).toEqual([]);
  });

  it('a stray bracket in prose does not hide the call after it', () => {
    expect(namesAndArgs(`Use { to open a block: \n${CALL}`)).toEqual([['write_file', HI]]);
  });

  it('a text with thousands of beginnings is not looked at without end', () => {
    let looks = 0;
    const count = () => {
      looks += 1;
    };
    expect(decode('to=nope{ '.repeat(5000), count).kind).toBe('text');
    expect(looks).toBeLessThan(1100);
  });

  it.each(['{', '[{"a":', '<tool_call>', '```json\n{', '{{', '"\\', '<think>'])(
    'thousands of %j are read to the end',
    (unit) => {
      expect(recover(unit.repeat(1000))).toEqual([]);
    },
  );
});
