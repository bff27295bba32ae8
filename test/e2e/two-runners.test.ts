import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { agentLab, stateFile } from '../support/e2e-agent.ts';
import { HELLO_NODE } from '../support/e2e-goals.ts';
import { MODEL, plansAsked, serve, worker } from '../support/e2e-model.ts';
import type { FakeOllama } from '../support/fake-ollama.ts';

const lab = agentLab();
let server: FakeOllama;
afterEach(() => server?.close());

test('the second runner is refused, and takes over at once when the first was killed', async () => {
  server = await serve(worker(HELLO_NODE));
  const folder = lab.folder();
  const command = [HELLO_NODE.goal, '--host', server.url, '--model', MODEL];
  const first = await lab.startUntil('message_added:1', command, { in: folder });
  const asked = server.chats.length;
  const before = readFileSync(stateFile(folder, 'history.jsonl'));

  const second = await lab.here(command, { in: folder });
  expect(second.exitCode).toBe(8);
  expect(second.stderr).toMatch(
    new RegExp(`process ${first.pid}, since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d`),
  );
  expect(second.stderr).toContain('  Next: ');
  expect(second.stdout).toBe('');
  const undo = await lab.here(['undo', '--yes'], { in: folder });
  expect(undo.exitCode).toBe(8);
  expect(readFileSync(stateFile(folder, 'history.jsonl'))).toEqual(before);
  expect(server.chats).toHaveLength(asked);

  const status = await lab.here(['status', '--json'], { in: folder });
  expect(JSON.parse(status.stdout)).toMatchObject({
    standing: 'running',
    owner: { pid: first.pid, isAlive: true },
  });

  await first.kill();
  const killed = await lab.here(['status', '--json'], { in: folder });
  expect(JSON.parse(killed.stdout)).toMatchObject({ standing: 'killed' });
  const third = await lab.here(command, { in: folder });
  expect(third.stderr).toContain('Continuing');
  expect(third.stderr).toContain('Done in');
  expect(third.exitCode).toBe(0);
  expect(plansAsked(server)).toBe(1);
});
