/** Records how the model reads the goal, limited to what the goal supports. */
import { isDeepStrictEqual } from 'node:util';
import { goalParts } from '../../decompose/brief/goal-parts.ts';
import { readBrief } from '../../decompose/brief/read-brief.ts';
import { numberedBrief, type StatedBrief } from '../../decompose/brief/stated-brief.ts';
import { isRecord, jsonIn } from '../../lib/json-value.ts';
import { leavesSchema } from '../model/schema-left.ts';
import type { RunPorts } from '../run-ports.ts';
import { type DriverSwitchPort, switchDriver } from '../switch-driver.ts';

type BriefPort = Pick<RunPorts, 'context'>;

export function cutGoal({ context }: BriefPort): void {
  context.record({ type: 'goal_cut', parts: [...goalParts(context.state.goal)] });
}

/** Records it once: after a crash the step may be taken again. */
export function recordBrief(
  { context }: BriefPort,
  said: { readonly [field: string]: unknown },
  read: StatedBrief,
): void {
  const { goal, guided, brief: before } = context.state;
  const brief = readBrief(read, goal, guided.goalParts);
  if (!isDeepStrictEqual(brief, before)) context.record({ type: 'brief_made', said, brief });
}

/** An answer that is not a brief says nothing about the goal, and is not requested again. */
export function adoptBrief(run: DriverSwitchPort & Pick<RunPorts, 'world'>): void {
  const { context, world } = run;
  const turn = context.state.lastTurn;
  if (!turn) return;
  const answer = String(context.read(turn.offset, 'turn_finished').response.content);
  if (leavesSchema(context.state, answer)) {
    switchDriver(run, 'free', 'its server does not hold its answers to a schema');
    return;
  }
  const said = objectIn(answer);
  const read = numberedBrief(said);
  // Nothing was done yet, so a missing file has still to be made and cannot be one that must stay.
  recordBrief(run, said, { ...read, keep: read.keep.filter(({ path }) => world.exists(path)) });
}

function objectIn(answer: string): { readonly [field: string]: unknown } {
  const read = jsonIn(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
  return isRecord(read) ? read : {};
}
