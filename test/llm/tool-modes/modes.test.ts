import { describe, expect, it } from 'vitest';
import { jsonMode } from '../../../src/llm/tool-modes/json.ts';
import { nativeMode } from '../../../src/llm/tool-modes/native.ts';
import type { DecodeContext, EncodeContext } from '../../../src/llm/tool-modes/tool-mode.ts';
import type { ModelQuestion } from '../../../src/schema/model/question.ts';
import type { JsonSchema } from '../../../src/schema/model/turn.ts';
import { judgeCall } from '../../../src/tools/calls/validate-call.ts';
import { definitionsFor } from '../../../src/tools/registry.ts';
import { toolNamesOf } from '../../../src/tools/toolset.ts';
import { DEFINITIONS, NAMES, TOOLS } from '../../support/built-in-tools.ts';

const encoding: EncodeContext = {
  tools: DEFINITIONS,
  names: NAMES,
  planSchema: { type: 'object' },
  briefSchema: () => ({ type: 'object' }),
  contextWindow: 8192,
};
const decoding: DecodeContext = {
  tools: DEFINITIONS,
  names: NAMES,
  callId: 'call_7',
  judge: (name, args) => judgeCall({ id: 'call_7', name, args }, TOOLS),
  target: () => ({ isFilled: false }),
};

const MINE: { readonly [name: string]: string } = {
  write_file: 'save',
  list_dir: 'ls',
  mark_subtask_complete: 'finish',
};

const reply = (content: string) => ({ role: 'assistant' as const, content });

const CHOICE: ModelQuestion = {
  kind: 'action',
  open: [
    {
      does: 'writes_whole_files',
      choices: { path: ['a.py', 'b.py'] },
      only: ['path'],
    },
    { does: 'runs_commands', fixed: { cmd: 'python a.py' }, only: ['cmd', 'stdin'] },
    { does: 'ends_subtasks', fixed: { success: false }, only: ['success', 'reason'] },
  ],
};

const schemaOf = (question: ModelQuestion): JsonSchema =>
  jsonMode.encode(question, encoding).responseSchema ?? {};

describe('json mode', () => {
  it('knows no tool by name: others that do the same are asked for in the same form', () => {
    const renamed = TOOLS.map((tool) => ({ ...tool, name: MINE[tool.name] ?? tool.name }));
    const own = {
      tools: definitionsFor(renamed, { callsTools: false, window: 8192 }),
      names: toolNamesOf(renamed),
    };
    const question: ModelQuestion = {
      kind: 'action',
      open: [
        { does: 'writes_whole_files', only: ['path'] },
        { does: 'lists_folders' },
        { does: 'ends_subtasks', only: ['success', 'reason', 'answer'] },
      ],
    };
    const { responseSchema } = jsonMode.encode(question, { ...encoding, ...own });
    const actions = responseSchema?.anyOf as readonly JsonSchema[];
    const keys = actions.map(({ required }) => required);
    expect(keys).toEqual([
      ['action', 'because', 'file'],
      ['action', 'because', 'path'],
      ['action', 'answer', 'reason', 'success'],
    ]);
    const block = reply('```\nx = 1\n```');
    const context = { ...decoding, ...own };
    expect(jsonMode.decode({ kind: 'content', file: 'a.py' }, block, context)).toMatchObject({
      calls: [{ name: 'save', args: { path: 'a.py', content: 'x = 1\n' } }],
    });
  });

  it('narrows each open action to its choices, its fixed values and what is left out', () => {
    const [write, run, end] = schemaOf(CHOICE).anyOf as readonly Record<string, JsonSchema>[];
    expect(write?.properties).toMatchObject({
      action: { const: 'write_file' },
      file: { enum: ['a.py', 'b.py'] },
    });
    expect(write?.properties).not.toHaveProperty('content');
    expect(run?.properties).toMatchObject({ cmd: { const: 'python a.py' } });
    expect(end?.properties).toMatchObject({ success: { const: false } });
    expect(end?.properties).not.toHaveProperty('answer');
  });

  it('asks for the deciding key first: keys stand in the order in which they are answered', () => {
    for (const one of schemaOf(CHOICE).anyOf as readonly JsonSchema[]) {
      const names = Object.keys(one.properties as object);
      expect(names).toEqual([...names].sort());
      expect(names[0]).toBe('action');
      expect(one).toMatchObject({ required: names, additionalProperties: false });
    }
  });

  it('sends a single open action without a choice around it, and never tools', () => {
    const question: ModelQuestion = {
      kind: 'action',
      open: CHOICE.kind === 'action' ? [CHOICE.open[1]!] : [],
    };
    expect(schemaOf(question)).toMatchObject({ type: 'object' });
    expect(jsonMode.encode(CHOICE, encoding)).not.toHaveProperty('tools');
    expect(jsonMode.encode({ kind: 'content', file: 'a.py' }, encoding)).not.toHaveProperty(
      'responseSchema',
    );
  });

  it('reads an action: file is the path, the fixed values hold, chatter and empty input go', () => {
    const text = JSON.stringify({
      action: 'run_cmd',
      because: 'it is next',
      cmd: 'rm -rf /',
      stdin: '',
    });
    expect(jsonMode.decode(CHOICE, reply(text), decoding)).toEqual({
      kind: 'calls',
      recovered: false,
      calls: [{ id: 'call_7', name: 'run_cmd', args: { cmd: 'python a.py' } }],
    });
    const write = '```json\n{"action":"write_file","because":"","file":"a.py"}\n```';
    expect(jsonMode.decode(CHOICE, reply(write), decoding)).toMatchObject({
      calls: [{ name: 'write_file', args: { path: 'a.py' } }],
    });
  });

  it.each([
    ['prose', 'I will write it.'],
    ['a list', '[1]'],
    ['half an object', '{"action":"run_'],
    ['an action that is not open', '{"action":"read_file","file":"a.py"}'],
    ['no action', '{}'],
  ])('says why it cannot use %s', (_, text) => {
    const decoded = jsonMode.decode(CHOICE, reply(text), decoding);
    expect(decoded.kind).toBe('invalid');
    expect(decoded.kind === 'invalid' && decoded.error.length).toBeGreaterThan(10);
  });

  it('makes a write of a content answer, and says what is wrong with one that has no code', () => {
    const question: ModelQuestion = { kind: 'content', file: 'a.py' };
    expect(jsonMode.decode(question, reply('```\nx = 1\n```'), decoding)).toMatchObject({
      calls: [{ id: 'call_7', name: 'write_file', args: { path: 'a.py', content: 'x = 1\n' } }],
    });
    expect(jsonMode.decode(question, reply('Sure.'), decoding).kind).toBe('invalid');
  });

  it('takes no block of a program for a text or data that is there', () => {
    const taken = (label: string, isFilled: boolean) =>
      jsonMode.decode(
        { kind: 'content', file: 'stock.csv' },
        reply(`\`\`\`${label}\na,1\n\`\`\``),
        {
          ...decoding,
          target: () => ({ isFilled, isForeign: (one) => one === 'python' }),
        },
      );
    expect(taken('Python', true)).toEqual({
      kind: 'invalid',
      error: 'stock.csv is no program. Answer with what is to stand in it.',
    });
    expect(taken('python', false).kind).toBe('calls');
    for (const label of ['', 'csv']) expect(taken(label, true).kind).toBe('calls');
  });

  describe('an answer without a code block', () => {
    const CODE = 'x = 1\nprint(x)';
    const TALK = 'All tests pass now.\n\nTwo faults were fixed: the sign and the rounding.';
    const taken = (text: string, isFilled: boolean) =>
      jsonMode.decode({ kind: 'content', file: 'a.py' }, reply(text), {
        ...decoding,
        target: () => ({ isFilled }),
      });

    it('is asked for again, prose or code, whether or not there is a file', () => {
      for (const [text, isFilled] of [
        [CODE, true],
        [TALK, false],
      ] as const)
        expect(taken(text, isFilled)).toEqual({
          kind: 'invalid',
          error: 'There was no code block. Answer with one code block and nothing else.',
        });
    });

    it('is asked for again where it is an action, in a block or not', () => {
      const action = JSON.stringify({ action: 'write_file', file: 'a.py', content: 'x = 1\n' });
      for (const text of [action, `\`\`\`json\n${action}\n\`\`\``])
        expect(taken(text, true)).toMatchObject({
          error: 'Answer with the content of the file in a code block, not with an action.',
        });
      const data = '```json\n{"action": "jump"}\n```';
      expect(taken(data, true)).toMatchObject({
        calls: [{ args: { content: expect.anything() } }],
      });
    });
  });

  it('asks for a text of several lines by what each line answers, in order', () => {
    const asked: ModelQuestion = {
      kind: 'action',
      open: [
        {
          does: 'runs_commands',
          fixed: { cmd: 'python a.py' },
          only: ['cmd', 'stdin'],
          lines: { stdin: ['Player 1, "choose": ', 'Größe?', 'Player 1, "choose": '] },
        },
      ],
    };
    const { stdin } = schemaOf(asked).properties as Record<string, JsonSchema>;
    const keys = Object.keys(stdin?.properties as object);
    expect(keys).toEqual(['1_Player_1_choose', '2_Gr_e', '3_Player_1_choose']);
    expect(stdin?.required).toEqual(keys);
    const answered = (stdin: unknown) =>
      jsonMode.decode(asked, reply(JSON.stringify({ action: 'run_cmd', stdin })), decoding);
    const typed = (text: string) => ({
      kind: 'calls',
      recovered: false,
      calls: [{ id: 'call_7', name: 'run_cmd', args: { cmd: 'python a.py', stdin: text } }],
    });
    const [first = '', second = '', third = ''] = keys;
    expect(answered({ [third]: 'c', [first]: 'a', [second]: 'b' })).toEqual(typed('a\nb\nc'));
    expect(answered({ one: 'a', other: 'b' })).toEqual(typed('a\nb'));
    expect(answered('a\nb')).toEqual(typed('a\nb'));
    const far = ' '.repeat(300_000);
    expect(answered({ one: `a \n\n b${far}c` })).toEqual(typed(`a b${far}c`));
  });

  it('shows a conversation begun in native mode as plain text', () => {
    const shown = jsonMode.conversation([
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'c', name: 'read_file', args: { path: 'a' } }],
      },
      { role: 'tool', content: 'text', toolCallId: 'c', toolName: 'read_file' },
    ]);
    expect(shown).toEqual([
      { role: 'assistant', content: '{"action":"read_file","path":"a"}' },
      { role: 'user', content: 'text' },
    ]);
  });
});

describe('native mode', () => {
  it('sends every tool with every question but that for a plan, which is constrained instead', () => {
    expect(nativeMode.encode(CHOICE, encoding).tools).toEqual(DEFINITIONS);
    expect(nativeMode.encode(CHOICE, encoding)).not.toHaveProperty('responseSchema');
    expect(nativeMode.encode({ kind: 'plan' }, encoding)).not.toHaveProperty('tools');
  });

  it('takes calls as they came', () => {
    const toolCalls = [{ id: 'c1', name: 'read_file', args: { path: 'a' } }];
    expect(nativeMode.decode(CHOICE, { ...reply(''), toolCalls }, decoding)).toEqual({
      kind: 'calls',
      calls: toolCalls,
      recovered: false,
    });
  });

  it('recovers a call that was written as text, and says so', () => {
    const text = '{"name":"read_file","arguments":{"path":"a"}}';
    expect(nativeMode.decode(CHOICE, reply(text), decoding)).toMatchObject({
      kind: 'calls',
      recovered: true,
      calls: [{ name: 'read_file', args: { path: 'a' } }],
    });
    expect(nativeMode.decode(CHOICE, reply('I shall read it.'), decoding)).toEqual({
      kind: 'text',
    });
  });

  it('does not look into the text where there is a native call', () => {
    const text = '{"name":"run_cmd","arguments":{"cmd":"ls"}}';
    const toolCalls = [{ id: 'c1', name: 'read_file', args: { path: 'a' } }];
    expect(nativeMode.decode(CHOICE, { ...reply(text), toolCalls }, decoding)).toEqual({
      kind: 'calls',
      calls: toolCalls,
      recovered: false,
    });
  });

  it('does not look into thinking', () => {
    const thinking = '{"name":"run_cmd","arguments":{"cmd":"ls"}}';
    expect(nativeMode.decode(CHOICE, { ...reply('Well.'), thinking }, decoding)).toEqual({
      kind: 'text',
    });
  });

  it('asks again for a call that is no valid JSON', () => {
    const text = '{"name":"run_cmd","arguments":{cmd:"ls"}}';
    const decoded = nativeMode.decode(CHOICE, reply(text), decoding);
    expect(decoded).toEqual({
      kind: 'invalid',
      error: expect.stringContaining('run_cmd'),
    });
  });
});

it('keeps an answer to half of the window at most', () => {
  for (const codec of [nativeMode, jsonMode]) {
    const small = { ...encoding, contextWindow: 1000 };
    const wanted = codec.encode({ kind: 'content', file: 'a' }, small).maxOutputTokens;
    expect(wanted).toBeLessThanOrEqual(500);
  }
});
