/** Why a model's call is not carried out now: it must wait for a plan, or its subtask is not done. */
import { filesThatMustStay } from '../evidence/users-files.ts';
import { defined } from '../lib/defined.ts';
import { GATE, refusedCompletion } from '../prompts/remarks.ts';
import type { Claim } from '../schema/actions.ts';
import { subtasksOf } from '../schema/plan.ts';
import type { RunState } from '../schema/state.ts';
import { completionGate } from '../steps/gate/gate.ts';
import type { ClaimDetails } from '../steps/gate/gate-contract.ts';
import { isPending } from '../steps/select.ts';
import type { ValidCall } from '../tools/calls/validate-call.ts';
import type { SplitCommand } from '../tools/commands/split-command.ts';
import { policyRequestOf } from '../tools/decision.ts';
import { resolveInWorkspace } from '../workspace/jail.ts';
import { driverIn } from './driver-view.ts';
import type { RunPorts } from './run-ports.ts';

type Valid = Extract<ValidCall, { kind: 'valid' }>;
type DenyPort = Pick<RunPorts, 'context' | 'names' | 'policy' | 'toolContext'>;

/**
 * Applies the completion gate here for models that could still call a closed action.
 * @param line of a command, as it was parsed
 */
export function denyReason(run: DenyPort, call: Valid, line: SplitCommand | null): string | null {
  const { tool, args } = call;
  const { context, names } = run;
  const { state } = context;
  const { name, does } = tool;
  const asked = {
    tool: name,
    ...defined({ does }),
    isReadOnly: isReadOnly(run, call, line),
    mustStay: mustStayOf(run, call),
  };
  const closed = driverIn(run).closedReason(asked, { state, names });
  if (closed !== null) return closed;
  const claim = tool.claim?.(args);
  if (claim?.success !== true) return null;
  const unknown = unknownIds(state, claim);
  if (unknown !== null) return unknown;
  const gate = completionGate(state, claimDetails(state, claim));
  return gate.allows ? null : refusedCompletion(gate.reason, name);
}

/** The files that the call would change although they must stay, under any name that leads to them. */
function mustStayOf(
  { context: { state }, toolContext: { fs, workspace } }: DenyPort,
  { tool, args }: Valid,
): readonly string[] {
  if (!state.brief?.keep.length) return [];
  const jail = { platform: fs.platform, forWrite: true };
  const changed = policyRequestOf(tool, args, 'model').reaches.flatMap(({ does, path }) => {
    const found = does === 'read' ? null : resolveInWorkspace(fs, workspace, path, jail);
    return found?.kind === 'inside' && found.isThere ? [found.relative] : [];
  });
  return filesThatMustStay(state, [...new Set(changed)]);
}

/** A command quoted in the goal shows what the user sees, so it may be run first, like a look. */
function isReadOnly(
  { policy, context }: DenyPort,
  { tool, target }: Pick<Valid, 'tool' | 'target'>,
  line: SplitCommand | null,
): boolean {
  if (target?.isLeftRunning) return false;
  return tool.touches === 'process' && target?.kind === 'command'
    ? policy.isReadOnly(target.text, target.folder, line ?? undefined) ||
        quotes(context.state.goal, target.text)
    : tool.touches === 'reads' || tool.isReadOnly === true;
}

/** Exact words only. A single word would occur in many goals. */
function quotes(goal: string, cmd: string): boolean {
  const words = cmd.trim().split(/\s+/);
  const said = ` ${goal.replaceAll(/[\s`"'(),;:!?]+|\.(?=\s|$)/g, ' ')} `;
  return words.length > 1 && said.includes(` ${words.join(' ')} `);
}

function unknownIds({ plan }: RunState, { ids = [] }: Claim): string | null {
  const all = plan ? subtasksOf(plan) : [];
  const open = all.filter(isPending).map(({ id }) => id);
  const unknown = ids.filter((id) => !all.some((one) => one.id === id));
  const isNoneOpen = ids.length > 0 && !ids.some((id) => open.includes(id));
  const wrong = unknown.length > 0 ? unknown : isNoneOpen ? ids : [];
  return wrong.length > 0 ? GATE.noSuch(wrong.join(', '), open.join(', ')) : null;
}

/** Details for the first subtask that the claim names; the others are checked in their turn. */
export function claimDetails({ plan }: RunState, claim: Claim): ClaimDetails {
  const { ids = [], reason, summary, answer } = claim;
  const open = plan ? subtasksOf(plan).filter(isPending) : [];
  const [subtask] = ids.flatMap((id) => open.find((one) => one.id === id) ?? []);
  return {
    subtask,
    hasReason: Boolean(reason?.trim() || summary?.trim()),
    hasAnswer: Boolean(answer?.trim()),
  };
}
