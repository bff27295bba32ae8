/**
 * Decides about one thing that a call does, by layers of rules. Pure.
 * 1. Never-allowed things are denied.
 * 2. Every restriction by the project, the user or the defaults applies; the strictest counts.
 * 3. A user's rule lifts the question of a default. It lifts the denial of a default only if the rule is at
 *    least as exact. It never lifts a restriction that a rule makes.
 * So adding a restricting rule can never allow more.
 */
import type { Want } from '../tools/decision.ts';
import type { Effect, Rule } from './rules/rule.ts';

/** The rules after parsing. */
export interface Layers {
  readonly project: { readonly ask: readonly Rule[]; readonly deny: readonly Rule[] };
  readonly user: {
    readonly allow: readonly Rule[];
    readonly ask: readonly Rule[];
    readonly deny: readonly Rule[];
  };
}

/** One program that would run, one path that would be read or changed, or one tool of a server. */
export interface Subject {
  readonly base: DefaultRuling | null;
  needsApprovalBy(rule: Rule): boolean;
  isAllowedBy(rule: Rule): boolean;
  isExact(rule: Rule): boolean;
  /** The rule that would allow it, and whether that is offered. */
  readonly want: Want;
}

export interface DefaultRuling {
  readonly effect: 'ask' | 'deny' | 'never';
  readonly reason: string;
  readonly instead: string;
  /** True if it is harmless in a sandbox; left out: a sandbox changes nothing. */
  readonly isForSandbox?: boolean;
  /** The user's file that it affects; left out: none. */
  readonly loses?: Loses;
}

/** An existing file, and what a call would do to it. */
export interface Loses {
  readonly does: 'edit' | 'remove';
  readonly path: string;
}

export interface Ruling {
  readonly effect: Effect;
  readonly reason: string;
  readonly instead: string;
  /** The rule or consent that would allow the subject; `null`: nothing can, or nothing is needed. */
  readonly want: Want | null;
  /** True for what no rule can lift. */
  readonly isNever: boolean;
  /** True if a user's rule lets a command out of the sandbox that is restricted by default. */
  readonly isLifted: boolean;
  /** True if a user's rule names exactly this command, or allows one that would have needed a question. */
  readonly isAllowedByUser: boolean;
  readonly loses?: Loses | undefined;
}

const ALLOWED: Ruling = {
  effect: 'allow',
  reason: '',
  instead: '',
  want: null,
  isNever: false,
  isLifted: false,
  isAllowedByUser: false,
};
const ONLY_THIS_CALL: Want = { rule: null, isOffered: false };

/** @param isSandboxed whether commands are confined: what a sandbox contains needs no question then */
export function judgeByRules(
  subject: Subject,
  { project, user }: Layers,
  isSandboxed = false,
): Ruling {
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
        ...ALLOWED,
        effect: 'ask',
        reason: left.reason,
        instead: left.instead,
        want,
        loses: left.loses,
      };
}

const liftingRules = (subject: Subject, { effect }: DefaultRuling, allow: readonly Rule[]) =>
  allow.filter((rule) => subject.isAllowedBy(rule) && (effect === 'ask' || subject.isExact(rule)));

/** A rule that allows by the name of the program: `rm *`. */
const namesProgram = ({ pattern }: Rule): boolean =>
  pattern.kind === 'command' && pattern.words.length > 0;

/** `make clean` and `npm run *`, but neither `python *` nor all commands. */
const isThisCommand = ({ pattern }: Rule): boolean =>
  pattern.kind === 'command' && (pattern.words.length > 1 || !pattern.rest);

/** A rule for all commands does not mean those that a sandbox can contain. */
const isMeant = ({ pattern }: Rule, base: DefaultRuling | null): boolean =>
  pattern.kind === 'command' && (pattern.words.length > 0 || base?.isForSandbox !== true);

function ruleReason(rules: readonly Rule[], subject: Subject, whose: string): string | null {
  const rule = rules.find((one) => subject.needsApprovalBy(one));
  return rule === undefined ? null : `A rule of ${whose} holds it back: ${rule.text}.`;
}
