/** Runs and conversations outlive their server: it is killed at random moments, and each is done once and undisturbed. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
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
/** And as many conversations. */
const RUNS = Number(process.env.SERVER_RUNS ?? 1);
const TURN_MS = 100;
/** While the last process starts, or while they work. */
const UNTIL_MS = [60, 800];
const LOOK_MS = 50;
/** Of which a start takes seconds on a busy machine. */
const STANDSTILL_MS = 120_000;
/** The waits end by themselves. */
const NO_TIMEOUT = 0;
const REMOVED = { recursive: true, maxRetries: 5 };

const lab = agentLab();
const root = lab.folder();
let ollama: FakeOllama | undefined;
let served: Served | undefined;
afterAll(async () => {
  await served?.agent.kill();
  endTalks(root);
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

const WISH = 'Write a file';
const MESSAGE = 'Say that you write one';
const SAYS: readonly Reply[] = [WRITES, { content: 'It is written.' }];

/** What it answers hangs on what it was asked, since runs and conversations come side by side. */
function reply(asked: string): Reply {
  const { messages } = JSON.parse(asked) as { messages: { role: string }[] };
  const turns = messages.filter(({ role }) => role === 'assistant').length;
  const replies = asked.includes(MESSAGE) ? SAYS : [PLAN, WRITES];
  return { ...(replies[turns] ?? DONE), beforeEnd: pause(TURN_MS) };
}

/** The records of the one conversation of a folder. */
function recordsOfTalk(folder: string): readonly JournalRecord[] {
  const [id = ''] = readdirSync(layoutOf(folder).sessions);
  const { history } = layoutOfSession(folder, id);
  return readFileSync(history, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as JournalRecord);
}

const typesOf = (records: readonly JournalRecord[]) => records.map(({ type }) => type);
const runEnds = (folder: string) => comesTo(1, () => recordsIn(folder, 'run_finished').length);
const messageEnds = (folder: string) =>
  comesTo(1, () => recordsOfTalk(folder).filter(({ type }) => type === 'message_ended').length);

test(
  'a server that is killed while runs and conversations work disturbs none of them, and begins each once',
  async () => {
    ollama = await modelSaying((n) => reply(ollama?.chats[n - 1] ?? ''));
    const model = `ollama/${MODEL}`;
    const env = { OLLAMA_HOST: ollama.url };
    served = await serveIn(lab, root, env);
    const { token } = served.client;
    const wishes = join(`${root}.data`, 'tardigrade-agent', 'serve', 'runs');
    const heldFiles = () => readdirSync(wishes).filter((name) => !/\.(out|err)$/.test(name)).length;
    const begin = async (workspace: string) => {
      const { client } = served as Served;
      return (await client.startRun({ workspace, goal: WISH, model })).id;
    };
    const talk = async (workspacePath: string) => {
      const session = await (served as Served).client.createSession({ workspacePath, model });
      await session.chat(MESSAGE);
      return session.id;
    };
    const quiet = { run: lab.folder(), talk: lab.folder() };
    await Promise.all([begin(quiet.run), talk(quiet.talk)]);
    await Promise.all([runEnds(quiet.run), messageEnds(quiet.talk)]);
    const undisturbed = {
      run: typesOf(journalOf(quiet.run)),
      talk: typesOf(recordsOfTalk(quiet.talk)),
    };
    let former: readonly string[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const runs = Array.from({ length: RUNS }, () => lab.folder());
      const talks = Array.from({ length: RUNS }, () => lab.folder());
      const ids = [];
      for (const [at, folder] of runs.entries()) {
        ids.push(await talk(talks[at] ?? ''));
        await begin(folder);
      }
      await pause(Math.random() * (UNTIL_MS[Math.floor(Math.random() * UNTIL_MS.length)] ?? 0));
      await served.agent.kill();
      // Their server, which still looks at them after their end, has gone. A thousand of them take longer to remove
      // at once than a test file may take for that.
      for (const folder of former) rmSync(folder, REMOVED);
      former = runs;
      served = await serveIn(lab, root, env, { token });
      const { client } = served;
      for (const folder of runs) {
        await runEnds(folder);
        expect(typesOf(journalOf(folder))).toEqual(undisturbed.run);
        const turns = recordsIn(folder, 'turn_finished').map(({ status }) => status.kind);
        expect(turns.filter((kind) => kind !== 'success')).toEqual([]);
        const [opened] = recordsIn(folder, 'run_opened');
        expect((await client.run(opened?.run ?? '').get()).ended).not.toBeNull();
      }
      for (const [at, folder] of talks.entries()) {
        await messageEnds(folder);
        expect(typesOf(recordsOfTalk(folder))).toEqual(undisturbed.talk);
        expect(await client.session(ids[at] ?? '').get()).toMatchObject({
          ...{ messages: 1, isOpen: false, state: 'idle' },
        });
      }
      // Whoever has worked in a folder writes there until then.
      await comesTo(0, heldFiles);
      endTalks(root);
      for (const folder of talks) rmSync(folder, REMOVED);
    }
    const asked = ollama.chats.filter((body) => body.includes(MESSAGE)).length;
    expect(asked).toBe((KILLS * RUNS + 1) * SAYS.length);
  },
  NO_TIMEOUT,
);
