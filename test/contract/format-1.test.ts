/**
 * Runs that the build 4c35833 left behind, in format 1, are readable for ever: told as that build
 * told them, undone, repaired, and gone on with by the request that it would have sent.
 */
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { createEngine } from '../../src/host/create-engine.ts';
import { fakeTerminal } from '../cli/support.ts';
import { serve } from '../support/e2e-model.ts';
import type { ChatRequest } from '../support/fake-ollama.ts';
import { FIXTURES, FORMAT_1, type Format1Run, inSomeModes } from '../support/format-1.ts';
import {
  type Agent,
  asksForMended,
  asksIfDone,
  asksWhichFile,
  changedIn,
  expectedOf,
  headOf,
  historyOf,
  inCopyOf,
  journalIn,
  nextRequestOf,
  type Observed,
  resumeIn,
  runsOf,
  snapshotIn,
  statusOf,
  tellingOf,
  undoIn,
  withoutTime,
} from '../support/format-1-observed.ts';
import { expectTold } from '../support/format-1-told.ts';
import { onQuickMachine } from '../support/quick-machine.ts';
import { someKills } from '../support/some-kills.ts';

const terminalIn = (folder: string) => {
  const { PATH, PATHEXT, SystemRoot } = process.env;
  const env = { PATH, PATHEXT, SystemRoot, HOME: folder, LANG: 'C.UTF-8', NO_COLOR: '1' };
  return onQuickMachine(fakeTerminal({ cwd: folder, env }));
};

/** The command line of today with its real engine, in this process. */
const agent: Agent = async (words, folder) => {
  const terminal = terminalIn(folder);
  const exitCode = await main(words, terminal, async () => createEngine(terminal));
  return { exitCode, stdout: terminal.stdout.text(), stderr: terminal.stderr.text() };
};

/** That build told the last error also of a run that had reached its goal. */
const statusToday = (status: readonly string[]): readonly string[] =>
  status.some((line) => /^State +finished, achieved/.test(line))
    ? status.filter((line) => !line.startsWith('Last error '))
    : status.map(withoutCall);

/** That build named the tool of an error; today the call is told. */
const withoutCall = (line: string): string => line.replace(/^(Last error +)[^:]*: /, '$1');

/** That build told rounds, and errors in the engine's own words. */
const inDebug: Agent = (words, folder) => agent([...words, '--debug'], folder);

const chainIn = (folder: string) => createEngine(terminalIn(folder)).verifyChain(folder);

/** What an earlier build began bears no mark of its user: a person takes it over once. */
const inAdoptedCopyOf = (fixture: string, work: (folder: string) => Promise<void>): Promise<void> =>
  inCopyOf(fixture, async (folder) => {
    await adopt(folder);
    await work(folder);
  });

async function adopt(folder: string, words: readonly string[] = ['adopt']): Promise<void> {
  expect(await agent([...words, '--yes'], folder)).toMatchObject({ exitCode: 0, stderr: '' });
}

/** Each is refused before it is adopted; of another run than the current one it says which. */
async function waySaidTo(folder: string, run: Format1Run): Promise<readonly string[]> {
  const server = await serve(run.laterModel);
  const refused = await agent([...run.resume, '--host', server.url], folder);
  await server.close();
  expect([refused.exitCode, server.chats]).toEqual([8, []]);
  const [, words = ''] = /agent (adopt(?: \d+)?)[.;)\n]/.exec(refused.stderr) ?? [];
  return words.split(' ');
}

interface ToldTool {
  readonly function: {
    readonly name: string;
    readonly parameters: { readonly properties: object; readonly required?: readonly string[] };
  };
}

/** That build promised to put a file back that it then left alone. */
function planToday({ plan: told, report: { leftAlone } }: Observed['undo']): readonly string[] {
  const plan = told.map((line) => line.replace('agent undo asks before', 'Undo asks before'));
  const isLeft = (line: string) => leftAlone.some(({ path }) => line.startsWith(`  ${path} (`));
  const lines = plan.filter((line) => !isLeft(line));
  const named = leftAlone.map(({ path, why }) => `  ${path} (${why})`);
  const at = lines.findIndex((line) => !line.startsWith('  ') && !line.startsWith('Undo of'));
  return named.length === 0 ? plan : lines.toSpliced(at, 0, 'Left as they are:', ...named);
}

const fixtureOf = ({ name }: Format1Run): string => join(FIXTURES, name);

it('every recorded run has its folder, and every folder its run', () => {
  const folders = readdirSync(FIXTURES, { withFileTypes: true }).filter((one) => one.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(FORMAT_1.map(({ name }) => name).sort());
});

const SAMPLE = inSomeModes(FORMAT_1, 1);
/** The others go on in format-2.test.ts; `npm run crash` takes all of both. */
const GONE_ON = someKills(SAMPLE, 2, 1);
/** To repair one asks little of what the run did. */
const REPAIRED = someKills(SAMPLE, 4);

it.each(FORMAT_1)('a run of format 1 holds what it is for: $name', (run) => {
  const history = expectedOf(fixtureOf(run)).history.join('\n');
  expect(run.holds.filter((text) => !history.includes(text))).toEqual([]);
});

describe.each(SAMPLE)('a run of format 1: $name', (run) => {
  const fixture = fixtureOf(run);
  const expected = expectedOf(fixture);

  it('is told in full, its chain holds, and the snapshot is only a shortcut', async () => {
    await inCopyOf(fixture, async (folder) => {
      expect((await statusOf(inDebug, folder)).map(withoutCall)).toEqual(
        statusToday(expected.status),
      );
      expect((await historyOf(agent, folder)).map(headOf)).toEqual(
        expected.history.map(withoutTime).map(headOf),
      );
      expectTold(await tellingOf(agent, folder), expected.history.map(withoutTime));
      expect(await runsOf(agent, folder)).toEqual(expected.runs);
      expect(chainIn(folder)).toMatchObject({ kind: 'ok', records: expected.history.length });
      rmSync(snapshotIn(folder), { force: true });
      expect((await statusOf(inDebug, folder)).map(withoutCall)).toEqual(
        statusToday(expected.status),
      );
    });
  });

  it('is undone to the byte', async () => {
    await inAdoptedCopyOf(fixture, async (folder) => {
      const { plan, ...undone } = await undoIn(agent, folder, run.before);
      // That build asked also where nothing was to be put back.
      const isNothing = expected.undo.plan.includes('  no file was changed by a tool');
      expect(plan).toEqual(isNothing ? [''] : planToday(expected.undo));
      expect({ plan: expected.undo.plan, ...undone }).toEqual(expected.undo);
    });
  });

  if (REPAIRED.includes(run))
    it('loses no more than its torn last record to a repair', async () => {
      await inCopyOf(fixture, async (folder) => {
        truncateSync(journalIn(folder), readFileSync(journalIn(folder)).length - 5);
        const { stdout, exitCode } = await agent(['repair', '--yes'], folder);
        const kept = expected.history.length - 1;
        expect([exitCode, stdout]).toEqual([0, expect.stringContaining(`${kept} records kept`)]);
        const left = expected.history.slice(0, kept).map(withoutTime);
        expect((await historyOf(agent, folder)).map(headOf)).toEqual(left.map(headOf));
        expectTold(await tellingOf(agent, folder), left);
        expect(chainIn(folder)).toMatchObject({ kind: 'ok', records: kept });
        expect((await agent(['status'], folder)).exitCode).toBe(0);
      });
    });

  if (GONE_ON.includes(run))
    it('goes on with the request that the old build would have sent, to the same end', async () => {
      await inCopyOf(fixture, async (folder) => {
        await adopt(folder, await waySaidTo(folder, run));
        const { told, bodies } = await resumeIn(agent, folder, run);
        const recorded = nextRequestOf(fixture);
        if (run.plansByTool) expectPlanByTool(bodies[0] ?? '', folder);
        else if (asksIfDone(recorded)) expect(bodies.filter(asksIfDone)).toEqual([]);
        else if (asksWhichFile(recorded)) expect(bodies[0]).toSatisfy(asksForMended);
        else {
          const [sent, before, today] = [bodies[0] ?? null, recorded, inTodaysWords(recorded)].map(
            apart,
          );
          // What was said already stays; files are shown in the words of today.
          const shown = before?.rest
            ?.replace(inJson(REPLAN), inJson(REPLAN_TODAY))
            .replace(PRINTS, '')
            .replace('["cmd","prints","stdin"]', '["cmd","stdin"]');
          expect([before?.rest, today?.rest, shown]).toContain(sent?.rest);
          expectTakesCallsOf(before?.tools ?? [], sent?.tools ?? []);
        }
        if (run.plansByTool) expectSameEnd(withoutSteps(told), withoutSteps(expected.resume));
        else expectSameEnd(told, expected.resume);
        expect(chainIn(folder)).toMatchObject({ kind: 'ok' });
      });
    });
});

/** Small files are shown before a plan, whatever the goal says. */
const REPLAN = 'Files here: data/keep.txt, hello.mjs.\n';
const REPLAN_TODAY = `${REPLAN}data/keep.txt (5 bytes):
\`\`\`
kept
\`\`\`
hello.mjs (20 bytes):
\`\`\`
console.log("old");
\`\`\`
`;

/** A proof is its command and its input. */
const PRINTS = '"prints":{"type":"string","minLength":0,"maxLength":40},';

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** What was not said yet is said as this build says it, and an answer has the room it has today. */
const inTodaysWords = (request: string | null): string | null =>
  request
    ?.replace('good dates and bad ones', 'three dates')
    .replace('tell what it says', 'find the answer')
    .replace('"num_predict":2048', '"num_predict":4096') ?? null;

/** Only the names of its tools were written down, so a run is told those of today, as they are now. */
function apart(request: string | null) {
  const tools = /"tools":(\[.*\]),"messages":/s.exec(request ?? '')?.[1] ?? '[]';
  const rest = request?.replace(`"tools":${tools},`, '') ?? null;
  return { rest, tools: JSON.parse(tools) as readonly ToldTool[] };
}

/** What the model was told before still holds: each call as it was described can be made today. */
function expectTakesCallsOf(before: readonly ToldTool[], today: readonly ToldTool[]): void {
  expect(today.map(nameOf)).toEqual(before.map(nameOf));
  for (const [index, tool] of before.entries()) {
    const { parameters } = tool.function;
    const now = today[index]?.function.parameters;
    expect(now?.properties).toMatchObject(parameters.properties);
    expect(parameters.required ?? []).toEqual(expect.arrayContaining([...(now?.required ?? [])]));
  }
}

/** A plan of a model that leads says in words what a step is. */
const withoutSteps = (told: Observed['resume']): Observed['resume'] => ({
  ...told,
  tree: told.tree.map((line) => line.replace(/^( *\S [\d.]+) .*/, '$1')),
});

const nameOf = (tool: ToldTool): string => tool.function.name;

/**
 * Plans were asked for apart, in a form of their own. A model that leads plans by a tool today, in the
 * conversation that it works in: it is told of that, and loses nothing of what was said.
 */
function expectPlanByTool(request: string, folder: string): void {
  const { tools, messages } = JSON.parse(request) as Required<ChatRequest>;
  const names = (tools as unknown as readonly ToldTool[]).map(nameOf);
  const [system, ...said] = messages.map(({ content }) => content);
  const journal = readFileSync(journalIn(folder), 'utf8').trimEnd().split('\n');
  const before = journal
    .map((line) => JSON.parse(line))
    .filter(({ type, cause }) => type === 'message_added' && cause !== 'plan_question')
    .map(({ text }) => text as string);
  expect(names).toContain('set_plan');
  expect(system).toContain('set_plan');
  expect(said.filter((text) => before.includes(text)).length).toBeGreaterThan(1);
  expect(said.at(-1)).toMatch(/there is no paper[\s\S]*set_plan/);
}

/** The same work comes to its end; what may be claimed by it is for today's rules to say. */
function expectSameEnd(told: Observed['resume'], expected: Observed['resume']): void {
  const ended = expected.exitCode === 0 ? ENDED_TODAY[told.exitCode ?? 0] : undefined;
  const { exitCode, state } = ended ? expected : told;
  const stdout = ended === 'unverified' ? expected.stdout : told.stdout;
  expect({ ...told, exitCode, stdout, state }).toEqual(expected);
  if (ended) expect(told.state).toContain(`finished, ${ended}`);
}

/** What that build called achieved: without a proof, and as an answer. */
const ENDED_TODAY: { readonly [exitCode: number]: string } = { 9: 'unverified', 10: 'answered' };

const WRITES = SAMPLE.filter(({ name }) => name.startsWith('killed-in-a-write'));

describe.each(WRITES)('a run of format 1 whose write reached the disk: $name', (run) => {
  const fixture = fixtureOf(run);
  const { changed } = expectedOf(fixture).resume;

  it('is known to be done, by going on and by an undo', async () => {
    const written = (folder: string) => {
      const [path, text] = Object.entries(changed).find(([name]) => name === 'hello.mjs') ?? [];
      expect(changedIn(folder, run.before)).not.toHaveProperty([path ?? '']);
      writeFileSync(join(folder, path ?? ''), text ?? '');
    };
    await inAdoptedCopyOf(fixture, async (folder) => {
      written(folder);
      const { told } = await resumeIn(agent, folder, run);
      expectSameEnd(told, expectedOf(fixture).resume);
    });
    await inAdoptedCopyOf(fixture, async (folder) => {
      written(folder);
      const { changed } = await undoIn(agent, folder, run.before);
      expect(changed).toEqual({});
    });
  });
});

it('no other run is adopted while the current one is in the middle of an undo', async () => {
  const others = join(FIXTURES, 'several-goals', 'agent_context', 'runs');
  await inCopyOf(join(FIXTURES, 'killed-in-an-undo-json'), async (folder) => {
    await adopt(folder);
    const before = readFileSync(journalIn(folder));
    cpSync(others, join(dirname(journalIn(folder)), 'runs'), { recursive: true });
    const { runs } = JSON.parse((await agent(['runs', '--json'], folder)).stdout);
    const { number } = runs.find((run: { isCurrent: boolean }) => !run.isCurrent);
    const refused = await agent(['adopt', String(number), '--yes'], folder);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('agent undo')]);
    expect(readFileSync(journalIn(folder))).toEqual(before);
    expect((await agent(['undo', '--yes'], folder)).exitCode).toBe(0);
    const adopted = await agent(['adopt', String(number), '--yes'], folder);
    expect([adopted.exitCode, adopted.stdout]).toEqual([0, expect.stringContaining('Taken over')]);
  });
});

it('no fixture names the machine it was made on', () => {
  const files = readdirSync(FIXTURES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const naming = files.filter((file) =>
    /\/(?:tmp|home|root|Users)\//.test(readFileSync(file, 'utf8')),
  );
  expect(naming).toEqual([]);
  expect(files.some((file) => file.includes('blobs'))).toBe(true);
});
