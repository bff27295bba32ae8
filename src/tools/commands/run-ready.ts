/** Runs a parsed command to its end, its time limit or the end of the run. */

import { stripVTControlCharacters } from 'node:util';
import type { CommandSeen } from '../../languages/commands/command-seen.ts';
import { asksForInput, commandHint } from '../../languages/commands/hints.ts';
import { foundNoTests, testCountsIn } from '../../languages/testing/test-output.ts';
import { wordsRunTests } from '../../languages/testing/test-runs.ts';
import { boundedOutput } from '../../processes/bounded-output.ts';
import type { ProcessOutcome } from '../../processes/contract.ts';
import type { ActionFacts, ActionStatus, ToolResult } from '../../schema/actions.ts';
import { OUTPUT_BYTES } from '../../schema/config.ts';
import type { PerformHooks, ToolContext } from '../contract.ts';
import { cutOutput } from './cut-output.ts';
import { type ReadyCommand, type RunCmdOptions, startRequestOf } from './read-command.ts';

/** How much of stdout and of stderr is kept separately. */
const MAX_STREAM_BYTES = 200 * 1024;

export async function runReady(
  ready: ReadyCommand,
  context: ToolContext,
  options: RunCmdOptions,
  hooks: PerformHooks,
): Promise<ToolResult> {
  const outcome = await context.processes.run(
    {
      ...startRequestOf(ready, context, options, hooks),
      timeoutMs: ready.seen.timeoutSec * 1000,
      maxOutputBytes: context.maxOutputBytes ?? OUTPUT_BYTES.command,
      maxStreamBytes: MAX_STREAM_BYTES,
    },
    hooks,
  );
  return commandOutcome(ready, outcome, context, hooks.id ?? '');
}

/** @param id of the action; empty if nothing is kept of it */
function commandOutcome(
  ready: ReadyCommand,
  outcome: ProcessOutcome,
  context: ToolContext,
  id: string,
): ToolResult {
  const kept = plainText(outcome.output, context);
  const described = describe(
    ready,
    { outcome: { ...outcome, output: lookedAt(kept) }, kept },
    context,
    id,
  );
  return { ...described, facts: { ...described.facts, ...printedApart(outcome, context) } };
}

/** Of longer output, only the beginning and the end are searched for facts. */
const MAX_LOOKED_AT = 1024 * 1024;

function lookedAt(text: string): string {
  if (text.length <= MAX_LOOKED_AT) return text;
  const bounded = boundedOutput(MAX_LOOKED_AT);
  bounded.add(text);
  return bounded.finish().text;
}

/** Removes colours and cursor movements, which mean nothing to a model. */
function plainText(text: string, { withoutKeys }: ToolContext): string {
  const printed = stripVTControlCharacters(text);
  return withoutKeys?.(printed) ?? printed;
}

function printedApart({ streams }: ProcessOutcome, context: ToolContext): ActionFacts {
  if (streams === undefined) return {};
  const { stdout, stderr } = streams;
  const printed = {
    stdout: plainText(stdout.text, context),
    stderr: plainText(stderr.text, context),
    truncated: stdout.leftOutBytes + stderr.leftOutBytes > 0,
  };
  return { printed };
}

function describe(
  ready: ReadyCommand,
  { outcome, kept }: { readonly outcome: ProcessOutcome; readonly kept: string },
  context: ToolContext,
  id: string,
): ToolResult {
  const { output } = outcome;
  const seen: CommandSeen = {
    ...ready.seen,
    kind: outcome.kind === 'timeout' ? 'timeout' : 'exited',
    exitCode: outcome.exitCode,
    output,
  };
  const isServing = outcome.isServing === true;
  const wentWell = isServing || (outcome.kind === 'exited' && outcome.exitCode === 0);
  const wasRun = outcome.kind === 'exited' || outcome.kind === 'timeout';
  const prompt = wasRun && !isServing ? asksForInput(seen) : null;
  const hint = wasRun && !isServing ? commandHint(seen, prompt) : null;
  const words = [ready.seen.program, ...ready.seen.args];
  const counts = wasRun ? testCountsIn(output) : null;
  const noTests = wasRun && foundNoTests(words.join(' '), output, outcome.exitCode);
  const confined = sandboxNotice(outcome, wentWell);
  const first = [ready.notice, ...confined, headline(outcome, ready), daemonsText(outcome)]
    .filter(Boolean)
    .join('\n');
  const last = hint === null ? '' : `\nHint: ${hint}`;
  const room = Math.max(200, context.maxResultChars - first.length - last.length - 1);
  const shown = kept.trim() === '' ? '(it printed nothing)' : kept.trimEnd();
  const before = first.split('\n').length;
  const readOn = (from: number): string =>
    (id === '' ? undefined : context.readOn?.(id, before + from)) ?? '';
  const cut = cutOutput(shown, room, readOn);
  return {
    status: statusOf(outcome),
    content: `${first}\n${cut}${last}`,
    ...(cut === shown ? {} : { fullContent: `${first}\n${shown}${last}` }),
    output,
    ending: first,
    ...(hint === null ? {} : { hint }),
    facts: {
      exitCode: outcome.exitCode,
      durationMs: outcome.durationMs,
      ...(outcome.kind === 'spawn_failed' ? { notStarted: true } : {}),
      ...(prompt === null ? {} : { asksForInput: prompt }),
      ...(counts !== null && !wentWell ? { failingTests: counts.failed } : {}),
      ...(counts !== null && wordsRunTests(words) ? { tests: counts } : {}),
      ...(noTests ? { testsRan: 'none' } : {}),
    },
  };
}

/** The message about ended daemons: without it, the model would assume that the server is running. */
function daemonsText({ daemons }: ProcessOutcome): string {
  if (daemons === undefined) return '';
  const ended = daemons.ended.join(', ');
  const left = daemons.left.join(', ');
  return [
    ended === '' ? '' : `it had left ${ended} running, which was ended with it`,
    left === '' ? '' : `it has left ${left} running, which could not be ended`,
  ]
    .filter((one) => one !== '')
    .join('; ');
}

function headline(outcome: ProcessOutcome, ready: ReadyCommand): string {
  if (outcome.isServing)
    return `still serving after ${ready.seen.timeoutSec} s: it waits for connections, so it did not fail; it was ended, with everything it had started`;
  switch (outcome.kind) {
    case 'exited':
      return outcome.exitCode === null
        ? `ended by signal ${outcome.signal ?? 'unknown'}`
        : `exit code ${outcome.exitCode}`;
    case 'timeout':
      return `timed out after ${ready.seen.timeoutSec} s; it was ended, with everything it had started`;
    case 'cancelled':
      return 'cancelled; it was ended, with everything it had started';
    case 'spawn_failed':
      return `could not be started: ${outcome.error ?? 'unknown reason'}`;
    default:
      return outcome.kind satisfies never;
  }
}

function statusOf(outcome: ProcessOutcome): ActionStatus {
  if (outcome.isServing) return 'ok';
  if (outcome.kind === 'timeout' || outcome.kind === 'cancelled') return outcome.kind;
  return outcome.kind === 'exited' && outcome.exitCode === 0 ? 'ok' : 'error';
}

/** The remark about the sandbox: without it, a model would look for the fault in its own work. */
function sandboxNotice({ sandbox }: ProcessOutcome, wentWell: boolean): readonly string[] {
  if (sandbox === undefined) return [];
  const { putAside } = sandbox;
  const names = putAside.slice(0, 5).join(', ');
  return [
    wentWell ? '' : 'it ran confined: no network, files only in the workspace, none that hold keys',
    names === ''
      ? ''
      : `while it ran there appeared what only the user may allow, and that was put aside: ${names}; if it is yours, write it with a tool for files, which asks`,
  ];
}
