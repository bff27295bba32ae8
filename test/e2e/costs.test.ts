/** What a run has used and cost, where it is shown, and the limits on it; by the prices of the API. */
import { afterEach, describe, expect, test } from 'vitest';
import { agentLab, recordsIn, resultOf } from '../support/e2e-agent.ts';
import { HELLO_NODE } from '../support/e2e-goals.ts';
import { APIS, reach } from '../support/e2e-hosted.ts';
import { ANTHROPIC } from '../support/hosted-anthropic.ts';
import type { HostedServer } from '../support/hosted-api.ts';
import { OPENAI } from '../support/hosted-openai.ts';
import { workingModel } from '../support/models.ts';

const lab = agentLab();
let server: HostedServer;
afterEach(() => server?.close());

const { goal } = HELLO_NODE;

/** Of every answer, as the API counts it: thinking is part of the output. */
const WIRE_USAGE = {
  input_tokens: 1000,
  cache_creation_input_tokens: 4000,
  cache_read_input_tokens: 20_000,
  output_tokens: 500,
  output_tokens_details: { thinking_tokens: 200 },
};

/** 1,000 at $2, 4,000 at $2.50 (1.25 of the input), 20,000 at $0.10 and 500 at $10 a million. */
const TURN_USD = 0.002 + 0.01 + 0.002 + 0.005;

const usageOf = (turns: number) => ({
  input: 1000 * turns,
  output: 300 * turns,
  thinking: 200 * turns,
  cacheRead: 20_000 * turns,
  cacheWrite: 4000 * turns,
});

const resumeLine = (stderr: string): string[] =>
  (/Resume: agent (.*)/.exec(stderr)?.[1] ?? '').split(' ');

async function begin(...options: string[]) {
  server = await ANTHROPIC.serve(workingModel(HELLO_NODE), { usage: WIRE_USAGE });
  const folder = lab.folder();
  const { words, env } = reach(ANTHROPIC, server, 'option');
  const agent = (...args: string[]) => lab.here(args, { in: folder, env });
  return { folder, agent, end: await agent(goal, ...words, ...options) };
}

test('--max-cost stops before the request that comes after it, says so, and the resume adds up', async () => {
  const { folder, agent, end } = await begin('--max-cost', '0.03');
  expect(end.exitCode).toBe(4);
  expect(server.asked).toHaveLength(2);
  expect(end.stderr).toContain('Paused: limit of cost reached');
  expect(end.stderr).toContain('$0.0380 used, limit $0.03\n');
  expect(end.stderr).toContain('$0.0380 used');
  expect(resumeLine(end.stderr).join(' ')).toMatch(/--max-cost 0\.07$/);
  expect(recordsIn(folder, 'turn_finished').map(({ cost }) => cost)).toEqual([TURN_USD, TURN_USD]);

  const status = JSON.parse((await agent('status', '--json')).stdout);
  expect(status).toMatchObject({
    standing: 'paused',
    usage: usageOf(2),
    lastTurnUsage: usageOf(1),
    costUsd: 2 * TURN_USD,
    unpricedTurns: 0,
  });
  const { stdout } = await agent('status');
  expect(stdout).toMatch(/Model use +50,000 tokens in, 1,000 out/);
  expect(stdout).toContain('of these 40,000 read from cache, 8,000 written to it, 400 thinking');
  expect(stdout).toMatch(/Cost +\$0\.0380/);

  const next = await agent(...resumeLine(end.stderr));
  expect(next.exitCode).toBe(4);
  expect(server.asked).toHaveLength(4);
  expect(next.stderr).toContain('$0.0760 used, limit $0.07');

  const last = await agent(...resumeLine(next.stderr), '--json');
  expect(last.exitCode).toBe(0);
  const turns = server.asked.length;
  expect(turns).toBeGreaterThan(4);
  expect(resultOf(last)).toMatchObject({ usage: usageOf(turns), costUsd: TURN_USD * turns });
});

test('a limit of cost is refused for a server whose prices nobody knows, before it is asked', async () => {
  server = await OPENAI.serve(workingModel(HELLO_NODE));
  const { words, env } = reach(OPENAI, server, 'option');
  const args = [goal, ...words, '--max-cost', '1'];
  const { exitCode, stderr } = await lab.here(args, { in: lab.folder(), env });
  expect([exitCode, server.asked.length]).toEqual([2, 0]);
  expect(stderr).toContain('no price is known for openai');
  expect(stderr).toContain('--max-tokens');
});

describe.each(APIS)('$name', (api) => {
  test('a limit of tokens counts every class, and the printed command goes on', async () => {
    server = await api.serve(workingModel(HELLO_NODE));
    const folder = lab.folder();
    const { words, env } = reach(api, server, 'option');
    const end = await lab.here([goal, ...words, '--max-tokens', '41'], { in: folder, env });
    expect(end.exitCode).toBe(4);
    expect(server.asked).toHaveLength(2);
    expect(end.stderr).toContain('Paused: limit of tokens reached');
    const paused = JSON.parse((await lab.here(['status', '--json'], { in: folder, env })).stdout);
    const { modelMs: _, ...spent } = paused.usage as Record<string, number>;
    const total = Object.values(spent).reduce((sum, one) => sum + one, 0);
    expect(end.stderr).toContain(`${total} tokens used, limit 41\n`);
    const next = await lab.here(resumeLine(end.stderr), { in: folder, env });
    expect([0, 4]).toContain(next.exitCode);
    expect(server.asked.length).toBeGreaterThan(2);
  });
});

test('a limit of time ends a run whose server is overloaded, and it can go on', async () => {
  let isBusy = true;
  const trouble = (n: number) => (isBusy && n > 1 ? ('server error' as const) : null);
  server = await ANTHROPIC.serve(workingModel(HELLO_NODE), { trouble });
  const folder = lab.folder();
  const { words, env } = reach(ANTHROPIC, server, 'option');
  const end = await lab.here([goal, ...words, '--max-time', '1s'], { in: folder, env });
  expect([4, 7]).toContain(end.exitCode);
  expect(end.stderr).toMatch(/Resume: agent resume .*--max-time 1s/);
  isBusy = false;
  const last = await lab.here(['resume', ...words], { in: folder, env });
  expect(last.exitCode).toBe(0);
});
