import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/schema/model/messages.ts';
import type { ModelRequest } from '../../../src/schema/model/turn.ts';
import { WRITE_FILE } from '../support.ts';
import { answering, connect } from './support.ts';

type Blocks = readonly Readonly<Record<string, unknown>>[];

/** The turns as sent, cache marks apart. Whatever the API would refuse fails the test. */
async function sent(messages: readonly Message[], changes: Partial<ModelRequest> = {}) {
  const { ask, server } = await connect();
  const result = await ask({ messages, tools: [WRITE_FILE], ...changes });
  expect(result).toMatchObject({ status: { kind: 'success' }, detail: '' });
  const body = server.body(-1);
  const turns = body.messages.map(({ role, content }) => [role, content.map(withoutMark)] as const);
  return { body, turns };
}

const withoutMark = ({ cache_control: _, ...block }: Blocks[number]) => block;
const text = (value: string) => ({ type: 'text', text: value });
const user = (content: string): Message => ({ role: 'user', content });
const tool = (toolCallId: string, content: string): Message => ({
  role: 'tool',
  toolCallId,
  toolName: 'write_file',
  content,
});
const calling = (...ids: string[]): Message => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => ({ id, name: 'write_file', args: { path: id } })),
});
const use = (id: string, path = id) => ({
  type: 'tool_use',
  id,
  name: 'write_file',
  input: { path },
});
const result = (id: string, content: string) => ({ type: 'tool_result', tool_use_id: id, content });

describe('turns', () => {
  it('results come first and together, and words of one role are one turn', async () => {
    const { turns } = await sent([
      { role: 'system', content: 'S' },
      user('Go'),
      user('Now'),
      calling('a', 'b'),
      tool('a', 'one'),
      user('and mind'),
      tool('b', 'two'),
      user('the gap'),
    ]);
    expect(turns).toEqual([
      ['user', [text('Go'), text('Now')]],
      ['assistant', [use('a'), use('b')]],
      ['user', [result('a', 'one'), result('b', 'two'), text('and mind'), text('the gap')]],
    ]);
  });

  it('two answers in a row are one, and a blank one is none', async () => {
    const { turns } = await sent([
      user('Go'),
      { role: 'assistant', content: 'One.' },
      { role: 'assistant', content: ' \n' },
      { role: 'assistant', content: 'Two.' },
      user('  '),
      user('On'),
    ]);
    expect(turns).toEqual([
      ['user', [text('Go')]],
      ['assistant', [text('One.'), text('Two.')]],
      ['user', [text('On')]],
    ]);
  });

  it('a call without a result gets one, and a result without its call is told as text', async () => {
    const { turns } = await sent([user('Go'), calling('a'), tool('z', 'lost'), user('On')]);
    expect(turns.at(-1)).toEqual([
      'user',
      [
        result('a', 'There is no result of this call.'),
        text('Result of write_file:\nlost'),
        text('On'),
      ],
    ]);
  });

  it('an empty result is a result', async () => {
    const { turns } = await sent([user('Go'), calling('a'), tool('a', '')]);
    expect(turns.at(-1)).toEqual(['user', [{ type: 'tool_result', tool_use_id: 'a' }]]);
  });

  it('the first and the last word are the user’s', async () => {
    const { turns } = await sent([{ role: 'assistant', content: 'Hello.' }]);
    expect(turns.map(([role]) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('only what the system says at the start is the system prompt', async () => {
    const { body, turns } = await sent([
      { role: 'system', content: 'S1' },
      { role: 'system', content: 'S2' },
      user('Go'),
      { role: 'system', content: 'later' },
    ]);
    expect(body.system?.map((block) => block.text)).toEqual(['S1\n\nS2']);
    expect(turns).toEqual([['user', [text('Go'), text('later')]]]);
  });
});

describe('ids and names another provider gave', () => {
  it('ids become ones the API takes, each once, and results find theirs', async () => {
    const { turns } = await sent([
      user('Go'),
      calling('functions.write:0', 'functions_write_0', ''),
      tool('functions.write:0', 'one'),
      tool('functions_write_0', 'two'),
      tool('', 'three'),
      calling('functions.write:0'),
      tool('functions.write:0', 'four'),
    ]);
    const ids = turns.map(([, blocks]) => blocks.map((block) => block.id ?? block.tool_use_id));
    expect(ids.slice(1)).toEqual([
      ['functions_write_0', 'functions_write_0_2', 'call'],
      ['functions_write_0', 'functions_write_0_2', 'call'],
      ['functions_write_0_3'],
      ['functions_write_0_3'],
    ]);
  });

  const named = (name: string) => ({ ...WRITE_FILE, name });

  it('tool names go out safe and come back as they were', async () => {
    const tools = [named('mcp.files.read'), named('mcp_files_read'), named(`x.${'y'.repeat(80)}`)];
    const { ask, server } = await connect({
      script: (body) => ({
        blocks: (body.tools ?? []).map(({ name }, index) => ({
          type: 'tool_use',
          id: `toolu_${index}`,
          name,
          input: {},
        })),
      }),
    });
    const { message, events, status } = await ask({ tools });
    expect(status).toEqual({ kind: 'success' });
    expect(message.toolCalls?.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    expect(events.find((event) => event.type === 'tool_call_started')).toMatchObject({
      name: 'mcp.files.read',
    });
    expect(server.body(0).tools?.map(({ name }) => name)).toEqual([
      'mcp_files_read',
      'mcp_files_read_2',
      `x_${'y'.repeat(62)}`,
    ]);
  });

  it('a tool nobody declared keeps the name the model gave it', async () => {
    const block = { type: 'tool_use', id: 'toolu_1', name: 'invented', input: {} };
    const { ask } = await answering({ blocks: [block] });
    expect((await ask({ tools: [WRITE_FILE] })).message.toolCalls?.[0]?.name).toBe('invented');
  });

  it('tools called earlier are declared where none may be called now', async () => {
    const messages = [user('Go'), calling('a'), tool('a', 'ok')];
    const { tools: _, ...none } = { tools: undefined };
    const { ask, server } = await connect();
    expect((await ask({ messages, ...none })).status).toEqual({ kind: 'success' });
    expect(server.body(0)).toMatchObject({
      tools: [{ name: 'write_file' }],
      tool_choice: { type: 'none' },
    });
  });
});

describe('thinking blocks', () => {
  const thought = (thinking: string) => ({
    type: 'thinking',
    thinking,
    signature: `signed(${thinking})`,
  });
  const hidden = { type: 'redacted_thinking', data: 'EmwKAhgB' };
  const blocks = [
    thought('First, a.'),
    text('I write.'),
    use('a'),
    hidden,
    thought('Then b.'),
    use('b'),
  ];

  /** An answer with thinking, and the conversation that goes on from it. */
  async function thinkingTurn() {
    const { ask } = await answering({ blocks });
    const answer = await ask({ tools: [WRITE_FILE] });
    expect(answer.status).toEqual({ kind: 'success' });
    return { answer, messages: [user('Go'), answer.message, tool('a', '1'), tool('b', '2')] };
  }

  it('are told as thinking and kept as opaque blocks', async () => {
    const { answer } = await thinkingTurn();
    expect(answer.message.thinking).toBe('First, a.Then b.');
    expect(answer.message.content).toBe('I write.');
    expect(answer.message.opaque?.provider).toBe('anthropic');
  });

  it('go back unmodified and in their place, also after a stay in a journal', async () => {
    const { messages } = await thinkingTurn();
    const { turns } = await sent(JSON.parse(JSON.stringify(messages)));
    expect(turns[1]).toEqual(['assistant', blocks]);
  });

  it('come first where the answer is no longer what it was', async () => {
    const { messages, answer } = await thinkingTurn();
    const { turns } = await sent([
      messages[0]!,
      { ...answer.message, toolCalls: [], content: 'I.' },
    ]);
    expect(turns[1]).toEqual([
      'assistant',
      [thought('First, a.'), hidden, thought('Then b.'), text('I.')],
    ]);
  });

  it('of another model or provider, or in an unknown form, are dropped', async () => {
    const { answer } = await thinkingTurn();
    const signed = answer.message.opaque?.blocks as object;
    for (const opaque of [
      { provider: 'other', blocks: signed },
      { provider: 'anthropic', blocks: { ...signed, model: 'claude-opus-5-5' } },
      { provider: 'anthropic', blocks: ['?'] },
    ]) {
      const { turns } = await sent([user('Go'), { role: 'assistant', content: 'Hm.', opaque }]);
      expect(turns[1]).toEqual(['assistant', [text('Hm.')]]);
    }
  });

  it('whose signature is refused are left out of the next try', async () => {
    const { messages } = await thinkingTurn();
    const damaged = JSON.parse(JSON.stringify(messages).replaceAll('"First, a."', '"Changed."'));
    const { turns } = await sent(damaged);
    expect(turns[1]).toEqual(['assistant', [text('I write.'), use('a'), use('b')]]);
  });
});

describe('prompt caching', () => {
  const rounds = (n: number): Message[] => [
    { role: 'system', content: 'S' },
    user('Go'),
    ...Array.from({ length: n }, (_, i) => [calling(`c${i}`), tool(`c${i}`, `r${i}`)]).flat(),
  ];

  it('marks what never changes and the two newest turns of the user, never more than four', async () => {
    for (const n of [0, 1, 2, 8]) {
      const { body } = await sent(rounds(n));
      const marked = body.messages.flatMap(({ content }, index) =>
        content.some((block) => block.cache_control) ? [index] : [],
      );
      const last = body.messages.length - 1;
      expect(marked).toEqual(n === 0 ? [0] : [last - 2, last]);
      expect(body.system?.[0]?.cache_control).toEqual({ type: 'ephemeral' });
      expect(body.tools?.some((one) => one.cache_control)).toBe(false);
    }
  });

  it('marks the tools where there is no system prompt', async () => {
    const { body } = await sent([user('Go')]);
    expect(body.tools?.[0]?.cache_control).toEqual({ type: 'ephemeral' });
  });

  it('a request begins with the one before, marks apart, and marks where that one ended', async () => {
    const bytes = ({ body, turns }: Awaited<ReturnType<typeof sent>>) => {
      const { messages: _, ...head } = body;
      return JSON.stringify([head, turns]).slice(0, -2);
    };
    for (let n = 0; n < 4; n += 1) {
      const before = await sent(rounds(n));
      const after = await sent(rounds(n + 1));
      expect(bytes(after).startsWith(bytes(before))).toBe(true);
      expect(after.body.messages[before.body.messages.length - 1]).toEqual(
        before.body.messages.at(-1),
      );
    }
  });
});
