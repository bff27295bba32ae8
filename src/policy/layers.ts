/**
 * What holds of one thing that a call does. Pure.
 * 1. What nobody lifts is denied.
 * 2. Whatever is held back, by the project, by the user or by default, holds: the strictest counts.
 * 3. A rule of the user lifts what only a default asks; what a default denies, where the rule is at
 *    least as exact as the denial. It lifts nothing that a rule holds back.
 * So no rule that is added to hold something back can ever allow more.
 */
import type { Want } from '../tools/decision.ts';
import type { Effect, Rule } from './rules/rule.ts';

/** Rules as they are read. */
export interface Layers {
  readonly project: { readonly ask: readonly Rule[]; readonly deny: readonly Rule[] };
  readonly user: {
    readonly allow: readonly Rule[];
    readonly ask: readonly Rule[];
    readonly deny: readonly Rule[];
  };
}

/** One program that would run, one path that would be read or changed, one tool of a server. */
export interface Subject {
  readonly base: Base | null;
  needsApprovalBy(rule: Rule): boolean;
  isAllowedBy(rule: Rule): boolean;
  isExact(rule: Rule): boolean;
  /** The rule that would allow it, and whether it is offered. */
  readonly want: Want;
}

export interface Base {
  readonly effect: 'ask' | 'deny' | 'never';
  readonly reason: string;
  readonly instead: string;
  /** True where nothing speaks against it in a sandbox; left out: a sandbox changes nothing. */
  readonly isForSandbox?: boolean;
  /** The file of the user's that it is about; left out: it is about something else. */
  readonly loses?: Loses;
}

/** A file that was there before, and what a call would do to it. */
export interface Loses {
  readonly does: 'edit' | 'remove';
  readonly path: string;
}

export interface Judged {
  readonly effect: Effect;
  readonly reason: string;
  readonly instead: string;
  /** What would allow it; `null`: nothing, or nothing is needed. */
  readonly want: Want | null;
  /** True for what no rule lifts. */
  readonly isNever: boolean;
  /** True where a rule of the user lets a command out of the sandbox that is held back by default. */
  readonly isLifted: boolean;
  /** True where a rule of the user names this very command, or lets it run that would have asked. */
  readonly isAllowedByUser: boolean;
  readonly loses?: Loses | undefined;
}

const ALLOWED: Judged = {
  ...{ effect: 'allow', reason: '', instead: '', want: null, isNever: false },
  ...{ isLifted: false, isAllowedByUser: false },
};
const ONLY_THIS_CALL: Want = { rule: null, isOffered: false };

/** @param isSandboxed whether commands are confined: what a sandbox holds needs no question then */
export function judgeByRules(
  subject: Subject,
  { project, user }: Layers,
  isSandboxed = false,
): Judged {
  const { base, want } = subject;
  if (base?.effect === 'never') return { ...ALLOWED, ...base, effect: 'deny', isNever: true };
  const forbidden =
    ruleReason(project.deny, subject, 'the project') ?? ruleReason(user.deny, subject, 'the user');
  if (forbidden !== null) return { ...ALLOWED, effect: 'deny', reason: forbidden, isNever: true };
  const lifting = base === null ? [] : liftingRules(subject, base, user.allow);
  const left = lifting.length > 0 || (isSandboxed && base?.isForSandbox) ? null : base;
  if (left?.effect === 'deny')
    return { ...ALLOWED, effect: 'deny', reason: left.reason, instead: left.instead, want };
  const asked =
    ruleReason(project.ask, subject, 'the project') ?? ruleReason(user.ask, subject, 'the user');
  if (asked !== null) return { ...ALLOWED, effect: 'ask', reason: asked, want: ONLY_THIS_CALL };
  return left === null
    ? {
        ...ALLOWED,
        isLifted: lifting.some((rule) => isMeant(rule, base)),
        isAllowedByUser:
          lifting.some(namesProgram) ||
          user.allow.some((rule) => isThisCommand(rule) && subject.isAllowedBy(rule)),
      }
    : {
        ...{ ...ALLOWED, effect: 'ask', reason: left.reason, instead: left.instead, want },
        loses: left.loses,
      };
}

const liftingRules = (subject: Subject, { effect }: Base, allow: readonly Rule[]) =>
  allow.filter((rule) => subject.isAllowedBy(rule) && (effect === 'ask' || subject.isExact(rule)));

/** What would have asked, and was allowed by the name of its program: `rm *`. */
const namesProgram = ({ pattern }: Rule): boolean =>
  pattern.kind === 'command' && pattern.words.length > 0;

/** `make clean` and `npm run *`, but neither `python *` nor all commands. */
const isThisCommand = ({ pattern }: Rule): boolean =>
  pattern.kind === 'command' && (pattern.words.length > 1 || !pattern.rest);

/** Who allows all commands means none that a sandbox can hold. */
const isMeant = ({ pattern }: Rule, base: Base | null): boolean =>
  pattern.kind === 'command' && (pattern.words.length > 0 || base?.isForSandbox !== true);

function ruleReason(rules: readonly Rule[], subject: Subject, whose: string): string | null {
  const rule = rules.find((one) => subject.needsApprovalBy(one));
  return rule === undefined ? null : `A rule of ${whose} holds it back: ${rule.text}.`;
}
