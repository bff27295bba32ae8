/** Runs the checks and the proof of a plan through ports; the verdicts themselves are pure. */

import { defined } from '../lib/defined.ts';
import { onOneLine } from '../lib/text/one-line.ts';
import type { ActionFacts, ActionStatus } from '../schema/actions.ts';
import type { Check, Proof } from '../schema/plan.ts';
import { judgeCommand, printsExactly, printsText } from './command-verdict.ts';
import { otherValue } from './first-difference.ts';

export { judgeCommand, printsText } from './command-verdict.ts';

/** What a check needs of the world; paths are the model's own, so the port confines them. */
export interface CheckDeps {
  /** Text of a file; `null` if there is none or it lies outside the workspace. Never throws. */
  readText(path: string): string | null;
  /** True for a file whose text may be read only with consent; left out: no file needs consent. */
  needsApproval?(path: string): boolean;
  /** True for files and folders inside the workspace. Never throws. */
  exists(path: string): boolean;
  /** The prompts with which this run's programs ask for input. */
  readonly prompts?: readonly string[];
  /** The part of a failed command's output to show; left out: its beginning and its end. */
  excerpt?(output: string): string;
  /** Runs a command under the same rules as the model's own. Never throws. */
  runCommand(cmd: string, stdin: string | undefined): Promise<Ran>;
}

/** What became of a command. */
export interface Ran {
  readonly status: ActionStatus;
  readonly exitCode: number | null;
  /** The program's whole output, and nothing else; left out if no program ran. */
  readonly output?: string;
  readonly ending?: string;
  /** Further facts about how the command ended. */
  readonly facts?: ActionFacts;
  /** The text for the model if there is no output, such as a refusal. */
  readonly content?: string;
  /** The next step that the outcome suggests. */
  readonly hint?: string;
}

export interface CheckResult {
  readonly passed: boolean;
  /** The check shows nothing either way. */
  readonly isAside?: true;
  /** The examined thing, the verdict, and the output of a failed command. */
  readonly text: string;
  readonly printed?: string;
  readonly facts: ActionFacts;
  /** The output of a command that did not pass. */
  readonly output?: string;
}

type ExampleCheck = Extract<Check, { type: 'goal_example' }>;

/** Longest output of a failed command that goes into the verdict, in characters. */
const MAX_OUTPUT = 2000;

/** Checks whether one "done when" holds. */
export async function runCheck(check: Check, deps: CheckDeps): Promise<CheckResult> {
  switch (check.type) {
    case 'file_exists': {
      const passed = deps.exists(check.path);
      return result(passed, `${check.path} ${passed ? 'exists' : 'does not exist: write it'}`);
    }
    case 'file_contains':
      return checkContains(check.path, check.text, deps);
    case 'command_succeeds':
      return runProof(check, deps);
    case 'goal_example':
      return runExample(check, deps);
    default:
      return check satisfies never;
  }
}

function checkContains(path: string, text: string, deps: CheckDeps): CheckResult {
  if (deps.needsApproval?.(path))
    return result(false, `${path} may hold keys, so nothing looks at what is in it`);
  const content = deps.readText(path);
  if (content === null)
    return result(
      false,
      `${path} ${deps.exists(path) ? 'cannot be read as text' : 'does not exist: write it'}`,
    );
  const passed = content.includes(text) || onOneLine(content).includes(onOneLine(text));
  return result(passed, `${path} ${passed ? 'contains' : 'does not contain'} "${text}"`);
}

/** Runs the command that shows the goal is reached. */
export async function runProof(command: Proof, deps: CheckDeps): Promise<CheckResult> {
  const { cmd, stdin, prints } = command;
  const ran = await deps.runCommand(cmd, stdin);
  const { status, exitCode, output = '', content = '', hint, facts: seen } = ran;
  const { asksForInput, failingTests, tests, testsRan, notStarted, overwrites } = seen ?? {};
  const facts: ActionFacts = {
    exitCode,
    ...defined({ asksForInput, failingTests, tests, testsRan }),
    ...(notStarted || status === 'denied' ? { notStarted: true } : {}),
    ...(overwrites === undefined ? {} : { overwrites }),
  };
  if (overwrites !== undefined) return { passed: false, text: shortOutput(content), facts, output };
  if (status !== 'ok' && status !== 'error')
    return { passed: false, text: `${cmd}: ${shortOutput(content) || status}`, facts };
  const verdict = judgeCommand({ exitCode, output, prints });
  const head = `${cmd}: ${verdict.reason}`;
  if (verdict.passed) return { passed: true, text: head, printed: shortOutput(output), facts };
  const { shortfall } = verdict;
  const why = shortfall === undefined ? facts : { ...facts, shortfall };
  const typed = stdin ? `\nIt was given as input: ${JSON.stringify(shortOutput(stdin))}` : '';
  const next = hint === undefined || exitCode === 0 ? '' : `Hint: ${hint}`;
  const text = [`${head}${typed}`, (deps.excerpt ?? shortOutput)(outputExcerpt(ran)), next].filter(
    Boolean,
  );
  return { passed: false, text: text.join('\n'), facts: why, output };
}

/**
 * Compares a program's whole output, without its prompts, with the example. A result that stands somewhere
 * in the output shows nothing: the goal may mean the whole output, or a part of it.
 */
async function runExample(example: ExampleCheck, deps: CheckDeps): Promise<CheckResult> {
  const { says, cmd, stdin, prints, isValue } = example;
  let output = '';
  const runCommand: CheckDeps['runCommand'] = async (...command) => {
    const ran = await deps.runCommand(...command);
    output = ran.output ?? '';
    return ran;
  };
  const judged = await runProof({ cmd, stdin, prints }, { ...deps, runCommand });
  const { facts } = judged;
  const isWhole = isValue === true || printsExactly(output, prints, stdin ? deps.prompts : []);
  // A program that got one line of input may ask for the next one, once it has answered the first.
  const isHeld = judged.passed || (facts.asksForInput !== undefined && printsText(output, prints));
  if (!isHeld) {
    const other = isValue ? otherValue(output) : null;
    const more = other === null ? `\n${judged.text}` : `, but ${other}`;
    return { passed: false, text: `The goal says: ${says}${more}`, facts };
  }
  return isWhole
    ? { passed: true, text: `as the goal says: ${says}`, facts }
    : { passed: true, isAside: true, text: `set aside, it prints more: ${says}`, facts };
}

/** The output. If that says too little, also how the command ended, or why it did not run. */
function outputExcerpt({ output, ending, exitCode, content = '' }: Ran): string {
  const printed = (output ?? '').trimEnd();
  if (ending !== undefined && exitCode === null)
    return `${ending}\n${printed === '' ? '(it printed nothing)' : printed}`;
  return printed === '' ? content : printed;
}

const result = (passed: boolean, text: string): CheckResult => ({ passed, text, facts: {} });

/** Keeps more of the end than of the start, because errors stand at the end. */
export function shortOutput(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length <= MAX_OUTPUT) return trimmed;
  return `${trimmed.slice(0, MAX_OUTPUT / 4)}\n…\n${trimmed.slice((-MAX_OUTPUT * 3) / 4)}`;
}
