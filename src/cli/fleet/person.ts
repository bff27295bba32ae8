/** What a person does with a fleet: submit a goal, continue it, answer its questions, follow it. */
import { randomUUID } from 'node:crypto';
import type { DurableEngine, FleetStanding } from '../../fleet/contract.ts';
import { isOwnRequest, signAnswer, signRequest } from '../../fleet/signing.ts';
import { cannotSign } from '../../host/journals/origin.ts';
import { userResources } from '../../host/user/user-resources.ts';
import { misuse, TardigradeError } from '../../lib/errors.ts';
import { visible } from '../../lib/text/visible.ts';
import { wordsFor } from '../../options/read.ts';
import type { OptionRow } from '../../options/row.ts';
import { OPTIONS } from '../../options/table.ts';
import { EXIT } from '../../run/exit-codes.ts';
import { nameFor } from '../../server/http/once.ts';
import type { CommandContext } from '../command-context.ts';
import { noGoal } from '../command-line/arguments.ts';
import { printJson, wantsJson } from '../commands/print.ts';
import { AGENT, usageError } from '../process/program-name.ts';
import { askedCallLine, selectedCall } from '../questions/selected-call.ts';
import { printFolded } from '../render/text/fold.ts';
import { addressOf, engineOf } from './engine.ts';
import { beginAtHome, homeIn } from './home.ts';

/** `agent submit "goal"`: begins the run of a goal in this folder, once. */
export async function submitCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal, configured } = context;
  if (invocation.template !== undefined || invocation.set !== undefined)
    throw misuse(
      'A fleet takes no template: it cannot see your own files.',
      'Begin the run in this folder, or submit the goal alone.',
    );
  const goal = await goalOf(context);
  const { fs, clock } = userResources(terminal).machine;
  const workspace = fs.realpath(invocation.workspace);
  const name = nameFor(`${workspace}\n${goal}`);
  const run = invocation.again === true ? nameFor(randomUUID()) : name;
  if (invocation.cancel === true) return cancel(context, run);
  const engine = await engineOf(context);
  const words = [...wordsFor(configured.begin, isHandedOn)];
  const { tenant = OPTIONS.tenant.usually } = invocation;
  const remote = homeIn(context);
  const key = keyOf(context);
  const request = { run, workspace, goal, words, tenant, at: clock.now() };
  const waitMs = (await engine.room?.({ ...request, mac: '' })) ?? 0;
  if (waitMs > 0) throw noRoom(tenant, waitMs);
  const from = remote === null ? null : await beginAtHome(context, remote, { run, workspace });
  await engine.submit(
    signRequest(key, { ...request, ...(remote === null ? {} : { home: 'git' }) }),
  );
  const begins =
    from === null
      ? ''
      : `\n  It begins at commit ${from.slice(0, 10)}; what is not committed stays here. Its work: branch tardigrade/${run} of ${remote}`;
  return said(
    context,
    { run, is: 'submitted' },
    `Submitted: run ${run}.${begins}\n  Follow it: ${terminal.program} attach ${run} --fleet ${addressOf(context)}`,
  );
}

async function cancel(context: CommandContext, run: string): Promise<number> {
  const known = await runOf(context, run);
  if (known === null)
    throw misuse(
      'That fleet has no run of that goal in this folder.',
      'Give the goal and the folder as they were submitted.',
    );
  const { slice } = known.standing;
  if (slice?.is === 'ended')
    return said(
      context,
      { run, is: 'ended', ending: slice.ending },
      `Run ${run} is over already: ${slice.ending}.`,
    );
  await known.engine.cancel(run);
  return said(context, { run, is: 'cancelled' }, `Stopped: run ${run}.`);
}

const noRoom = (tenant: string, waitMs: number): TardigradeError =>
  new TardigradeError(
    'E_PROVIDER',
    `Nothing was submitted: a worker has as many runs of tenant ${visible(tenant)} waiting as it takes.`,
    `Try again in ${Math.ceil(waitMs / 1000)} s.`,
  );

async function goalOf({ invocation, terminal }: CommandContext): Promise<string> {
  if (invocation.goal !== '-') return invocation.goal ?? '';
  const goal = (await terminal.readAllInput()).trim();
  if (goal === '') throw noGoal();
  return goal;
}

const { workspace, again, sandbox, host, config } = OPTIONS;
/** Options that the request itself carries, or that the worker sets. */
const NOT_HANDED_ON: readonly OptionRow[] = [workspace, again, sandbox];
const HANDED_ON: readonly OptionRow[] = [host, config];

/** Options that concern the run itself, and not its output or the person. */
export const isHandedOn = (row: OptionRow): boolean =>
  HANDED_ON.includes(row) ||
  (row.library !== undefined && row.on?.includes('run') === true && !NOT_HANDED_ON.includes(row));

export async function resumeInFleet(context: CommandContext): Promise<number> {
  const { engine, standing } = await knownRun(context);
  if (standing.slice?.is === 'ended')
    throw misuse(`That run is over: ${standing.slice.ending}.`, 'Submit another goal.');
  await engine.resume(standing.request.run);
  return said(
    context,
    { run: standing.request.run, is: 'resumed' },
    `Run ${standing.request.run} continues.`,
  );
}

/** `null`: only the variable names a fleet, and the folder's run does not belong to it. */
export async function answerInFleet(
  context: CommandContext,
  allowed: boolean,
): Promise<number | null> {
  const { id, fleetRun, fleet, command } = context.invocation;
  const isMeant = fleet !== undefined || fleetRun !== null;
  const known = await (isMeant ? askedRun(context) : askedRun(context).catch(() => null));
  if (known === null) {
    if (isMeant) await knownRun(context);
    return null;
  }
  const { engine, standing } = known;
  const { run } = standing.request;
  const open = standing.slice?.is === 'waiting' ? standing.slice.questions : [];
  const question = selectedCall(open, id === run ? null : id, `${command} ${run}`);
  const answer = { id: question.id, allowed, why: '' };
  const why = await engine.answer(run, signAnswer(keyOf(context), run, answer));
  if (why !== null) throw misuse(`The answer does not count: ${why}.`, 'See where the run stands.');
  const word = allowed ? 'Allowed' : 'Denied';
  return said(context, { run, id: question.id, allowed }, `${word}: ${askedCallLine(question)}`);
}

/** A single word may be the run or the call. */
async function askedRun(context: CommandContext): Promise<KnownRun | null> {
  const { id, fleetRun } = context.invocation;
  const ofThatName = fleetRun === null && id !== null ? await runOf(context, id) : null;
  return ofThatName ?? runIn(context);
}

export interface KnownRun {
  readonly engine: DurableEngine;
  readonly standing: FleetStanding;
}

/** `null`: the fleet has no run of that name. Throws E_FOREIGN if it belongs to somebody else. */
async function runOf(context: CommandContext, run: string): Promise<KnownRun | null> {
  const engine = await engineOf(context);
  const standing = await engine.standing(run);
  if (standing === null) return null;
  if (isOwnRequest(keyOf(context), standing.request)) return { engine, standing };
  throw new TardigradeError(
    'E_FOREIGN',
    `Run ${run} of that fleet was not submitted with your key.`,
    'Whoever submitted it follows and answers it.',
  );
}

/** The named run, or the folder's current run, as the fleet knows it; `null`: it does not belong to the fleet. */
async function runIn(context: CommandContext): Promise<KnownRun | null> {
  const { fleetRun, runNumber, workspace } = context.invocation;
  // A number refers to a run of the folder.
  const named = fleetRun ?? runNumber?.toString();
  const run = named ?? context.engine.readRun(workspace)?.run;
  return run === undefined ? null : runOf(context, run);
}

/** Throws E_USAGE if there is none. */
export async function knownRun(context: CommandContext): Promise<KnownRun> {
  const known = await runIn(context);
  if (known !== null) return known;
  const { fleetRun } = context.invocation;
  throw usageError(
    fleetRun === null
      ? 'This folder has no run of that fleet yet.'
      : `That fleet has no run ${fleetRun}.`,
    `Submit one: ${AGENT} submit "GOAL"`,
  );
}

function keyOf({ terminal }: CommandContext): Uint8Array {
  const { own, fs } = userResources(terminal);
  const reading = own.findOrMake();
  if (reading.kind === 'ok') return reading.key;
  throw cannotSign(reading.why, fs.platform, 'Nothing can be signed for the fleet');
}

function said(context: CommandContext, facts: object, text: string): number {
  if (wantsJson(context)) return printJson(context, facts);
  printFolded(context.terminal.stdout, `${text}\n`);
  return EXIT.achieved;
}
