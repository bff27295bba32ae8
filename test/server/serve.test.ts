/** The built `agent serve`: runs that are begun, followed, answered and put back over real HTTP. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { INSIDE_A_RUN } from '../../src/processes/environment.ts';
import { connect, ServerProblem } from '../../src/server/client/client.ts';
import { agentLab, recordsIn } from '../support/e2e-agent.ts';
import type { FakeOllama } from '../support/fake-ollama.ts';
import {
  ASKS,
  DONE,
  MODEL,
  modelSaying,
  PLAN,
  type Served,
  serveIn,
  until,
  WRITES,
} from '../support/server-lab.ts';

const lab = agentLab();
let ollama: FakeOllama | undefined;
let served: Served | undefined;
afterEach(async () => {
  await served?.agent.kill();
  await ollama?.close();
});

const serving = async (folder: string) => {
  served = await serveIn(lab, folder, { OLLAMA_HOST: ollama?.url ?? '' });
  return served.client;
};

describe('a run of the server', () => {
  test('is begun once however often it is asked for, waits for an answer, and is put back', async () => {
    const replies = [PLAN, ASKS, WRITES];
    ollama = await modelSaying((n) => replies[n - 1] ?? DONE);
    const folder = lab.folder();
    const client = await serving(folder);
    const wish = { workspace: folder, goal: 'Begin a repository', model: `ollama/${MODEL}` };
    const { id } = await client.startRun(wish, 'first');
    expect((await client.startRun(wish, 'first')).id).toBe(id);
    const run = client.run(id);
    await expect
      .poll(async () => (await run.get()).questions, { timeout: 60_000 })
      .toMatchObject([{ tool: 'run_cmd', target: 'git init here', isNoted: false }]);
    const [question] = (await run.get()).questions;
    const answers = await Promise.allSettled([
      run.approve(question?.id ?? '', { answer: 'once' }),
      run.approve(question?.id ?? '', { approved: false, reason: 'not here' }),
    ]);
    const counted = answers.filter(({ status }) => status === 'fulfilled');
    expect(counted).toHaveLength(1);
    const [refused] = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toBeInstanceOf(ServerProblem);
    expect(refused.problem).toMatchObject({ status: 409, code: 'E_ANSWERED' });
    const heard = await until(run.events(), ({ event }) => event === 'bye');
    expect(heard.at(-1)?.data).toEqual({ why: 'ended' });
    expect(recordsIn(folder, 'run_opened')).toMatchObject([{ run: id }]);
    expect(recordsIn(folder, 'approval_given')).toMatchObject([{ by: 'person', door: 'page' }]);
    expect((await run.diff()).files.map(({ path }) => path)).toContain('a.txt');
    expect((await run.diff('a.txt')).files[0]?.patch).toContain('+hello');
    expect((await run.undo()).outcome).toBe('undone');
    expect(existsSync(join(folder, 'a.txt'))).toBe(false);
  });
});

describe('what all who follow everything hear', () => {
  test('is each run, its question, and how it stands then, whoever has answered', async () => {
    const replies = [PLAN, ASKS, WRITES];
    ollama = await modelSaying((n) => replies[n - 1] ?? DONE);
    const folder = lab.folder();
    const client = await serving(folder);
    const { id } = await client.startRun({
      ...{ workspace: folder, goal: 'Begin a repository', model: `ollama/${MODEL}` },
    });
    const stop = new AbortController();
    const all = client.events(stop.signal);
    const asked = await until(all, ({ event }) => event === 'question');
    expect(asked.at(-1)?.data).toMatchObject({ run: id, question: { target: 'git init here' } });
    const { exitCode } = await lab.agent(['approve'], { in: folder });
    expect(exitCode).toBe(0);
    const rest = await until(
      client.events(stop.signal),
      ({ event, data }) =>
        event === 'run' && data.standing !== 'running' && data.standing !== 'starting',
    );
    expect(rest.at(-1)?.data).toMatchObject({ id, questions: 0 });
    expect(recordsIn(folder, 'approval_given')).toMatchObject([{ door: 'command' }]);
    stop.abort();
  });
});

describe('the server', () => {
  test('does not start inside of a run, at a taken port, or for another machine; and gives a new link', async () => {
    ollama = await modelSaying(() => DONE);
    const folder = lab.folder();
    const client = await serving(folder);
    const port = new URL(client.url).port;
    const inside = await lab.agent(['serve'], { in: folder, env: { [INSIDE_A_RUN]: '1' } });
    expect([inside.exitCode, inside.stderr]).toEqual([
      2,
      expect.stringContaining('a run has started'),
    ]);
    const taken = await lab.agent(['serve', '--port', port], { in: folder });
    expect([taken.exitCode, taken.stderr]).toEqual([2, expect.stringContaining('is taken')]);
    const wide = await lab.agent(['serve', '--host', '0.0.0.0'], { in: folder });
    expect([wide.exitCode, wide.stderr]).toEqual([
      2,
      expect.stringContaining('this machine alone'),
    ]);
    const link = await lab.agent(['serve', '--link', '--port', port], { in: folder });
    const other = await connect({ url: link.stdout.trim() });
    expect((await other.me()).rights).toEqual(['observe', 'work', 'answer']);
    await expect(connect({ url: link.stdout.trim() })).rejects.toMatchObject({
      problem: { status: 401 },
    });
    await expect(other.startRun({ workspace: '/', goal: 'Look around' })).rejects.toMatchObject({
      problem: { status: 422, code: 'E_OUTSIDE' },
    });
  });
});
