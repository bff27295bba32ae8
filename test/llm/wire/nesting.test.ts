import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeFileSystem } from '../../../src/lib/files/file-system.ts';
import { readChunks } from '../../../src/llm/ollama/read-chunks.ts';
import { parseRecording } from '../../../src/llm/recorded/recording.ts';
import { openRecordingFile } from '../../../src/llm/recorded/recording-file.ts';
import { jsonMode } from '../../../src/llm/tool-modes/json.ts';
import { isTooDeep } from '../../../src/llm/wire/nesting.ts';
import { NAMES } from '../../support/built-in-tools.ts';
import { diligentModel } from '../../support/models.ts';
import { runIn } from '../../support/run-in.ts';
import { type Script, scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld } from '../../support/test-machine.ts';
import { answering as anthropicAnswering } from '../anthropic/support.ts';
import { answering as openAiAnswering } from '../openai/support.ts';
import { requestOf, turn, WRITE_FILE } from '../support.ts';

/** JSON with an object outside and `levels` in all. */
const nested = (levels: number): string =>
  `{"path":${'['.repeat(levels - 1)}0${']'.repeat(levels - 1)}}`;

const DEEP = nested(60_000);
const deepArgs = (): Record<string, unknown> => JSON.parse(DEEP);

const INVALID = {
  status: { kind: 'invalid_response', ofCall: true },
  detail: expect.stringMatching(/^The arguments of the call to write_file are nested deeper/),
};

describe('a value', () => {
  it.each([
    [1, false],
    [64, false],
    [65, true],
    [60_000, true],
  ])('of %i levels: too deep is %s', (levels, answer) => {
    expect(isTooDeep(JSON.parse(nested(levels)))).toBe(answer);
  });
});

describe('a call nested 60,000 levels deep is no answer', () => {
  const ask = { tools: [WRITE_FILE] };
  const asText = JSON.stringify(DEEP);

  it.each([
    ['as text', asText],
    ['as an object', DEEP],
  ])('of an OpenAI-compatible server, its arguments %s', async (_, argument) => {
    const call = `{"index":0,"id":"x","function":{"name":"write_file","arguments":${argument}}}`;
    const data = `{"choices":[{"index":0,"delta":{"tool_calls":[${call}]},"finish_reason":"tool_calls"}]}`;
    const { provider } = await openAiAnswering({ stream: `data: ${data}\n\ndata: [DONE]\n\n` });
    expect(await turn(provider, ask)).toMatchObject(INVALID);
  });

  it.each([
    ['in pieces', '{}', asText],
    ['whole at its start', DEEP, null],
  ])('of an Anthropic server, %s', async (_, input, delta) => {
    const block = `{"type":"tool_use","id":"x","name":"write_file","input":${input}}`;
    const events = [
      '{"type":"message_start","message":{}}',
      `{"type":"content_block_start","index":0,"content_block":${block}}`,
      ...(delta === null
        ? []
        : [
            `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":${delta}}}`,
          ]),
      '{"type":"message_delta","delta":{"stop_reason":"tool_use"}}',
      '{"type":"message_stop"}',
    ];
    const raw = events.map((data) => `event: ${JSON.parse(data).type}\ndata: ${data}\n\n`).join('');
    const connected = await anthropicAnswering({ raw });
    expect(await connected.ask(ask)).toMatchObject(INVALID);
  });

  it('of Ollama', async () => {
    const calls = [{ function: { name: 'write_file', arguments: deepArgs() } }];
    async function* chunks() {
      yield { message: { role: 'assistant', content: '', tool_calls: calls }, done: true };
    }
    const read = async () => {
      for await (const _ of readChunks(chunks(), requestOf()));
    };
    await expect(read()).rejects.toMatchObject({
      name: 'ProviderError',
      status: INVALID.status,
      message: INVALID.detail,
    });
  });

  it('in json mode', () => {
    const question = { kind: 'action', open: [{ does: 'writes_whole_files' }] } as const;
    const content = DEEP.replace('{', '{"action":"write_file",');
    const judge = () => ({ tool: null, isReadOnly: false, usage: '', fault: null });
    const reply = { role: 'assistant', content } as const;
    const decoded = jsonMode.decode(question, reply, {
      tools: [],
      names: NAMES,
      callId: 'x',
      judge,
      target: () => ({ isFilled: false }),
    });
    expect(decoded.kind).toBe('invalid');
  });
});

const HELLO = diligentModel({
  subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': ['console.log("hello");\n'] },
});

describe('a run whose model nests a call without end', () => {
  const once: Script = (request, n) =>
    n === 2 ? { calls: [{ name: 'write_file', args: deepArgs() }] } : HELLO(request, n);

  it('refuses the call, asks again and goes on', async () => {
    const { result, records } = await runIn(testWorld(), scriptedProvider(once), {
      toolMode: 'native',
    });
    expect(result.ending).toBe('achieved');
    const refused = records.filter(
      (one) => one.type === 'turn_finished' && one.status.kind === 'invalid_response',
    );
    expect(refused).toEqual([expect.objectContaining({ detail: INVALID.detail })]);
  });

  it('is recorded without the call', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tardigrade-deep-'));
    try {
      const file = join(folder, 'turns.json');
      const warnings: string[] = [];
      const warn = (text: string) => void warnings.push(text);
      const tape = openRecordingFile(file, { fs: nodeFileSystem, secrets: [], warn });
      const provider = tape.wrap(scriptedProvider(once));
      expect((await runIn(testWorld(), provider, { toolMode: 'native' })).result.ending).toBe(
        'achieved',
      );
      expect(warnings).toEqual([]);
      expect(parseRecording(readFileSync(file, 'utf8'), file).turns[1]?.failure).toMatchObject({
        status: { kind: 'invalid_response', ofCall: true },
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
