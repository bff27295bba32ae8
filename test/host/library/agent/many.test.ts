import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { AIAgent } from '../../../../src/host/library/agent/ai-agent.ts';
import { type FileSystem, nodeFileSystem } from '../../../../src/lib/files/file-system.ts';
import { systemMachine } from '../../../../src/run/machine.ts';
import { dice } from '../../../support/dice.ts';
import { CLAUDE, startFakeAnthropic, wireModel } from '../../../support/fake-anthropic.ts';
import { startFakeOllama } from '../../../support/fake-ollama.ts';
import { startFakeOpenAi } from '../../../support/fake-openai.ts';
import { chunk, event, opening } from '../../../support/fake-openai-bodies.ts';

const MANY = dice(9, 100);
const OLLAMA_MODEL = 'qwen2.5-coder:14b';

/** Remembers every path that is made, written, renamed or removed. */
function spying(fs: FileSystem): { readonly fs: FileSystem; readonly touched: Set<string> } {
  const touched = new Set<string>();
  const changing = new Set(['mkdir', 'rename', 'unlink', 'rmdir', 'chmod', 'truncate', 'link']);
  const spied = new Proxy(fs, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const [path, flags] = args;
        const isWriting = name === 'open' && flags !== 'r' && flags !== undefined;
        if (isWriting || changing.has(String(name))) touched.add(String(path));
        return value.apply(target, args);
      };
    },
  });
  return { fs: spied, touched };
}

/** What the prompt of each agent says to write; each asks for one file and then says that it is done. */
const fileIn = (text: string): string => /file-\d+\.txt/.exec(text)?.[0] ?? '';
const call = (path: string) => ({ path, content: `${path}\n` });

/** What is open beyond what was: a socket, a timer, a handle. */
function openedSince(before: readonly string[]): string[] {
  const known = [...before];
  return process.getActiveResourcesInfo().filter((kind) => {
    const at = known.indexOf(kind);
    if (at !== -1) known.splice(at, 1);
    return at === -1;
  });
}

/** A socket that is closed is gone a few turns of the loop later. */
async function untilNone(left: () => readonly string[]): Promise<void> {
  for (let n = 0; n < 1_000 && left().length > 0; n += 1)
    await new Promise((resolve) => setImmediate(resolve));
}

async function servers() {
  const [openai, anthropic, ollama] = await Promise.all([
    // The one that dies: every answer breaks off.
    startFakeOpenAi({
      script: () => ({
        stream: event(opening()) + event(chunk({ content: 'I wri' })),
        isCut: true,
      }),
    }),
    startFakeAnthropic({
      models: [wireModel(CLAUDE)],
      script: (body) => {
        const text = JSON.stringify(body.messages);
        if (text.includes('tool_result')) return { content: 'Done.' };
        const input = call(fileIn(text));
        return { blocks: [{ type: 'tool_use', id: 'toolu_1', name: 'write_file', input }] };
      },
    }),
    startFakeOllama({
      models: [
        { name: OLLAMA_MODEL, capabilities: ['completion', 'tools'], parameterSize: '14.8B' },
      ],
      script: ({ messages }) =>
        messages.some(({ role }) => role === 'tool')
          ? { content: 'Done.' }
          : {
              toolCalls: [
                { name: 'write_file', arguments: call(fileIn(JSON.stringify(messages))) },
              ],
            },
    }),
  ]);
  const close = () => Promise.all([openai.close(), anthropic.close(), ollama.close()]);
  return { openai, anthropic, ollama, close };
}

test('many agents at once on three providers, one of which dies: the others work on, and nothing is left', async () => {
  const before = process.getActiveResourcesInfo();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tardigrade-many-')));
  const { openai, anthropic, ollama, close } = await servers();
  const { fs, touched } = spying(nodeFileSystem);
  const machine = { ...systemMachine({ env: {}, nodePath: process.execPath }), fs };
  const config = {
    providers: {
      openai: { apiKey: 'test-key-openai', baseUrl: openai.url },
      anthropic: { apiKey: 'test-key-anthropic', baseUrl: anthropic.url },
      ollama: { baseUrl: ollama.url },
    },
  };
  const kinds = [
    ['openai', 'gpt-5-mini'],
    ['anthropic', CLAUDE],
    ['ollama', OLLAMA_MODEL],
  ] as const;
  try {
    const all = await Promise.all(
      Array.from({ length: MANY }, (_, n) => {
        const [provider, model] = kinds[n % 3] ?? kinds[0];
        return AIAgent.create({
          ...{ config, machine, workspace: folder, providers: [provider], models: [model] },
          ...{ maxRetries: 1, systemPrompt: 'Work.', userPrompt: `Write file-${n}.txt` },
        }).run();
      }),
    );
    const wanted = all.flatMap((_, n) => (n % 3 === 0 ? [] : [`file-${n}.txt`]));
    expect(all.map(({ error }) => error).filter((_, n) => n % 3 !== 0)).toEqual(
      wanted.map(() => undefined),
    );
    for (const [n, one] of all.entries()) {
      expect(one.success, one.error).toBe(n % 3 !== 0);
      expect(JSON.stringify(one.conversation).match(/file-\d+/g)?.[0]).toBe(`file-${n}`);
    }
    expect(readdirSync(folder).sort()).toEqual([...wanted].sort());
    for (const name of wanted) expect(readFileSync(join(folder, name), 'utf8')).toBe(`${name}\n`);
    const others = [...touched].filter((path) => {
      // A file is written beside its place first, and its folder is synced.
      const name = basename(path);
      return path !== folder && !wanted.some((file) => name.includes(file));
    });
    expect(others).toEqual([]);
    // The servers still listen: who is connected is an agent that left something open.
    const connected = () => openedSince(before).filter((kind) => kind === 'TCPSocketWrap');
    await untilNone(connected);
    expect(connected()).toEqual([]);
  } finally {
    await close();
    rmSync(folder, { recursive: true, force: true });
  }
  await untilNone(() => openedSince(before));
  expect(openedSince(before)).toEqual([]);
}, 60_000);
