/** A server of tools whose agent is killed in the middle of a call: the real program, SIGKILL. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTimeOf } from '../../src/processes/identity.ts';
import { operatingSystem } from '../../src/processes/operating-system.ts';
import { type ChatRequest, startFakeOllama } from '../support/fake-ollama.ts';
import {
  journalOf,
  newPlace,
  pidsOf,
  pinAgent,
  startAgent,
  witnessOf,
} from '../support/kill-agent.ts';

const MODEL = 'scripted:1.5b';
const system = operatingSystem(process.platform);
const isAlive = (pid: number): boolean => startTimeOf(pid, system) !== null;

/** It stays when its input is closed and when it is asked to go, it and its child; a call it never answers. */
const STUBBORN = `import { spawn } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { createInterface } from 'node:readline';
process.on('SIGTERM', () => {});
setInterval(() => {}, 1000);
const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'ignore' });
appendFileSync(homedir() + '/pids', process.pid + '\\n' + child.pid + '\\n');
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
const lines = createInterface({ input: process.stdin });
// Two seconds are spared where nothing is shown any more.
if (existsSync(homedir() + '/witness.log')) lines.on('close', () => process.exit());
lines.on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
  else if (method === 'tools/list') say(id, { tools: [{ name: 'post', inputSchema: { type: 'object' } }] });
  else if (method === 'tools/call') appendFileSync(homedir() + '/witness.log', 'called\\n');
});
`;

function reply({ messages }: ChatRequest) {
  const said = messages.map(({ content }) => content).join('\n');
  const isCalled = messages.some(({ tool_calls: calls = [] }) =>
    calls.some((call) => call.function.name === 'mcp__stay__post'),
  );
  const call = (name: string, args: Record<string, unknown>) => ({
    toolCalls: [{ name, arguments: args }],
  });
  if (!said.includes('ACTIVE SUBTASK'))
    return call('set_plan', {
      tasks: [{ description: 'post it', subtasks: [{ do: 'Post it with the server' }] }],
      answer_only: true,
    });
  return isCalled
    ? call('mark_subtask_complete', { success: true, reason: 'it may be posted' })
    : call('mcp__stay__post', {});
}

test.skipIf(process.platform === 'win32')(
  'it and what it had started are ended by the next start, and the call is unknown and not made again',
  async () => {
    const agent = pinAgent();
    const place = newPlace();
    const server = await startFakeOllama({
      models: [{ name: MODEL, contextLength: 16_384 }],
      script: reply,
    });
    const file = join(place.home, 'server.mjs');
    writeFileSync(file, STUBBORN);
    const settings = join(place.home, '.config', 'tardigrade-agent');
    mkdirSync(settings, { recursive: true });
    writeFileSync(
      join(settings, 'config.json'),
      JSON.stringify({
        mcpServers: { stay: { command: 'node', args: [file], env: { HOME: place.home } } },
        permissions: { allow: ['mcp(stay)'] },
      }),
    );
    const words = ['--host', server.url, '--model', MODEL, '--tool-mode', 'native'];
    try {
      const first = startAgent(agent, place, ['run', 'Post it', ...words], null);
      const died = first.ended;
      await expect.poll(() => witnessOf(place).length, { timeout: 20_000 }).toBe(1);
      first.child.kill('SIGKILL');
      await died;
      const left = pidsOf(place);
      expect(left.map(isAlive)).toEqual([true, true]);
      const { output } = await startAgent(agent, place, ['resume', '--host', server.url], null)
        .ended;
      expect(output).toContain('its outcome is unknown');
      expect(output).toContain('The MCP server stay of the start before was still running');
      expect(left.map(isAlive)).toEqual([false, false]);
      expect(pidsOf(place).map(isAlive)).toEqual([false, false, false, false]);
      expect(witnessOf(place)).toEqual(['called']);
      const { records } = journalOf(place);
      expect(records).toContainEqual(
        expect.objectContaining({ type: 'server_started', server: 'stay', pid: left[0] }),
      );
      expect(records).toContainEqual(
        expect.objectContaining({ type: 'server_ended', server: 'stay' }),
      );
      expect(records).toContainEqual(
        expect.objectContaining({ type: 'action_finished', status: 'interrupted' }),
      );
    } finally {
      for (const pid of pidsOf(place)) if (isAlive(pid)) process.kill(pid, 9);
      await server.close();
      place.dispose();
      agent.dispose();
    }
  },
  60_000,
);
