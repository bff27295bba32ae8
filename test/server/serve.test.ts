/** The built `agent serve`: runs that are begun, followed, answered and put back over real HTTP. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { INSIDE_A_RUN } from '../../src/processes/environment.ts';
import { type Client, connect, ServerProblem } from '../../src/server/client/client.ts';
import { agentLab, recordsIn } from '../support/e2e-agent.ts';
import type { FakeOllama, Reply } from '../support/fake-ollama.ts';
import { watching } from '../support/live-lab.ts';
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

/** What the model answers in turn, by what the goal of the run says. */
const REPLIES: readonly (readonly [goal: string, readonly Reply[]])[] = [
  ['Begin a repository', [PLAN, ASKS, WRITES]],
  ['Write a.txt', [PLAN, WRITES]],
];

const lab = agentLab();
/** One server works in the folders of all tests. */
const root = lab.folder();
let ollama: FakeOllama;
let served: Served;
let client: Client;
beforeAll(async () => {
  ollama = await modelSaying((n) => {
    const asked = ollama.chats[n - 1] ?? '';
    const { messages } = JSON.parse(asked) as { messages: { role: string }[] };
    const turns = messages.filter(({ role }) => role === 'assistant').length;
    return REPLIES.find(([goal]) => asked.includes(goal))?.[1][turns] ?? DONE;
  });
  served = await serveIn(lab, root, { OLLAMA_HOST: ollama.url });
  client = served.client;
}, 180_000);
afterAll(async () => {
  await served.agent.kill();
  await ollama.close();
});

const settled = async <Value>(work: Promise<Value>) => (await Promise.allSettled([work]))[0];

describe('a run of the server', () => {
  test('whose process ends before it began is shown with the reason, and its stream ends', async () => {
    const folder = lab.folder();
    const { id } = await client.startRun({
      ...{ workspace: folder, goal: 'Look around', model: 'anthropic/none' },
    });
    const run = client.run(id);
    await expect
      .poll(async () => (await run.get()).standing, { timeout: 60_000 })
      .toBe('not_begun');
    expect((await run.get()).failure).toContain('ANTHROPIC_API_KEY');
    const { path, workspace } = await run.get();
    for (const folder of [path, workspace])
      expect((await client.runs({ workspace: folder })).runs.map((one) => one.id)).toEqual([id]);
    const [first] = await until(run.events(), () => true);
    expect(first).toMatchObject({ event: 'bye', data: { why: 'ended' } });
  });

  test('is begun once however often it is asked for, waits for an answer, and is put back', async () => {
    const folder = lab.folder();
    const wish = { workspace: folder, goal: 'Begin a repository', model: `ollama/${MODEL}` };
    const { id } = await client.startRun(wish, 'first');
    expect((await client.startRun(wish, 'first')).id).toBe(id);
    const run = client.run(id);
    await expect
      .poll(async () => (await run.get()).questions, { timeout: 60_000 })
      .toMatchObject([{ tool: 'run_cmd', target: 'git init here', isNoted: false }]);
    const [question] = (await run.get()).questions;
    const questionId = question?.id ?? '';
    // Two browsers and a terminal, all at once.
    const { url } = await client.link();
    const other = (await connect({ url })).run(id);
    const terminal = await watching(root);
    const [one, two, attached] = await Promise.all([
      settled(run.approve(questionId, { answer: 'once' })),
      settled(other.approve(questionId, { answer: 'once' })),
      terminal.channel.send({ do: 'answer', id: questionId, kind: 'once', why: '' }),
    ]);
    const door = attached.how === 'taken' ? 'attach' : 'page';
    const counts = [one, two].filter(({ status }) => status === 'fulfilled').length;
    expect(counts + (attached.how === 'taken' ? 1 : 0)).toBe(1);
    const late = { how: 'late', counted: { allowed: true, by: 'person', door } };
    if (attached.how !== 'taken') expect(attached).toEqual(late);
    for (const lost of [one, two].flatMap((each) =>
      each.status === 'rejected' ? [each.reason] : [],
    )) {
      expect(lost).toBeInstanceOf(ServerProblem);
      expect(lost.problem).toMatchObject({ status: 409, code: 'E_ANSWERED' });
      expect(lost.problem.detail).toContain(
        door === 'page' ? 'yes, through the server' : 'yes, from another terminal',
      );
    }
    terminal.channel.leave();
    const heard = await until(run.events(), ({ event }) => event === 'bye');
    expect(heard.at(-1)?.data).toEqual({ why: 'ended' });
    expect(recordsIn(folder, 'run_opened')).toMatchObject([{ run: id }]);
    expect(recordsIn(folder, 'approval_given')).toMatchObject([{ by: 'person', door }]);
    expect((await run.diff()).files.map(({ path }) => path)).toContain('a.txt');
    expect((await run.diff('a.txt')).files[0]?.patch).toContain('+hello');
    expect((await run.undo()).outcome).toBe('undone');
    expect(existsSync(join(folder, 'a.txt'))).toBe(false);
  });
});

describe('an answer', () => {
  test('may change the plan and what a call gets: that is judged and done; who follows everything hears of the next run of the goal and how it stands', async () => {
    const folder = lab.folder();
    const wish = { workspace: folder, goal: 'Begin a repository', model: `ollama/${MODEL}` };
    const { id } = await client.startRun({ ...wish, agreePlan: true });
    const run = client.run(id);
    const question = async () => (await run.get()).questions[0];
    // It can be changed once the run listens.
    await expect
      .poll(async () => (await question())?.input, { timeout: 60_000 })
      .toMatchObject({ plan: expect.stringContaining('begin a repository') });
    const { plan, input } = (await question()) ?? {};
    expect(plan?.tasks[0]?.subtasks[0]?.purpose).toBe('begin a repository');
    const text = String(input?.plan);
    const agree = (changed: string) =>
      run.approve(`plan-${id}`, { answer: 'once', input: { plan: changed } });
    const refused = await agree('- a step of no task').catch((error: ServerProblem) => error);
    expect(refused).toMatchObject({ problem: { status: 400, code: 'E_USAGE' } });
    expect(await question()).toMatchObject({ id: `plan-${id}`, isNoted: false });
    expect(await agree(text.replace('begin a repository', 'write a text'))).toMatchObject({
      how: 'taken',
    });
    await expect
      .poll(async () => (await question())?.input, { timeout: 60_000 })
      .toMatchObject({ cmd: 'git init here' });
    const set = recordsIn(folder, 'plan_set').at(-1);
    expect(set).toMatchObject({ by: 'person', why: 'edited and agreed to' });
    expect((await run.get()).plan?.tasks[0]?.subtasks[0]?.purpose).toBe('write a text');
    const call = (await question())?.id ?? '';
    await run.approve(call, { answer: 'once', input: { cmd: 'git init there' } });
    await until(run.events(), ({ event }) => event === 'bye');
    expect([existsSync(join(folder, 'there')), existsSync(join(folder, 'here'))]).toEqual([
      true,
      false,
    ]);
    expect(recordsIn(folder, 'approval_given')[0]).toMatchObject({
      ...{ allowed: true, door: 'page', input: { cmd: 'git init there' } },
    });
    await isARunOfItsOwn(id, wish);
  });

  /** Asked for after the first one has ended, and answered by a command. */
  async function isARunOfItsOwn(first: string, wish: Parameters<Client['startRun']>[0]) {
    const { id } = await client.startRun(wish);
    expect(id).not.toBe(first);
    const run = client.run(id);
    await expect.poll(async () => (await run.get()).questions, { timeout: 60_000 }).toHaveLength(1);
    // Who comes is told at once how all stands; what changes later is told by test/server/everything.test.ts.
    const asked = await until(
      client.events(),
      ({ event, data }) => event === 'question' && data.run === id,
    );
    expect(asked.at(-1)?.data).toMatchObject({ run: id, question: { target: 'git init here' } });
    const { XDG_DATA_HOME = '', LOCALAPPDATA = '' } = lab.environment({ in: root });
    const env = { XDG_DATA_HOME, LOCALAPPDATA };
    const { exitCode } = await lab.here(['approve'], { in: wish.workspace, env });
    expect(exitCode).toBe(0);
    await until(run.events(), ({ event }) => event === 'bye');
    const rest = await until(
      client.events(),
      ({ event, data }) => event === 'run' && data.id === id && data.standing !== 'running',
    );
    expect(rest.at(-1)?.data).toMatchObject({ id, questions: 0, standing: 'unverified' });
    expect(recordsIn(wish.workspace, 'approval_given')).toMatchObject([{ door: 'command' }]);
  }
});

describe('a plan that somebody wants to see first', () => {
  test('waits for an answer: a no pauses the run, and a resume brings the yes', async () => {
    const folder = lab.folder();
    const { id } = await client.startRun({
      ...{ workspace: folder, goal: 'Write a.txt', model: `ollama/${MODEL}`, agreePlan: true },
    });
    const run = client.run(id);
    const asked = { id: `plan-${id}`, tool: 'the plan', target: 'Write a.txt', rules: [] };
    await expect
      .poll(async () => (await run.get()).questions, { timeout: 60_000 })
      .toMatchObject([{ ...asked, isNoted: false, inputText: expect.stringContaining('do it') }]);
    // The journal tells of the question before the run listens.
    const no = () =>
      run.approve(`plan-${id}`, { answer: 'no' }).catch(({ problem }: ServerProblem) => problem);
    await expect.poll(no, { timeout: 60_000 }).toMatchObject({ how: 'taken' });
    await expect.poll(async () => (await run.get()).standing, { timeout: 60_000 }).toBe('paused');
    const { questions, paused } = await run.get();
    expect(paused?.detail).toBe('The plan was not agreed to; nothing was done.');
    expect(questions).toMatchObject([{ ...asked, isNoted: true }]);
    expect(existsSync(join(folder, 'a.txt'))).toBe(false);
    await run.resume({ agree: true });
    await expect.poll(() => existsSync(join(folder, 'a.txt')), { timeout: 60_000 }).toBe(true);
    expect((await run.get()).questions).toEqual([]);
  });
});

describe('the server', () => {
  test('does not start inside of a run, at a taken port, or for another machine; and gives a new link', async () => {
    const folder = lab.folder();
    const port = new URL(client.url).port;
    const inside = await lab.here(['serve'], { in: folder, env: { [INSIDE_A_RUN]: '1' } });
    expect([inside.exitCode, inside.stderr]).toEqual([
      2,
      expect.stringContaining('a run has started'),
    ]);
    const taken = await lab.agent(['serve', '--port', port], { in: folder });
    expect([taken.exitCode, taken.stderr]).toEqual([2, expect.stringContaining('is taken')]);
    const again = await lab.here(['serve', '--port', port], { in: root });
    expect([again.exitCode, again.stderr]).toEqual([
      2,
      expect.stringMatching(`runs at port ${port} already[^]*serve --link --port ${port}`),
    ]);
    const astray = await lab.here(['serve', '--link', '--port', '9'], { in: root });
    expect([astray.exitCode, astray.stderr]).toEqual([
      2,
      expect.stringMatching(`at port 9[^]*serve --link --port ${port}`),
    ]);
    const wide = await lab.here(['serve', '--host', '0.0.0.0'], { in: folder });
    expect([wide.exitCode, wide.stderr]).toEqual([
      2,
      expect.stringContaining('only on this machine'),
    ]);
    const link = await lab.here(['serve', '--link', '--port', port], { in: root });
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
