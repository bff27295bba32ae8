/**
 * Tries the content of a file in the scratch copy before it is written. It is tested only against what was
 * given: its language, the goal's literal examples, the existing tests, and that a program ends.
 * 1. Nothing of it reaches the workspace.
 * 2. A check that cannot be tried does not count.
 * 3. While other code of the plan is still missing, only the language checks it, because its dependencies may
 *    not exist yet.
 */

import { figuresIn } from '../../evidence/facts-in-answer.ts';
import {
  copyFor,
  removeLeftovers,
  runInCopy,
  type ScratchRecord,
} from '../../evidence/trials/in-copy.ts';
import { passedBefore } from '../../evidence/trials/passed-before.ts';
import { examineFile } from '../../languages/files/examine-file.ts';
import { isCodePath, isTestPath, languageOf } from '../../languages/languages.ts';
import { failureLines } from '../../languages/testing/short-failure.ts';
import { runsTests } from '../../languages/testing/test-runs.ts';
import { own } from '../../lib/own.ts';
import { printsText } from '../../probe/checks.ts';
import { firstDifference, otherValue } from '../../probe/first-difference.ts';
import type { FileFacts } from '../../schema/actions.ts';
import { SCRATCH_ID } from '../../schema/evidence.ts';
import { CHANGES, FIGURES, PARSES } from '../../schema/journal/file-candidates.ts';
import { exampleText } from '../../schema/model/brief.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import { type Proof, subtasksOf } from '../../schema/plan.ts';
import type { RecordOf } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';
import { examplesOn } from '../../steps/gate/examples.ts';
import { isPending, subtaskFile } from '../../steps/select.ts';
import type { Step } from '../../steps/step.ts';
import { exampleCheck } from '../check.ts';
import { withAnswers } from '../permission/with-answers.ts';
import type { RunPorts } from '../run-ports.ts';
import { originalText } from './original-text.ts';

type Showed = RecordOf<'file_candidate_shown'>['showed'][number];

/** Characters of one fault that are reported. */
const MAX_DETAIL = 300;
/** A program that takes longer than this for one example counts as endless. */
const PROGRAM_SECONDS = 10;
const TESTS_SECONDS = 60;
/** No more files than this are searched for a figure. */
const MAX_FILES = 50;

export async function tryCandidate(
  { call: folded }: Extract<Step, { do: 'try_candidate' }>,
  run: RunPorts,
): Promise<void> {
  const { context } = run;
  const { guided, active } = context.state;
  const { file: path = '', candidates = [] } = guided.contentRequest ?? {};
  const call = context.journal.readBack(folded) as ToolCall;
  const text = textOf(call, run.world.readText(path));
  const about = { path, text: text ?? '', index: candidates.length };
  const showed = text === null ? [] : await showedBy(about, run);
  if (run.signal.aborted) return;
  const subtask = active?.id ?? 'none';
  context.record({ type: 'file_candidate_shown', subtask, ...about, showed });
}

export function takeCandidate(
  { index }: Extract<Step, { do: 'take_candidate' }>,
  { context }: Pick<RunPorts, 'context'>,
): void {
  const { guided, active } = context.state;
  const { file: path = '', candidates = [] } = guided.contentRequest ?? {};
  const why =
    candidates[index]?.failed === 0
      ? 'it fails nothing that was given'
      : 'it fails the least of what was given';
  const subtask = active?.id ?? 'none';
  context.record({ type: 'file_candidate_taken', subtask, path, index, why });
}

/** `null` when the old lines are not there; the tool reports that. */
function textOf({ args }: ToolCall, now: string | null): string | null {
  if (typeof args.content === 'string') return args.content;
  const { old_text, new_text } = args;
  const isEdit = typeof old_text === 'string' && typeof new_text === 'string';
  return isEdit && now?.includes(old_text) ? now.replace(old_text, () => new_text) : null;
}

interface Content {
  readonly path: string;
  readonly text: string;
  readonly index: number;
}

async function showedBy(content: Content, run: RunPorts): Promise<Showed[]> {
  const { path, text } = content;
  if (run.world.readText(path)?.replaceAll('\r\n', '\n') === text.replaceAll('\r\n', '\n'))
    return [
      { check: CHANGES, failed: true, detail: 'it is the same as before: something must change' },
    ];
  const facts = await examineFile(
    path,
    {
      ...run.inspectionDeps(),
      readText: (one) => (one === path ? text : run.world.readText(one)),
      exists: (one) => one === path || run.world.exists(one),
    },
    originalText(run, '', path),
  );
  const [problem] = facts.problems;
  if (problem !== undefined) return [{ check: PARSES, failed: true, detail: problem }];
  const showed = languageOf(path).inspect ? [{ check: PARSES, failed: false, detail: '' }] : [];
  if (isTestPath(path) || !isCodePath(path) || isCodeLeft(run.context.state)) return showed;
  try {
    showed.push(...figuresMissing(content, run));
    const trials = [...exampleTrials(facts, run), ...endTrials(facts, run), ...testTrials(run)];
    for (const [n, trial] of trials.entries()) {
      const ran = await inCopy(trial, { ...content, id: `${content.index}#${n}` }, run);
      const one = ran === null ? null : await trial.shows(ran);
      if (run.signal.aborted) break;
      if (one !== null) showed.push({ ...one, detail: one.detail.slice(0, MAX_DETAIL) });
    }
    return showed;
  } finally {
    await removeLeftovers(run);
  }
}

/** A single digit may just be the number of a step. */
const MIN_DIGITS = 2;

/** Figures of the goal that appear neither in the program, nor in another file, nor in an example. */
function figuresMissing({ text, path }: Content, { context, world }: RunPorts): Showed[] {
  const { goal, brief } = context.state;
  if (brief?.kind !== 'work') return [];
  const others = world.files(MAX_FILES).filter((one) => one !== path);
  const texts = others.map((one) => world.readText(one) ?? '');
  const known = [text, ...others, ...texts, ...brief.examples.map(exampleText)];
  const stated = [...figuresIn(goal)].filter((one) => one.length >= MIN_DIGITS);
  const found = figuresIn(known.join('\n'));
  const missing = stated.filter((figure) => !found.has(figure));
  if (stated.length === 0) return [];
  const [first] = missing;
  const detail = first === undefined ? '' : `the goal says ${first}, which stands nowhere in it`;
  return [{ check: FIGURES, failed: first !== undefined, detail }];
}

/** True when another open subtask writes code that this file may need. */
const isCodeLeft = ({ plan, active }: RunState): boolean =>
  plan !== null &&
  subtasksOf(plan).some((subtask) => {
    const file = subtaskFile(subtask);
    return (
      subtask.id !== active?.id && isPending(subtask) && file !== undefined && !isTestPath(file)
    );
  });

interface Ran {
  readonly record: Omit<ScratchRecord, 'type'>;
  /** The part of the output that is kept. */
  readonly output: string;
}

interface Trial {
  readonly command: Proof;
  readonly seconds: number;
  /** `null`: it shows nothing. */
  shows(ran: Ran): Promise<Showed | null> | Showed | null;
}

/** A trial that ran before a crash is not repeated. */
async function inCopy(
  { command, seconds }: Trial,
  { path, text, id: place }: Content & { readonly id: string },
  run: RunPorts,
): Promise<Ran | null> {
  const { context } = run;
  const { active, round, guided } = context.state;
  const id = `${SCRATCH_ID}${active?.id ?? 'none'}#${round?.n ?? 0}#${place}`;
  const known = own(guided.contentRequest?.trials ?? {}, id);
  if (known !== undefined) return ranBy(context.read(known, 'check_ran') as ScratchRecord, run);
  const copied = await copyFor(run, new Map([[path, Buffer.from(text)]]));
  if (copied.kind !== 'copied') return null;
  const ran = await runInCopy(run, command, {
    id,
    seconds,
    isEnough: true,
    scratch: { what: 'candidate', about: path, tree: copied.tree },
    decide: withAnswers(run, run.scratch.policy.decide),
  });
  return ran && ranBy(ran.record, run);
}

const ranBy = (
  record: Omit<ScratchRecord, 'type'>,
  { context }: Pick<RunPorts, 'context'>,
): Ran => ({
  record,
  output: context.textOf(record.text),
});

/** The goal's literal examples that this file must satisfy. */
function exampleTrials({ path, defines = [], prompts = [] }: FileFacts, run: RunPorts): Trial[] {
  const { state } = run.context;
  const known = own(state.files, path);
  const file = {
    hash: '',
    baseline: null,
    rejected: null,
    ...known,
    written: true,
    problems: [],
    defines,
    prompts,
  };
  const written = { ...state, files: { ...state.files, [path]: file } };
  return examplesOn(written)
    .filter((due) => due.file === path)
    .map((due) => {
      const { says, cmd, stdin, prints, isValue } = exampleCheck(due, run.installed);
      const command = { cmd, prints, ...(stdin === undefined ? {} : { stdin }) };
      const check = `example ${says}`;
      const wrong = (how: string): Showed => ({
        check,
        failed: true,
        detail: `the goal says ${says}, but ${how}`,
      });
      return {
        command,
        seconds: PROGRAM_SECONDS,
        shows: async ({ record, output }) => {
          const { facts, scratch, passed } = record;
          // A program that has answered its first line of input may ask for the next one.
          const isHeld = passed || (facts.asksForInput !== undefined && printsText(output, prints));
          if (isHeld) return { check, failed: false, detail: '' };
          if (scratch.endless) return wrong('it does not end');
          if (typeof facts.exitCode !== 'number') return null;
          const wasThere = (known?.baseline ?? null) !== null;
          const decide = withAnswers(run, run.scratch.policy.decide);
          if (wasThere && (await passedBefore(run, command, decide))) return null;
          const difference = isValue ? otherValue(output) : firstDifference(output, prints);
          return wrong(difference ?? failureIn(output));
        },
      };
    });
}

/**
 * Runs the proof if it is a program in this file. Its output and exit code do not count, because the goal did
 * not give them.
 */
function endTrials({ path, prompts = [] }: FileFacts, { context }: RunPorts): Trial[] {
  const proof = context.state.plan?.proof;
  if (!proof || runsTests(proof.cmd) || !proof.cmd.includes(path)) return [];
  if (prompts.length > 0 && proof.stdin === undefined) return [];
  const { cmd, stdin } = proof;
  const check = `${cmd} ends`;
  return [
    {
      command: { cmd, ...(stdin === undefined ? {} : { stdin }) },
      seconds: PROGRAM_SECONDS,
      shows: ({ record: { scratch, facts } }) => {
        if (scratch.endless) return { check, failed: true, detail: `${cmd} does not end` };
        return typeof facts.exitCode === 'number' ? { check, failed: false, detail: '' } : null;
      },
    },
  ];
}

/** The existing tests, as they ran before the plan. */
function testTrials({ context }: RunPorts): Trial[] {
  const { testsBeforePlan, failedBefore = {} } = context.state;
  if (testsBeforePlan?.offset == null) return [];
  const { check: asked, passed, red } = context.read(testsBeforePlan.offset, 'check_ran');
  if (!('cmd' in asked) || (!passed && red !== 'failing')) return [];
  const { cmd } = asked;
  const check = `${cmd} is no worse`;
  return [
    {
      command: { cmd },
      seconds: TESTS_SECONDS,
      shows: ({ record, output }) => {
        const { facts, scratch } = record;
        const isAsBefore = own(failedBefore, cmd) !== undefined && facts.asBefore === true;
        if (record.passed || isAsBefore) return { check, failed: false, detail: '' };
        if (scratch.endless) return { check, failed: true, detail: `${cmd} does not end` };
        if (typeof facts.exitCode !== 'number' || facts.testsRan === 'none') return null;
        return { check, failed: true, detail: `${cmd} fails: ${failureIn(output)}` };
      },
    },
  ];
}

const failureIn = (output: string): string =>
  failureLines(output).join(' ') || output.trim().split('\n').at(-1) || 'it prints nothing';
