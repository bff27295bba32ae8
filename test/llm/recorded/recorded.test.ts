import { afterEach, describe, expect, it } from 'vitest';
import { ollamaProvider } from '../../../src/llm/ollama/ollama-provider.ts';
import type { ModelInfo } from '../../../src/llm/provider.ts';
import { playedProvider } from '../../../src/llm/recorded/played-provider.ts';
import { recordedProvider } from '../../../src/llm/recorded/recorded-provider.ts';
import { parseRecording, type RecordedTurn } from '../../../src/llm/recorded/recording.ts';
import { recordingProvider } from '../../../src/llm/recorded/recording-provider.ts';
import { takeTurn } from '../../../src/llm/turn/take-turn.ts';
import type { Message } from '../../../src/schema/model/messages.ts';
import type { ModelRequest } from '../../../src/schema/model/turn.ts';
import { type FakeOllama, type Reply, startFakeOllama } from '../../support/fake-ollama.ts';
import { recordingOf } from '../../support/recording-of.ts';
import { ManualClock, requestOf, turn, WRITE_FILE } from '../support.ts';

let server: FakeOllama | undefined;
afterEach(() => server?.close());

const INFO: ModelInfo = {
  model: 'qwen2.5-coder:1.5b',
  digest: 'abc',
  contextWindow: 32768,
  capabilities: { tools: true, schema: true, thinking: false },
};

const SYSTEM: Message = { role: 'system', content: 'You work on files.' };
const user = (content: string): Message => ({ role: 'user', content });
const said = (content: string): Message => ({ role: 'assistant', content });

/** Three turns of one conversation that grows at its end. */
const CONVERSATION: readonly Partial<ModelRequest>[] = [
  {
    messages: [SYSTEM, user('Plan it.')],
    responseSchema: { type: 'object', properties: { p: {} } },
  },
  { messages: [SYSTEM, user('Plan it.'), said('one'), user('Act.')], tools: [WRITE_FILE] },
  {
    messages: [
      SYSTEM,
      user('Plan it.'),
      said('one'),
      user('Act.'),
      said('two'),
      user('Took 12 ms in /tmp/a/b.'),
    ],
  },
];

const REPLIES: readonly Reply[] = [
  { content: 'a plan  of\nmany words ' },
  { content: 'x', toolCalls: [{ name: 'write_file', arguments: { path: 'a', content: 'é' } }] },
  {
    content: 'half',
    errorLine: 'an error was encountered while running the model: unexpected EOF',
  },
];

async function record(matchOf?: () => RecordedTurn['match']) {
  server = await startFakeOllama({ script: (_, n) => REPLIES[n - 1] ?? {} });
  const turns: RecordedTurn[] = [];
  const inner = ollamaProvider({ host: server.url });
  const provider = recordingProvider(inner, (recordedTurn) => turns.push(recordedTurn), matchOf);
  const results = [];
  for (const request of CONVERSATION) results.push(await turn(provider, request));
  await provider.close();
  const recording = recordingOf('ollama', INFO, turns);
  return { results, recording: parseRecording(JSON.stringify(recording), 'test') };
}

/** One turn of a model that says yes; what was recorded of it, read again. */
async function recordOne(messages: readonly Message[]) {
  const turns: RecordedTurn[] = [];
  await turn(
    recordingProvider(playedProvider([{ text: 'yes' }]), (one) => turns.push(one)),
    {
      messages,
    },
  );
  const text = JSON.stringify(recordingOf('ollama', INFO, turns));
  const recording = parseRecording(text, 'test');
  return { recording, provider: recordedProvider(recording) };
}

describe('a recording', () => {
  it('plays back every turn as it was, failures included', async () => {
    const { results, recording } = await record();
    const provider = recordedProvider(recording);
    for (const [index, request] of CONVERSATION.entries()) {
      const { events: _, ...played } = await turn(provider, request);
      const { events: __, ...original } = results[index]!;
      expect(played).toEqual(original);
    }
    expect(await provider.describe(INFO.model, AbortSignal.any([]))).toEqual({
      ...INFO,
      // It was asked with tools, whatever led to it.
      isPublic: true,
      isPlayed: true,
    });
  });

  it('stores each message once, however often it was sent', async () => {
    const { recording } = await record();
    expect(
      recording.turns.map((turn) => [turn.request.keep, turn.request.messages.length]),
    ).toEqual([
      [0, 2],
      [2, 2],
      [4, 2],
    ]);
  });

  it('knows an image by its hash, and a message by what was sent of it', async () => {
    const { provider, recording } = await recordOne([
      {
        role: 'user',
        content: 'See.',
        parts: [],
        images: [{ mediaType: 'image/png', data: 'AAAA' }],
      },
      { role: 'assistant', content: 'A cat.', model: 'another' },
      user('Sure?'),
    ]);
    const asked = (data: string): Partial<ModelRequest> => ({
      messages: [
        { role: 'user', content: 'See.', images: [{ mediaType: 'image/png', data }] },
        said('A cat.'),
        user('Sure?'),
      ],
    });
    expect(JSON.stringify(recording)).not.toContain('AAAA');
    expect((await turn(provider, asked('AAAA'))).status.kind).toBe('success');
    const other = await turn(provider, asked('BBBB'));
    expect(other.detail).toContain('user: its text is the same');
  });

  it('keeps an answer that was cut off because it repeats itself, up to there', async () => {
    server = await startFakeOllama({
      script: () => ({ content: 'again and again. '.repeat(3000) }),
    });
    const turns: RecordedTurn[] = [];
    const inner = ollamaProvider({ host: server.url });
    const recorded = recordingProvider(inner, (recordedTurn) => turns.push(recordedTurn));
    const original = await turn(recorded, CONVERSATION[0]);
    expect(original.status.kind).toBe('truncated');
    const provider = recordedProvider(recordingOf('recorded', INFO, turns));
    expect((await turn(provider, CONVERSATION[0])).status).toEqual(original.status);
  });

  it('can be entered in the middle, as a resumed run does', async () => {
    const { recording } = await record();
    const result = await turn(recordedProvider(recording), CONVERSATION[1]);
    expect(result.message.toolCalls).toHaveLength(1);
  });

  it('answers a turn again when it is asked again', async () => {
    const { recording } = await record();
    const provider = recordedProvider(recording);
    const first = await turn(provider, CONVERSATION[0]);
    expect(await turn(provider, CONVERSATION[0])).toEqual(first);
  });

  it('gives what was asked twice and answered differently in its order', async () => {
    const { recording } = await record();
    const first = recording.turns[0]!;
    const again = { ...first, reply: { ...first.reply!, content: 'another plan' } };
    const provider = recordedProvider({ ...recording, turns: [first, again] });
    const said = [];
    for (let n = 0; n < 3; n += 1)
      said.push((await turn(provider, CONVERSATION[0])).message.content);
    expect(said).toEqual(['a plan  of\nmany words ', 'another plan', 'a plan  of\nmany words ']);
  });

  it('stops between two pieces when it is aborted', async () => {
    const { recording } = await record();
    const abort = new AbortController();
    const provider = recordedProvider(recording);
    const result = await takeTurn(provider, requestOf(CONVERSATION[0]), {
      clock: new ManualClock(),
      signal: abort.signal,
      onEvent: () => abort.abort(),
    });
    expect(result.status).toEqual({ kind: 'aborted' });
  });
});

describe('a request that is not in the recording', () => {
  const refused = async (request: Partial<ModelRequest>) => {
    const { recording } = await record();
    const result = await turn(recordedProvider(recording), request);
    expect(result.status).toEqual({ kind: 'model_error', retryable: false });
    return result.detail;
  };

  it('is told with the turn and the line that differ', async () => {
    const detail = await refused({
      messages: [SYSTEM, user('Plan it.'), said('one'), user('Act\nnow.')],
      tools: [WRITE_FILE],
    });
    expect(detail).toMatch(/turn 2 of 3: message 4 differs: user, line 1/);
    expect(detail).toContain('recorded: "Act."');
    expect(detail).toContain('asked:    "Act\\nnow."');
  });

  it.each([
    [
      'tools',
      { ...CONVERSATION[1], tools: [] },
      /tools differ: recorded \[write_file\], asked none/,
    ],
    [
      'schema',
      { messages: CONVERSATION[0]!.messages! },
      /answer schema differ: recorded \[p\], asked none/,
    ],
    [
      'temperature',
      { ...CONVERSATION[0], temperature: 0.5 },
      /temperature differs: recorded 0.2, asked 0.5/,
    ],
    ['seed', { ...CONVERSATION[0], seed: 8 }, /seed differs: recorded 7, asked 8/],
    [
      'a message too many',
      { messages: [...CONVERSATION[2]!.messages!, user('more')] },
      /turn 3 of 3: message 7 \(user\) is new/,
    ],
    ['a message missing', { messages: [SYSTEM] }, /message 2 \(user\) is missing/],
  ] as const)('%s', async (_, request, says) => {
    expect(await refused(request)).toMatch(says);
  });

  it('another model is not what was recorded', async () => {
    const { recording } = await record();
    const provider = recordedProvider(recording);
    await expect(provider.describe('other', AbortSignal.any([]))).rejects.toMatchObject({
      option: 'model',
      optionValue: 'qwen2.5-coder:1.5b',
    });
  });
});

describe('a turn recorded by shape', () => {
  const last = (content: string): Partial<ModelRequest> => ({
    messages: [...CONVERSATION[2]!.messages!.slice(0, -1), user(content)],
    seed: 99,
  });

  it('allows other numbers and paths', async () => {
    const { recording } = await record(() => 'shape');
    const provider = recordedProvider(recording);
    const result = await turn(provider, last('Took 3.5 ms in C:\\Users\\me\\x.'));
    expect(result.message.content).toBe('half');
  });

  it('allows no other words', async () => {
    const { recording } = await record(() => 'shape');
    const result = await turn(recordedProvider(recording), last('Lost 3 ms in /tmp/a/b.'));
    expect(result.detail).toContain('differs in more than numbers and paths');
  });
});

describe('a file that is not a recording', () => {
  it.each([
    ['{', /not JSON/],
    ['{"format":2}', /format/],
  ])('%s is refused with the reason', (text, says) => {
    expect(() => parseRecording(text, 'demo.json')).toThrow(says);
  });
});
