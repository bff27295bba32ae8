/**
 * Puts questions to the scratch copy: each is one command, journalled as a check, in a copy of its
 * own. What was answered for the same workspace before a crash is not run again. All of them
 * together have the time of `MAX_MS`, or three times what the proof takes.
 */
import { createHash } from 'node:crypto';
import { isCache, isInstalled, variablesInCopy } from '../../languages/languages.ts';
import { runProof, shorten } from '../../probe/checks.ts';
import { comparable } from '../../probe/compare.ts';
import type { Answer, Ask, Evidence, Question } from '../../probe/evidence.ts';
import { type CarryOutPort, carryOutDeps } from '../../round/act.ts';
import type { Run } from '../../round/run.ts';
import type { ToolResult } from '../../schema/actions.ts';
import { SCRATCH_ID, type ScratchRun } from '../../schema/evidence.ts';
import type { Proof } from '../../schema/plan.ts';
import type { RecordOf } from '../../schema/records.ts';
import { executeCheck } from '../../tools/execute.ts';
import { callThat } from '../../tools/toolset.ts';
import { isStateFolder } from '../../workspace/path-rules.ts';
import { copyWorkspace } from '../../workspace/scratch.ts';
import { type Changes, changesFor } from './changes.ts';
import type { Records, Work } from './work.ts';

export type AskPort = CarryOutPort &
  Pick<Run, 'clock' | 'scratch' | 'installed' | 'lookDeps' | 'world'>;

const MAX_MS = 60_000;
const TIMES_THE_PROOF = 3;

interface Asking {
  readonly evidence: Evidence;
  readonly work: Work;
  readonly records: Records;
  /** Milliseconds that the proof took in the workspace; 0 where it is not known. */
  readonly proofMs: number;
}

type Scratched = Omit<RecordOf<'check_ran'>, 'scratch'> & { readonly scratch: ScratchRun };

export function askerOf(run: AskPort, asking: Asking): Ask {
  const { clock } = run;
  const end = clock.monotonic() + Math.max(MAX_MS, TIMES_THE_PROOF * asking.proofMs);
  const answered = answersIn(asking.records);
  let asked = 0;
  return async (question) => {
    const wanted = await changesFor(question, run, asking);
    if (wanted === null) return { kind: 'nothing' };
    asked += 1;
    if (run.signal.aborted) return { kind: 'none', why: 'the run was interrupted' };
    const seconds = Math.floor((end - clock.monotonic()) / 1000);
    if (seconds < 1) return { kind: 'none', why: 'the time for it was over' };
    const copied = copy(run, wanted);
    if (copied.kind === 'not_possible')
      return { kind: 'none', why: `the workspace could not be copied, ${copied.why}` };
    const about = aboutOf(question);
    const isSame = (one: Scratched): boolean =>
      one.scratch.tree === copied.tree &&
      one.scratch.what === question.what &&
      one.scratch.about === about &&
      'cmd' in one.check &&
      one.check.cmd === wanted.command.cmd;
    const earlier = answered.find(isSame);
    if (earlier) return answerIn(earlier);
    if (asked === 1)
      run.emit({
        type: 'notice',
        level: 'info',
        text: 'Trying the proof in a copy of the workspace',
      });
    return runIn(run, wanted.command, {
      id: `${SCRATCH_ID}${asked}`,
      seconds,
      scratch: { what: question.what, about, tree: copied.tree },
    });
  };
}

const copy = (run: AskPort, { changes }: Changes) => {
  const { fs, workspace } = run.toolContext;
  return copyWorkspace({
    fs,
    workspace,
    folder: run.scratch.folder,
    changes,
    isLeftOut: (path, name) =>
      name === '.git' || isStateFolder(name) || isCache(name) || isInstalled(path, fs.platform),
  });
};

interface Place {
  readonly id: string;
  readonly seconds: number;
  readonly scratch: Omit<ScratchRun, 'word'>;
}

async function runIn(run: AskPort, command: Proof, place: Place): Promise<Answer> {
  const { folder, policy } = run.scratch;
  const variables = variablesInCopy(folder, run.toolContext.fs.platform);
  const deps = {
    ...carryOutDeps(run),
    context: { ...run.toolContext, workspace: folder, variables },
    decide: policy.decide,
    onOutput: () => {},
    // Nothing that is changed there is anybody's.
    watch: null,
  };
  let ran: ToolResult | null = null;
  const result = await runProof(command, {
    readText: () => null,
    exists: () => false,
    runCommand: async (cmd, stdin) => {
      const args = { cmd, stdin, timeout_sec: place.seconds };
      const call = callThat(run.tools, 'runs_commands', args);
      if (call === null) return { status: 'error', exitCode: null };
      ran = await executeCheck(call, place.id, deps);
      return { ...ran, exitCode: ran.facts?.exitCode ?? null };
    },
  });
  if (run.signal.aborted) return { kind: 'none', why: 'the run was interrupted' };
  const { output = '', content = '' } = (ran ?? {}) as Partial<ToolResult>;
  const hasEnded = typeof result.facts.exitCode === 'number';
  const record = {
    type: 'check_ran',
    id: place.id,
    subtask: 'none',
    check: command,
    proof: false,
    passed: result.passed,
    text: shorten(hasEnded ? output : content),
    facts: result.facts,
    scratch: { ...place.scratch, word: wordFor(output, folder) },
  } as const;
  run.context.record(record);
  return answerIn(record);
}

function answerIn({ facts, passed, text, scratch }: Omit<Scratched, 'type'>): Answer {
  const { exitCode } = facts;
  if (facts.testsRan === 'none') return { kind: 'none', why: 'there were no tests to run' };
  if (typeof exitCode !== 'number')
    return { kind: 'none', why: `it did not come to its end: ${String(text).split('\n')[0]}` };
  return { kind: 'ran', passed, exitCode, output: String(text), word: scratch.word };
}

const wordFor = (output: string, folder: string): string =>
  createHash('sha256').update(comparable(output, folder)).digest('hex').slice(0, 16);

function answersIn(records: Records): readonly Scratched[] {
  const answers: Scratched[] = [];
  for (const record of records())
    if (record.type === 'check_ran' && record.scratch) answers.push(record as Scratched);
  return answers;
}

function aboutOf(question: Question): string {
  switch (question.what) {
    case 'emptied':
    case 'without':
      return question.path;
    case 'input':
      return `${question.time}: ${question.stdin}`;
    case 'first_proof':
      return question.proof.cmd;
    case 'unchanged':
      return question.again ? 'again' : '';
    default:
      return '';
  }
}
