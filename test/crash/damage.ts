/**
 * Damaged state and every command on it. For each: a clear end, no false word, nothing lost that
 * was there, no file of the user changed but as it is said; and a way on that works.
 */
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  agentIn,
  copyOf,
  endedFiles,
  type Files,
  filesIn,
  GOAL,
  type MadeRun,
  makeRuns,
  type Said,
} from '../support/damage-world.ts';
import { quickFolder } from '../support/quick-folder.ts';
import type { FaultReport } from './contract.ts';
import { type Damage, damagesOf } from './damages.ts';

const COMMANDS: { readonly [name: string]: readonly string[] } = {
  run: [GOAL, '-m', 'x'],
  resume: ['resume', '-m', 'x'],
  status: ['status', '--json'],
  undo: ['undo', '--yes'],
  repair: ['repair', '--yes'],
  doctor: ['doctor'],
};

interface Case {
  readonly run: MadeRun;
  readonly damage: Damage;
  readonly command: string;
}

/** @param every only each n-th case, for a sample */
export async function crashDamage(every = 1): Promise<FaultReport[]> {
  const { runs, dispose } = await makeRuns();
  const root = mkdtempSync(join(quickFolder(), 'damaged-'));
  try {
    const reports = new Map<string, { cases: number; violations: string[] }>();
    let count = 0;
    for (const run of runs) {
      const other = runs.find((one) => one !== run) ?? run;
      const damages = damagesOf(stateOf(run.folder), stateOf(other.folder));
      for (const damage of damages)
        for (const command of Object.keys(COMMANDS)) {
          count += 1;
          if (count % every !== 0) continue;
          const found = await tryOne({ run, damage, command }, join(root, 'w'));
          if (found === null) continue;
          const kind = `${run.name}: ${damage.kind}`;
          const report = reports.get(kind) ?? { cases: 0, violations: [] };
          report.cases += 1;
          report.violations.push(
            ...found.map((text) => `${damage.where}, agent ${command}: ${text}`),
          );
          reports.set(kind, report);
        }
    }
    return [...reports].map(([kind, report]) => ({ kind, ...report }));
  } finally {
    rmSync(root, { recursive: true, force: true });
    dispose();
  }
}

const stateOf = (folder: string): string => join(folder, '.agent_context');

/** `null` where this damage cannot be done here. */
async function tryOne({ run, damage, command }: Case, folder: string): Promise<string[] | null> {
  copyOf(run, folder);
  if (!damage.apply(stateOf(folder))) return null;
  const journal = journalIn(folder);
  const said = await agentIn(folder, COMMANDS[command] ?? []);
  const now = filesIn(folder);
  const wrong = [...wrongEnd(said), ...lostBytes(folder, journal, said, command)];
  if (isOtherRun(damage)) wrong.push(...unnamed(said));
  switch (command) {
    case 'status':
      wrong.push(...falseStatus(run, said), ...changed(run.after, now));
      break;
    case 'doctor':
      wrong.push(...(await falseDoctor(folder, said)), ...changed(run.after, now));
      break;
    case 'undo':
      wrong.push(...falseUndo(run, said, now, damage));
      break;
    case 'repair':
      wrong.push(
        ...changed(run.after, now),
        ...(await goesOn({ run, damage, command }, folder, said)),
      );
      break;
    default:
      wrong.push(...(await falseRun(run, folder, said)));
  }
  return wrong;
}

const EXPECTED = new Set([0, 2, 3, 4, 8, 9]);

/** Every end is one of those that are documented, says what to do next, and shows no stack. */
function wrongEnd({ exitCode, stdout, stderr }: Said): string[] {
  const wrong: string[] = [];
  const text = `${stdout}\n${stderr}`;
  if (!EXPECTED.has(exitCode)) wrong.push(`exit code ${exitCode}: ${stderr.slice(0, 300)}`);
  if (/\n\s+at .+:\d+:\d+|This is a bug|Internal error/.test(text)) wrong.push(`a stack: ${text}`);
  if (exitCode === 8 && !/Next: \S/.test(stderr)) wrong.push(`no next step: ${stderr}`);
  return wrong;
}

/** What a file is, as far as it can be read. */
function journalIn(folder: string): Buffer | null {
  const path = join(stateOf(folder), 'history.jsonl');
  return existsSync(path) && lstatSync(path).isFile() ? readFileSync(path) : null;
}

/** Every byte of the damaged journal is still in the journal, or in quarantine. */
function lostBytes(folder: string, before: Buffer | null, said: Said, command: string): string[] {
  if (before === null) return [];
  const state = stateOf(folder);
  const after = journalIn(folder) ?? Buffer.alloc(0);
  if (['status', 'doctor'].includes(command) || (said.exitCode === 8 && command !== 'repair')) {
    return after.equals(before) ? [] : ['the journal was changed'];
  }
  const runs = readdirSync(join(state, 'runs')).map((name) =>
    readFileSync(join(state, 'runs', name)),
  );
  const parts = readdirSync(join(state, 'quarantine'))
    .map((name) => join(state, 'quarantine', name))
    .filter((path) => lstatSync(path).isFile())
    .map((path) => readFileSync(path));
  const isThere = [after, ...runs, ...parts].some((file) => {
    if (file.subarray(0, before.length).equals(before)) return true;
    return parts.some((part) => {
      const head = before.length - part.length;
      return (
        head >= 0 &&
        before.subarray(head).equals(part) &&
        file.subarray(0, head).equals(before.subarray(0, head))
      );
    });
  });
  return isThere ? [] : ['bytes of the journal are in neither journal nor quarantine'];
}

const changed = (before: Files, now: Files): string[] =>
  isDeepStrictEqual(before, now) ? [] : [`files of the user were changed: ${JSON.stringify(now)}`];

const isOtherRun = ({ kind }: Damage): boolean => kind === "another run's file";

/** That the journal is not the one of this folder is said by whatever looks at it. */
const unnamed = ({ stdout, stderr }: Said): string[] =>
  /another run/.test(stdout + stderr)
    ? []
    : [`does not say that the journal is another run's: ${stdout}${stderr}`];

function falseStatus({ states }: MadeRun, { exitCode, stdout }: Said): string[] {
  if (exitCode !== 0) return [];
  const { state, run } = JSON.parse(stdout) as {
    state?: { seq: number; goal: string };
    run?: null;
  };
  if (run === null || state === undefined) return ['says that there was no run'];
  const true_ = states.get(state.seq);
  return isDeepStrictEqual(JSON.parse(JSON.stringify(true_ ?? null)), state)
    ? []
    : [`shows a state that the run never had, at record ${state.seq}`];
}

/** What a start refuses the doctor finds, and what it calls well a start takes. */
async function falseDoctor(folder: string, { stdout }: Said): Promise<string[]> {
  const [, verdict] = /^(\w+) +journal/m.exec(stdout) ?? [];
  const isRefused = (await agentIn(folder, ['status'])).exitCode === 8;
  // Where all is well it is short.
  if (verdict === undefined) return isRefused ? ['says nothing of the journal'] : [];
  return isRefused && verdict !== 'fail' ? ['calls well what a start refuses'] : [];
}

/** Each file is as it was before the run, or it is named. */
function falseUndo(
  { before, after }: MadeRun,
  { exitCode, stdout, stderr }: Said,
  now: Files,
  { kind }: Damage,
): string[] {
  if (exitCode !== 0) return changed(after, now);
  if (/There is no run in this folder/.test(stderr)) return ['says that there was no run'];
  const paths = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...paths].flatMap((path) => {
    if (now[path] === before[path]) return [];
    if (now[path] !== after[path]) return [`${path} holds what it never held`];
    // A file that the run made has no before-image: a cut journal without a snapshot holds nothing of it.
    if (kind === 'cut inside, and no snapshot' && !(path in before)) return [];
    return stdout.includes(path) || /No longer known/.test(stdout)
      ? []
      : [`${path} is not back, and nothing says so: ${stdout}`];
  });
}

/** It ends where it would have ended, or it is refused and nothing is touched. */
async function falseRun({ after, name }: MadeRun, folder: string, said: Said): Promise<string[]> {
  const now = filesIn(folder);
  if (said.exitCode === 8) return changed(after, now);
  if (name === 'finished' && said.exitCode === 0) return changed(after, now);
  // The damage took the record of the pause: the limit of the run is reached still, and says so
  // again. That pause stands in the journal, so the next start goes on.
  const last = isPausedAgain(name, said) ? await agentIn(folder, COMMANDS.resume ?? []) : said;
  const end = filesIn(folder);
  return isDeepStrictEqual(end, endedFiles())
    ? []
    : [`exit ${last.exitCode} with ${JSON.stringify(end)}`];
}

const isPausedAgain = (name: MadeRun['name'], { exitCode, stderr }: Said): boolean =>
  name === 'paused' && exitCode === 4 && /limit of rounds reached/.test(stderr);

/** After a repair: the goal is not lost, the run goes on or can be begun, an undo puts back or names. */
async function goesOn({ run, damage }: Case, folder: string, repaired: Said): Promise<string[]> {
  if (repaired.exitCode === 8) {
    return /UTF-16/.test(repaired.stderr) ? [] : [`not repaired: ${repaired.stderr}`];
  }
  const wrong: string[] = [];
  const again = await agentIn(folder, ['repair']);
  if (!/Nothing to repair/.test(again.stdout))
    wrong.push(`a second repair: ${again.stdout}${again.stderr}`);
  const status = await agentIn(folder, ['status']);
  if (status.exitCode !== 0) wrong.push(`status after the repair: ${status.stderr}`);
  const isRunLeft = status.stdout.includes(GOAL);
  const mayBeLost =
    /no snapshot|with its snapshot|0 bytes|NULs all|removed|made a|cut inside|hole|overwritten|flipped|missing/;
  if (!isRunLeft && !mayBeLost.test(damage.kind)) wrong.push('the goal is lost');
  const doctor = await agentIn(folder, ['doctor']);
  if (/^fail +journal/m.test(doctor.stdout) && !/blob/.test(damage.kind)) {
    wrong.push(`doctor after the repair: ${doctor.stdout}`);
  }
  if (isRunLeft) wrong.push(...(await resumes(folder)));
  const undone = await agentIn(folder, ['undo', '--yes']);
  wrong.push(...falseUndoAfter(run, undone, filesIn(folder), damage));
  const resumed = await agentIn(folder, [GOAL, '-m', 'x', '--again']);
  if (resumed.exitCode !== 0 && resumed.exitCode !== 9)
    wrong.push(`started over: ${resumed.exitCode} ${resumed.stderr}`);
  return wrong;
}

/** What was repaired goes on: no open call that cannot be read holds it up. */
async function resumes(folder: string): Promise<string[]> {
  const copy = `${folder}-resumed`;
  rmSync(copy, { recursive: true, force: true });
  // A pipe that a repair has put aside cannot be copied.
  cpSync(folder, copy, { recursive: true, filter: (path) => !lstatSync(path).isFIFO() });
  const resumed = await agentIn(copy, ['resume', '-m', 'x']);
  rmSync(copy, { recursive: true, force: true });
  return [0, 3, 4, 9, 10].includes(resumed.exitCode)
    ? []
    : [`resume after the repair: exit ${resumed.exitCode} ${resumed.stderr}`];
}

function falseUndoAfter(run: MadeRun, said: Said, now: Files, damage: Damage): string[] {
  if (said.exitCode !== 0) return [`undo after the repair: ${said.stderr}`];
  // Nothing but the blobs is left, and they say of no file that they were its.
  const isNothingLeft = /0 bytes|NULs all|removed|made a/.test(damage.kind);
  if (isNothingLeft && /There is no run/.test(said.stderr)) return [];
  return falseUndo(run, said, now, damage);
}
