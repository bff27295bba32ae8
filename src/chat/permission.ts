/** What a call would need a yes for is asked before it is made, so that the answer is durable by itself. */

import { buildVerbs } from '../languages/allowed-commands.ts';
import { parseRules } from '../policy/rules/parse.ts';
import { noteWish, putToPerson, recordLeft } from '../round/permission/ask-person.ts';
import { answerTo } from '../round/permission/decide.ts';
import {
  folderQuestion,
  folderWantedBy,
  leftOutText,
} from '../round/permission/folder-question.ts';
import { questionFor } from '../round/permission/wish.ts';
import type { PermissionsSaid } from '../schema/events.ts';
import type { ToolCall } from '../schema/messages.ts';
import type { Target } from '../tools/contract.ts';
import { requestOf } from '../tools/decision.ts';
import { ruleWords } from '../tools/registry.ts';
import { validateCall } from '../tools/validate-call.ts';
import type { LiveSession } from './live-session.ts';

/**
 * True: the call may be made, whatever becomes of it; without a person it is refused there, and noted
 * here. False: nobody answered, and it stays open.
 */
export async function askFirst(live: LiveSession, folded: ToolCall): Promise<boolean> {
  const { context, tools, policy, asking } = live;
  const call = context.journal.readBack(folded) as ToolCall;
  const valid = validateCall(call, tools);
  if (valid.kind === 'invalid') return true;
  const decision = policy.decideNow(requestOf(valid.tool, valid.args, 'model'));
  const target = valid.tool.target?.(valid.args) ?? null;
  if (decision.kind !== 'deny' && !(await askForFolder(live, target, call.id))) return false;
  if (decision.kind !== 'ask' || asking.isYes) return true;
  const question = await questionFor(valid, decision, live, call.id);
  if (question === 'missing') return true;
  recordLeft(live);
  if (answerTo(question.id, live) !== null) return true;
  if (asking.person !== null) return putToPerson(question, live);
  noteWish(question, live);
  return true;
}

/** As `askFirst`, for the folder that a command would take its program from. */
async function askForFolder(
  live: LiveSession,
  target: Target | null,
  callId: string,
): Promise<boolean> {
  const wanted = await folderWantedBy({ target }, live);
  if (wanted === null) return true;
  recordLeft(live);
  if (!live.folders.isOpen(wanted.offer)) return true;
  const question = folderQuestion(wanted, callId, live);
  if (live.asking.person !== null) return putToPerson(question, live);
  if (wanted.isNeeded) noteWish(question, live);
  else if (live.folders.isNews(wanted.offer))
    live.tell({ type: 'notice', level: 'warning', text: leftOutText(wanted) });
  return true;
}

/** Lets something be done unasked from now on, in this session. Throws E_USAGE for what is no rule. */
export function allow(live: LiveSession, text: string): string {
  const reading = { words: ruleWords(), platform: live.toolContext.fs.platform };
  const [rule] = parseRules([text], reading);
  if (rule === undefined) throw new Error('A rule is a rule.');
  const record = { type: 'approval_given', allowed: true, why: 'given by the person' } as const;
  live.context.record({ ...record, id: 'rule', rule: rule.text, scope: 'run' });
  for (const wish of live.context.state.permissions?.open ?? []) {
    const why = live.policy.rulesCover(wish.rules);
    if (why !== null)
      live.context.record({ type: 'approval_given', ...why, id: wish.id, scope: 'call' });
  }
  live.context.sync('effect');
  return rule.text;
}

/** What may be done unasked from here on. @param isConfined whether something holds commands to the workspace */
export function permissionsSaid(live: LiveSession, isConfined: boolean): PermissionsSaid {
  const { asking, context, request } = live;
  const { taken = null, rules = [] } = context.state.permissions ?? {};
  const { given } = request.run;
  const textsOf = (allowed: boolean): readonly string[] => {
    const kept = rules.flatMap((one) => (one.allowed === allowed ? (one.rule ?? []) : []));
    const now = (allowed ? given.allow : given.deny).map(({ text }) => text);
    return [...new Set([...kept, ...now])];
  };
  return {
    builds: buildVerbs(taken ?? {}),
    allow: textsOf(true),
    deny: textsOf(false),
    asks: asking.isYes ? 'yes' : asking.person === null ? 'nobody' : 'person',
    isConfined,
  };
}
