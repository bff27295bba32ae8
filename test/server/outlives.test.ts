/** Runs and conversations outlive their server: it is killed at random moments, and each is done once and undisturbed. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { layoutOf } from '../../src/journal/layout.ts';
import type { JournalRecord } from '../../src/schema/records.ts';
import { layoutOfSession } from '../../src/sessions/places.ts';
import { agentLab, journalOf, recordsIn } from '../support/e2e-agent.ts';
import type { FakeOllama, Reply } from '../support/fake-ollama.ts';
import {
  DONE,
  endTalks,
  MODEL,
  modelSaying,
  PLAN,
  type Served,
  serveIn,
  WRITES,
} from '../support/server-lab.ts';

const KILLS = Number(process.env.SERVER_KILLS ?? 3);
const RUNS = Number(process.env.SERVER_RUNS ?? 2);
const TURN_MS = 300;
/** Whoever has worked in a folder may still be winding up. */
const REMOVED = { recursive: true, maxRetries: 20 };

const lab = agentLab();
let ollama: FakeOllama | undefined;
let served: Served | undefined;
const roots: string[] = [];
afterEach(async () => {
  await served?.agent.kill();
  for (const root of roots.splice(0)) endTalks(root);
  await ollama?.close();
});

const hasEnded = (folder: string) =>
  expect.poll(() => recordsIn(folder, 'run_finished').length, { timeout: 120_000 }).toBe(1);

test(
  `a server that is killed ${KILLS} times while ${RUNS} runs work disturbs none of them, and begins each once`,
  async () => {
    // What it answers hangs on what it was asked, since runs come side by side.
    ollama = await modelSaying((n) => {
      const asked = ollama?.chats[n - 1] ?? '';
      const { messages } = JSON.parse(asked) as { messages: { role: string }[] };
      const turns = messages.filter(({ role }) => role === 'assistant').length;
      const reply = [PLAN, WRITES][turns] ?? DONE;
      return { ...reply, beforeEnd: pause(TURN_MS) };
    });
    const root = lab.folder();
    const env = { OLLAMA_HOST: ollama.url };
    served = await serveIn(lab, root, env);
    const { token } = served.client;
    const wishIn = (workspace: string) => ({
      ...{ workspace, goal: 'Write a file', model: `ollama/${MODEL}` },
    });
    const typesIn = (folder: string) => journalOf(folder).map(({ type }) => type);
    const quiet = lab.folder();
    await served.client.startRun(wishIn(quiet));
    await hasEnded(quiet);
    const undisturbed = typesIn(quiet);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const folders = Array.from({ length: RUNS }, () => lab.folder());
      for (const folder of folders) {
        await served.client.startRun(wishIn(folder));
      }
      await pause(Math.random() * 1500);
      await served.agent.kill();
      served = await serveIn(lab, root, env, { token });
      const { client } = served;
      for (const folder of folders) {
        await hasEnded(folder);
        expect(typesIn(folder)).toEqual(undisturbed);
        expect(recordsIn(folder, 'turn_finished').map(({ status }) => status.kind)).toEqual(
          recordsIn(folder, 'turn_finished').map(() => 'success'),
        );
        const [opened] = recordsIn(folder, 'run_opened');
        expect((await client.run(opened?.run ?? '').get()).ended).not.toBeNull();
        // A thousand of them take longer to remove at once than a test file may take for that.
        rmSync(folder, REMOVED);
      }
    }
  },
  120_000 + KILLS * 20_000,
);

const SAYS: readonly Reply[] = [WRITES, { content: 'It is written.' }];

/** The records of the one conversation of a folder. */
function recordsOfTalk(folder: string): readonly JournalRecord[] {
  const [id = ''] = readdirSync(layoutOf(folder).sessions);
  const { history } = layoutOfSession(folder, id);
  return readFileSync(history, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JournalRecord);
}

const messageHasEnded = (folder: string) =>
  expect
    .poll(() => recordsOfTalk(folder).filter(({ type }) => type === 'message_ended').length, {
      timeout: 120_000,
    })
    .toBe(1);

test(
  `a server that is killed ${KILLS} times while ${RUNS} conversations work disturbs none of them`,
  async () => {
    ollama = await modelSaying((n) => {
      const { messages } = JSON.parse(ollama?.chats[n - 1] ?? '') as {
        messages: { role: string }[];
      };
      const turns = messages.filter(({ role }) => role === 'assistant').length;
      return { ...(SAYS[turns] ?? DONE), beforeEnd: pause(TURN_MS) };
    });
    const root = lab.folder();
    const env = { OLLAMA_HOST: ollama.url };
    served = await serveIn(lab, root, env);
    const { token } = served.client;
    roots.push(root);
    const begin = async (workspacePath: string): Promise<string> => {
      const wish = { workspacePath, model: `ollama/${MODEL}` };
      const session = await (served as Served).client.createSession(wish);
      await session.chat('Write a file');
      return session.id;
    };
    const typesIn = (folder: string) => recordsOfTalk(folder).map(({ type }) => type);
    const quiet = lab.folder();
    await begin(quiet);
    await messageHasEnded(quiet);
    const undisturbed = typesIn(quiet);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const folders = Array.from({ length: RUNS }, () => lab.folder());
      const ids = [];
      for (const folder of folders) ids.push(await begin(folder));
      await pause(Math.random() * 1000);
      await served.agent.kill();
      served = await serveIn(lab, root, env, { token });
      for (const [at, folder] of folders.entries()) {
        await messageHasEnded(folder);
        expect(typesIn(folder)).toEqual(undisturbed);
        expect(await served.client.session(ids[at] ?? '').get()).toMatchObject({
          ...{ messages: 1, isOpen: false, state: 'idle' },
        });
      }
      endTalks(root);
      for (const folder of folders) rmSync(folder, REMOVED);
    }
    expect(ollama.chats.length).toBe((KILLS * RUNS + 1) * SAYS.length);
  },
  120_000 + KILLS * 20_000,
);
