/** Runs and conversations outlive their server: it is killed at random moments, and each is done once and undisturbed. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
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

/** `npm run crash` makes 200. */
const KILLS = Number(process.env.SERVER_KILLS ?? 1);
const RUNS = Number(process.env.SERVER_RUNS ?? 2);
const TURN_MS = 100;
/** While the processes start, or while they work. */
const MOST_MS = 800;
const LOOK_MS = 50;
/** Of which a start takes seconds on a busy machine. */
const STANDSTILL_MS = 120_000;
/** The waits end by themselves. */
const NO_TIMEOUT = 0;
const REMOVED = { recursive: true, maxRetries: 5 };

const lab = agentLab();
let ollama: FakeOllama | undefined;
let served: Served | undefined;
const roots: string[] = [];
afterEach(async () => {
  await served?.agent.kill();
  for (const root of roots.splice(0)) endTalks(root);
  await ollama?.close();
});

/** However slow the machine: until something is so often, or nothing has been asked of the model for long. */
async function comesTo(count: number, found: () => number): Promise<void> {
  let asked = -1;
  let since = performance.now();
  while (found() !== count) {
    const chats = ollama?.chats.length ?? 0;
    if (chats !== asked) since = performance.now();
    asked = chats;
    if (performance.now() - since > STANDSTILL_MS)
      throw new Error(`It stands still with ${found()} instead of ${count}.`);
    await pause(LOOK_MS);
  }
}

const hasEnded = (folder: string) => comesTo(1, () => recordsIn(folder, 'run_finished').length);

test(
  'a server that is killed while runs work disturbs none of them, and begins each once',
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
    const wishes = join(`${root}.data`, 'tardigrade-agent', 'serve', 'runs');
    const heldFiles = () => readdirSync(wishes).filter((name) => !/\.(out|err)$/.test(name)).length;
    const wishIn = (workspace: string) => ({
      ...{ workspace, goal: 'Write a file', model: `ollama/${MODEL}` },
    });
    const typesIn = (folder: string) => journalOf(folder).map(({ type }) => type);
    const quiet = lab.folder();
    await served.client.startRun(wishIn(quiet));
    await hasEnded(quiet);
    const undisturbed = typesIn(quiet);
    let former: readonly string[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const folders = Array.from({ length: RUNS }, () => lab.folder());
      for (const folder of folders) {
        await served.client.startRun(wishIn(folder));
      }
      await pause(Math.random() * MOST_MS);
      await served.agent.kill();
      // Their server, which still looks at them after their end, has gone. A thousand of them take longer to remove
      // at once than a test file may take for that.
      for (const folder of former) rmSync(folder, REMOVED);
      former = folders;
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
      }
      // Whoever has worked in a folder writes there until then.
      await comesTo(0, heldFiles);
    }
  },
  NO_TIMEOUT,
);

const SAYS: readonly Reply[] = [WRITES, { content: 'It is written.' }];

/** The records of the one conversation of a folder. */
function recordsOfTalk(folder: string): readonly JournalRecord[] {
  const [id = ''] = readdirSync(layoutOf(folder).sessions);
  const { history } = layoutOfSession(folder, id);
  return readFileSync(history, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as JournalRecord);
}

const messageHasEnded = (folder: string) =>
  comesTo(1, () => recordsOfTalk(folder).filter(({ type }) => type === 'message_ended').length);

test(
  'a server that is killed while conversations work disturbs none of them',
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
      await pause(Math.random() * MOST_MS);
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
  NO_TIMEOUT,
);
