/** A run that is asked for over HTTP, of which subtasks are runs of their own. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { agentLab } from '../support/e2e-agent.ts';
import { type FakeOllama, startFakeOllama } from '../support/fake-ollama.ts';
import { MODEL, type Served, serveIn } from '../support/server-lab.ts';
import { sideBySideOnWire } from '../support/side-by-side.ts';

const lab = agentLab();
let ollama: FakeOllama;
let served: Served;
let folder: string;

beforeAll(async () => {
  const shape = {
    capabilities: ['completion', 'tools'],
    contextLength: 65_536,
    parameterSize: '30B',
  };
  ollama = await startFakeOllama({
    models: [MODEL, 'planner:30b'].map((name) => ({ ...shape, name, family: 'qwen3' })),
    script: (request) => sideBySideOnWire(request as never),
  });
  folder = lab.folder();
  served = await serveIn(lab, folder, { OLLAMA_HOST: ollama.url });
}, 120_000);

afterAll(async () => {
  await served?.agent.kill();
  await ollama?.close();
});

it('does them at once, plans with the model that was named for it, and its undo covers all', async () => {
  const { client } = served;
  const wish = {
    ...{ workspace: folder, goal: 'Write a.txt and b.txt', parallel: 2 },
    ...{ model: `ollama/${MODEL}`, planModel: 'ollama/planner:30b' },
  };
  const { id } = await client.startRun(wish, 'once');
  const run = client.run(id);
  const hasEnded = async () => (await run.get()).ended !== null;
  await vi.waitUntil(hasEnded, { timeout: 120_000, interval: 200 });
  const text = readFileSync(join(folder, '.agent_context/history.jsonl'), 'utf8');
  expect(text.match(/"type":"child_joined","subtask":"1\.\d","status"/g)).toHaveLength(2);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('this is a.txt\n');
  expect(readFileSync(join(folder, 'b.txt'), 'utf8')).toBe('this is b.txt\n');
  expect([...new Set(ollama.chats.map((body) => JSON.parse(body).model))]).toEqual([
    'planner:30b',
    MODEL,
  ]);
  await run.undo({});
  expect([existsSync(join(folder, 'a.txt')), existsSync(join(folder, 'b.txt'))]).toEqual([
    false,
    false,
  ]);
}, 180_000);
