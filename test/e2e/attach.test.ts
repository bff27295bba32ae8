/** The built `agent` at work in one process, and others of its user who watch it and answer it. */
import {
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { notesIn } from '../../src/live/address.ts';
import { INSIDE_A_RUN } from '../../src/processes/environment.ts';
import { readStreamEvent } from '../../src/schema/events/stream.ts';
import { COMPILED } from '../support/compiled.ts';
import {
  type AgentEnd,
  type AgentLab,
  agentLab,
  journalOf,
  type RunningAgent,
  recordsIn,
} from '../support/e2e-agent.ts';
import { type FakeOllama, type Reply, startFakeOllama } from '../support/fake-ollama.ts';
import { dataOf, eventsIn, noteIn, placeOf, questionsIn, watching } from '../support/live-lab.ts';
import { pseudoTerminal, ShellInTerminal } from '../support/shell-in-terminal.ts';

const lab = agentLab();
let server: FakeOllama | undefined;
let running: RunningAgent | undefined;
let leave: (() => void)[] = [];
afterEach(async () => {
  for (const one of leave) one();
  leave = [];
  await running?.kill();
  running = undefined;
  await server?.close();
});

const MODEL = 'big:30b';
const called = (name: string, args: object): Reply => ({ toolCalls: [{ name, arguments: args }] });
const PLAN = called('set_plan', {
  tasks: [{ description: 'do it', subtasks: [{ do: 'begin a repository', files: ['a.txt'] }] }],
});
const ASKS = called('run_cmd', { cmd: 'git init here' });
const WRITES = called('write_file', { path: 'a.txt', content: 'hello\n' });
const DONE = called('mark_subtask_complete', { success: true });

/** Answers with these in turn, and then that it is done; from the one at `heldFrom` on they wait until they are let go. */
async function modelSaying(replies: readonly Reply[], heldFrom = 0) {
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  server = await startFakeOllama({
    models: [
      {
        ...{ name: MODEL, capabilities: ['completion', 'tools'], contextLength: 65_536 },
        ...{ parameterSize: '30B', family: 'qwen3' },
      },
    ],
    script: (_, n) => ({
      ...(replies[n - 1] ?? DONE),
      ...(heldFrom > 0 && n >= heldFrom ? { beforeEnd: held } : {}),
    }),
  });
  return { words: ['--host', server.url, '--model', MODEL], letGo };
}

const watch = async (folder: string, how: Parameters<typeof watching>[1] = {}) => {
  const watched = await watching(folder, how);
  leave.push(() => watched.channel.leave());
  return watched;
};

describe('a run without a terminal', () => {
  test('asks whoever watches about its plan and a command; of two answers at once one counts, is journalled with its door, and the other hears which', async () => {
    const { words, letGo } = await modelSaying([PLAN, WRITES, ASKS], 1);
    const folder = lab.folder();
    const working = lab.startHere([...words, '--plan', 'Begin a repository'], { in: folder });
    const [one, other] = [await watch(folder), await watch(folder)];
    letGo();
    await expect.poll(() => questionsIn(one.told), { timeout: 50_000 }).toHaveLength(1);
    const [plan] = questionsIn(one.told);
    expect(plan).toMatchObject({ tool: 'the plan', target: 'Begin a repository' });
    expect(plan?.inputText).toContain('do it\n  - begin a repository');
    expect(existsSync(join(folder, 'a.txt'))).toBe(false);
    const yes = { do: 'answer', id: plan?.id ?? '', kind: 'once', why: '' } as const;
    expect(await one.channel.send(yes)).toEqual({ how: 'taken' });
    await expect.poll(() => questionsIn(one.told), { timeout: 50_000 }).toHaveLength(2);
    await expect.poll(() => questionsIn(other.told), { timeout: 50_000 }).toHaveLength(2);
    expect(existsSync(join(folder, 'a.txt'))).toBe(true);
    const agreed = recordsIn(folder, 'plan_set').at(-1);
    expect(agreed).toMatchObject({ why: 'agreed to', by: 'person' });
    const [, question] = questionsIn(one.told);
    expect(question).toMatchObject({ tool: 'run_cmd', argv: ['git', 'init', 'here'] });
    const id = question?.id ?? '';
    const dones = await Promise.all([
      one.channel.send({ do: 'answer', id, kind: 'once', why: '' }),
      other.channel.send({ do: 'answer', id, kind: 'no', why: 'not here' }),
    ]);
    expect(await one.channel.closed).toBe('bye');
    const given = recordsIn(folder, 'approval_given');
    const isYes = given[0]?.allowed === true;
    const counted = { allowed: isYes, by: 'person', door: 'attach' };
    expect(given).toMatchObject([{ id, scope: 'call', ...counted }]);
    const late = { how: 'late', counted };
    expect(dones).toEqual(isYes ? [{ how: 'taken' }, late] : [late, { how: 'taken' }]);
    expect(existsSync(join(folder, 'here'))).toBe(isYes);
    const events = eventsIn(one.told);
    expect(events.filter(({ type }) => type === 'result')).toHaveLength(1);
    const seqs = events.flatMap((event) => (event.type === 'record' ? [event.record.seq] : []));
    const all = journalOf(folder).map(({ seq }) => seq);
    expect(seqs).toEqual(all.slice(all.length - seqs.length));
    await working.ended;
    expect(notesIn(placeOf(folder))).toEqual([]);
  });

  test('hears what is said to it, and pauses when it is asked to', async () => {
    const { words, letGo } = await modelSaying([PLAN, WRITES], 1);
    const folder = lab.folder();
    const working = lab.startHere([...words, 'Begin a repository'], { in: folder });
    const one = await watch(folder, { answers: false });
    expect(await one.channel.send({ do: 'say', text: 'be quick' })).toEqual({ how: 'taken' });
    expect(await one.channel.send({ do: 'say', text: ' ' })).toMatchObject({ how: 'refused' });
    expect(await one.channel.send({ do: 'pause' })).toEqual({ how: 'taken' });
    letGo();
    const { exitCode } = await working.ended;
    expect(exitCode).toBe(130);
    expect(recordsIn(folder, 'person_said')).toMatchObject([{ text: 'be quick' }]);
    expect(recordsIn(folder, 'run_paused')).toMatchObject([
      { why: 'interrupted', detail: 'asked for from elsewhere' },
    ]);
  });

  test.skipIf(process.platform === 'win32')(
    'works on where nothing can listen, and doctor says so',
    async () => {
      const { words, letGo } = await modelSaying([PLAN, WRITES], 1);
      const folder = lab.folder();
      const env = { TMPDIR: '/no-such-folder', XDG_RUNTIME_DIR: '' };
      const working = lab.startHere([...words, 'Begin a repository'], { in: folder, env });
      const { address, why } = await noteIn(folder);
      expect([address, why]).toEqual([null, expect.stringContaining('cannot be made (ENOENT).')]);
      letGo();
      expect((await working.ended).exitCode).toBe(9);
      const doctor = await lab.here(['doctor', ...words], { in: folder, env });
      expect(doctor.stdout).toMatch(/attach +\S.*no-such-folder\S+ cannot be made \(ENOENT\)\./);
    },
  );
});

describe('agent attach', () => {
  const attach = (folder: string, ...more: readonly string[]) =>
    lab.startHere(['attach', ...more], { in: folder });
  const isAttached = (one: Pick<RunningAgent, 'said'>) =>
    expect.poll(one.said, { timeout: 50_000 }).toContain('Attached to run 1');
  const heldRun = async (start: AgentLab['startHere']) => {
    const { words, letGo } = await modelSaying([PLAN, WRITES], 1);
    const folder = lab.folder();
    const working = start([...words, 'Begin a repository'], { in: folder });
    return { folder, letGo, note: await noteIn(folder), words, working };
  };

  /** From the first record to one result. */
  function expectWhole(folder: string, { stdout, exitCode }: AgentEnd): void {
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => readStreamEvent(JSON.parse(line)));
    expect(exitCode).toBe(9);
    expect(events[0]).toMatchObject({ type: 'started', goal: 'Begin a repository' });
    expect(events.filter((event) => event?.type === 'result')).toEqual([events.at(-1)]);
    const seqs = events.flatMap((event) => (event?.type === 'record' ? [event.record.seq] : []));
    expect(seqs).toEqual(journalOf(folder).map(({ seq }) => seq));
  }

  test('shows another run to its end, without a terminal too, and ends as it does; --json prints the whole stream', async () => {
    const { folder, letGo, note, working } = await heldRun(lab.startHere);
    const one = attach(folder);
    const other = attach(folder, '--json');
    await isAttached(one);
    await isAttached(other);
    letGo();
    const [shown, end] = [await one.ended, await working.ended];
    expectWhole(folder, await other.ended);
    expect([shown.exitCode, end.exitCode]).toEqual([9, 9]);
    expect(shown.stderr).toContain(
      `Attached to run 1 in process ${note.pid}: Begin a repository\n`,
    );
    expect(shown.stderr).toContain('✓ a.txt');
    expect(shown.stderr).toMatch(
      /^Run 1 has ended: unverified.*\n {2}See how it ended: agent status 1\n$/m,
    );
    expect(shown.stdout).toBe('');
  });

  test('tells of a process that was killed, whose random address was for this user alone; a resume sweeps it and goes on', async () => {
    const { folder, letGo, words, note } = await heldRun((args, options) => {
      running = lab.start(args, options);
      return running;
    });
    const { address, pid } = note;
    expect(note).toMatchObject({ workspace: realpathSync(folder), why: '' });
    const notes = join(dataOf(folder), 'live');
    const [name = ''] = readdirSync(notes);
    const isWin = process.platform === 'win32';
    if (!isWin) {
      expect(statSync(join(notes, name)).mode & 0o777).toBe(0o600);
      expect(statSync(dirname(address ?? '')).mode & 0o777).toBe(0o700);
    }
    const kept = readdirSync(join(folder, '.agent_context'), { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, '.agent_context', path))
      .filter((path) => statSync(path).isFile());
    expect(
      kept.some((path) => readFileSync(path, 'latin1').includes(basename(address ?? ''))),
    ).toBe(false);
    const env = { XDG_DATA_HOME: `${folder}.other`, LOCALAPPDATA: `${folder}.other` };
    const stranger = await lab.here(['attach'], { in: folder, env });
    expect(stranger.exitCode).toBe(8);
    expect(stranger.stderr).toContain('was not begun by your agent');
    const one = attach(folder, '1');
    await isAttached(one);
    await running?.kill();
    const { exitCode, stderr } = await one.ended;
    expect(exitCode).toBe(130);
    expect(stderr).toContain(
      `Process ${pid} ended before run 1 was finished. Nothing recorded is lost.\n  Resume: agent resume\n`,
    );
    expect([existsSync(address ?? ''), notesIn(placeOf(folder)).length]).toEqual([!isWin, 0]);
    const late = await attach(folder).ended;
    expect(late.exitCode).toBe(2);
    expect(late.stderr).toContain('Nobody works on run 1: its process is gone.');
    expect(late.stderr).toContain('Next: Continue it: agent resume');
    // It listens, and sweeps, while the model is silent.
    const resumed = lab.startHere(['resume', ...words.slice(0, 2)], { in: folder });
    await noteIn(folder);
    letGo();
    expect((await resumed.ended).exitCode).toBe(9);
    expect([existsSync(address ?? ''), readdirSync(notes)]).toEqual([false, []]);
    const over = await attach(folder, '1').ended;
    expect(over.exitCode).toBe(2);
    expect(over.stderr).toMatch(/Run 1 has ended: unverified/);
    expect(over.stderr).toContain('Next: See how it ended: agent status 1');
  });

  test('says clearly that there is no run, and that it does not answer for a person within one', async () => {
    const folder = lab.folder();
    const none = await attach(folder).ended;
    expect([none.exitCode, none.stderr]).toEqual([
      2,
      expect.stringContaining('There is no run in this folder.'),
    ]);
    const other = await attach(folder, '7').ended;
    expect([other.exitCode, other.stderr]).toEqual([2, expect.stringContaining('7')]);
    const within = await lab.here(['attach'], { in: folder, env: { [INSIDE_A_RUN]: '1' } });
    expect([within.exitCode, within.stderr]).toEqual([
      2,
      expect.stringContaining('A program that a run has started cannot follow a run'),
    ]);
  });
});

const pty = process.platform === 'win32' ? null : await pseudoTerminal();

describe.skipIf(pty === null)('at two terminals', () => {
  let shells: ShellInTerminal[] = [];
  afterEach(() => {
    for (const shell of shells) shell.close();
    shells = [];
  });

  async function shellIn(folder: string): Promise<ShellInTerminal> {
    if (pty === null) throw new Error('no pseudo terminal');
    const env = {
      ...{ PATH: process.env.PATH ?? '', HOME: `${folder}.home`, LANG: 'C.UTF-8' },
      ...{ XDG_CACHE_HOME: COMPILED, XDG_DATA_HOME: `${folder}.data` },
    };
    const shell = new ShellInTerminal(pty, { columns: 80, rows: 30, cwd: folder, env });
    shells.push(shell);
    await shell.shows(/\$$/);
    return shell;
  }

  /** The question counts keys only after a quiet while, so a key is pressed until it is taken. */
  async function press(shell: ShellInTerminal, key: string, sign: string | RegExp): Promise<void> {
    const timer = setInterval(() => shell.type(key), 400);
    try {
      await shell.shows(sign);
    } finally {
      clearInterval(timer);
    }
  }

  test('both show the question; one answers, both go on, and who leaves takes nothing away', async () => {
    const { words, letGo } = await modelSaying([PLAN, ASKS, WRITES], 1);
    const folder = lab.folder();
    const program = [process.execPath, lab.bin];
    const line = (args: readonly string[]) =>
      `${[...program, ...args].map((word) => `'${word}'`).join(' ')}; echo "over $?"\r`;
    writeFileSync(join(folder, '..', 'on.sh'), line([...words, 'Begin a repository']).trim());
    writeFileSync(join(folder, '..', 'at.sh'), line(['attach']).trim());
    const [owner, other] = [await shellIn(folder), await shellIn(folder)];
    owner.type('bash ../on.sh\r');
    const { pid } = await noteIn(folder);
    other.type('bash ../at.sh\r');
    const shown = await other.shows('Ctrl+C leaves it working');
    expect(shown).toContain(`Attached to run 1 in process ${pid}: Begin a repository`);
    letGo();
    const [asked, alike] = [await owner.shows(/why\n>/), await other.shows(/why\n>/)];
    const question = 'run git init here';
    expect([asked, alike]).toEqual([
      expect.stringContaining(question),
      expect.stringContaining(question),
    ]);
    await press(other, 'a', '> yes, always here\n');
    const gone = await owner.shows(/over \d/);
    expect(gone).toContain('> yes, always here, from another terminal');
    expect(gone).toMatch(/✓ git init/);
    const end = await other.shows(/over \d/);
    expect(end).toMatch(/Run 1 has ended: unverified/);
    expect(recordsIn(folder, 'approval_given')).toMatchObject([
      { scope: 'call', door: 'attach' },
      { scope: 'here', door: 'attach', rule: 'run_cmd(git init *)' },
    ]);
    const rules = join(dataOf(folder), 'rules');
    const kept = readdirSync(rules, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.json'),
    );
    expect(kept.map((name) => JSON.parse(readFileSync(join(rules, name), 'utf8')))).toMatchObject([
      { rule: 'run_cmd(git init *)', door: 'attach' },
    ]);
  });

  test('Ctrl+C leaves the run working and says so; Ctrl+X pauses it, as Ctrl+C does where it works', async () => {
    const { words, letGo } = await modelSaying([PLAN, WRITES], 1);
    const folder = lab.folder();
    const working = lab.startHere([...words, 'Begin a repository'], { in: folder });
    const { pid } = await noteIn(folder);
    const program = [process.execPath, lab.bin, 'attach'].map((word) => `'${word}'`).join(' ');
    writeFileSync(join(folder, '..', 'at.sh'), `${program}; echo "over $?"\n`);
    const shell = await shellIn(folder);
    shell.type('bash ../at.sh\r');
    await shell.shows('Ctrl+C leaves it working');
    shell.type('be quick\r');
    await expect.poll(() => recordsIn(folder, 'person_said'), { timeout: 50_000 }).toHaveLength(1);
    shell.type('\u0003');
    const left = await shell.shows(/over \d/);
    expect(left).toContain(`Left run 1. Process ${pid} works on.`);
    expect(left).toContain('over 0');
    shell.type('clear; bash ../at.sh\r');
    await shell.shows('Ctrl+X pauses it');
    await press(shell, '\u0018', /over 130/);
    letGo();
    expect((await working.ended).exitCode).toBe(130);
    expect(shell.screen.text()).toMatch(/Run 1 is paused \(interrupted\)/);
    expect(recordsIn(folder, 'run_paused')).toMatchObject([
      { why: 'interrupted', detail: 'asked for from elsewhere' },
    ]);
  });
});
