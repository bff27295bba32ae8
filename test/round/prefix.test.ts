/** What a server reads twice: of the bytes of each prompt, those the one before did not begin with. */
import { afterEach, describe, expect, it } from 'vitest';
import { scriptedAnswer } from '../../bench/support/scripted-model.ts';
import { ollamaProvider } from '../../src/llm/ollama/ollama-provider.ts';
import type { JournalRecord, ToolMode } from '../../src/schema/records.ts';
import { MODEL } from '../support/e2e-model.ts';
import { type FakeOllama, startFakeOllama } from '../support/fake-ollama.ts';
import { BOTH_MODES } from '../support/long-work.ts';
import { runIn } from '../support/run-in.ts';
import { testWorld } from '../support/test-machine.ts';

let server: FakeOllama | undefined;
afterEach(() => server?.close());

const FILES = 12;
const BRANCHES = new Set<JournalRecord['type']>(['branched', 'compacted', 'settings_changed']);

async function writingRun(toolMode: ToolMode, contextWindow: number) {
  server = await startFakeOllama({
    models: [{ name: MODEL, contextLength: contextWindow }],
    enforceWindow: true,
    script: ({ messages, tools, format }) => {
      const { text, call } = scriptedAnswer({ messages, hasTools: !!tools, schema: format }, FILES);
      return call ? { toolCalls: [{ name: call.name, arguments: call.args }] } : { content: text };
    },
  });
  const provider = ollamaProvider({ host: server.url });
  const { chats } = server;
  const changedBefore = new Set<number>();
  const told = await runIn(testWorld(), provider, {
    goal: `Write ${FILES} pages of notes`,
    model: MODEL,
    toolMode,
    contextWindow,
    maxRounds: 60,
    onRecord: ({ type }) => {
      if (BRANCHES.has(type)) changedBefore.add(chats.length);
    },
  });
  await provider.close();
  return { told, prompts: chats.map(promptIn), changedBefore };
}

/** The bytes that become the prompt, as they went over the wire: the end of the body is open. */
function promptIn(body: string): string {
  const tools = body.indexOf(',"tools":[');
  const start = tools < 0 ? body.indexOf(',"messages":[') : tools;
  return body.slice(start, body.lastIndexOf(']}'));
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

describe.each(BOTH_MODES)('the prompts of a run of 24 rounds in %s mode', (toolMode) => {
  it('are extensions of each other, and most of what is sent was sent before', async () => {
    const { told, prompts, changedBefore } = await writingRun(toolMode, 32_768);
    expect(told.result.ending).toBe('unverified');
    expect(told.result.state.counters).toMatchObject({
      // The one in which the plan is set.
      rounds: toolMode === 'native' ? 25 : 24,
      compactions: 0,
    });
    let [sent, again] = [0, 0];
    for (const [index, prompt] of prompts.entries()) {
      const before = prompts[index - 1] ?? '';
      sent += prompt.length;
      again += sharedLength(before, prompt);
      if (!changedBefore.has(index)) expect(prompt.startsWith(before)).toBe(true);
    }
    expect(changedBefore.size).toBeLessThanOrEqual(1);
    expect(again / sent).toBeGreaterThanOrEqual(toolMode === 'native' ? 0.9 : 0.85);
  });

  // For a model that is led test/round/random.test.ts looks at it in small windows.
  it.runIf(toolMode === 'native')(
    'are extensions of each other between compactions, too',
    async () => {
      const { told, prompts, changedBefore } = await writingRun(toolMode, 4096);
      expect(told.result.ending).toBe('unverified');
      expect(told.result.state.counters.compactions).toBeGreaterThan(0);
      for (const [index, prompt] of prompts.entries()) {
        if (!changedBefore.has(index))
          expect(prompt.startsWith(prompts[index - 1] ?? '')).toBe(true);
      }
    },
  );
});
