/** The wording of a decision for the model and the person. Pure. */

import type { CommandDescriptions } from '../languages/commands/allowed-commands.ts';
import { quote } from '../lib/text/shell-words.ts';
import { COMMAND_HEAD } from '../tools/calls/rule-words.ts';
import type { CallDecision, Want } from '../tools/decision.ts';
import type { Ruling } from './layers.ts';
import { strictest } from './rules/rule.ts';
import { commandPattern, matchesWords } from './rules/words.ts';

const GIT_LOOKS = 'git status|log|diff|show|branch|blame|ls-files';

interface About {
  /** `null`: not a command. */
  readonly cmd: string | null;
  readonly commandDescriptions: CommandDescriptions;
  /** Rules that allow commands, as people type them. */
  readonly allowedCommands: readonly string[];
  readonly platform: NodeJS.Platform;
  readonly isSandboxed: boolean;
}

/** Added for the person who would consent. */
const OUTSIDE = 'It would run outside of the sandbox.';

export function decisionOf(all: readonly Ruling[], about: About): CallDecision {
  const effect = strictest(all.map((one) => one.effect));
  const crosses = about.isSandboxed && all.some(({ isLifted }) => isLifted);
  if (effect === 'allow')
    return {
      kind: 'allow',
      ...(crosses ? { isUnsandboxed: true } : {}),
      ...(all.some(({ isAllowedByUser: isGiven }) => isGiven) ? { isAllowedByUser: true } : {}),
    };
  const judged = all.filter((one) => one.effect === effect);
  const first = judged.find((one) => one.isNever) ?? judged[0];
  if (first === undefined) return { kind: 'allow' };
  const { instead, isNever } = first;
  const reason = withRules(first.loses ? lossOf(judged) : first.reason, about);
  const wants = unique(judged.flatMap(({ want }) => want ?? []));
  if (effect === 'deny') {
    const next = isNever
      ? instead || 'Do without it; a person must do what needs it.'
      : howTo(instead, wants, about);
    const rules = wants.flatMap(({ rule }) => rule ?? []);
    const isLiftable = !isNever && rules.length > 0 && rules.length === wants.length;
    return { kind: 'deny', reason, hint: next, ...(isLiftable ? { rules } : {}) };
  }
  const words = about.isSandboxed && about.cmd !== null ? `${reason} ${OUTSIDE}` : reason;
  return { kind: 'ask', reason: words, hint: howTo(instead, wants, about), wants };
}

/** All of the user's files that it would remove or change, in one question. */
function lossOf(judged: readonly Ruling[]): string {
  const lost = judged.flatMap(({ loses }) => loses ?? []);
  const does = lost.some((one) => one.does === 'remove') ? 'remove' : 'edit';
  const paths = [...new Set(lost.flatMap((one) => (one.does === does ? [one.path] : [])))];
  const were = paths.length > 1 ? 'were' : 'was';
  return `It would ${does === 'edit' ? 'change' : does} ${paths.join(', ')}, which ${were} there before.`;
}

/** What rules allow for the program, in addition to what is always allowed. */
function withRules(reason: string, { cmd, allowedCommands }: About): string {
  const [program = ''] = cmd?.trim().split(/\s+/) ?? [];
  const own = allowedCommands.filter((rule) => rule.startsWith(`${program} `));
  if (program === '' || own.length === 0) return reason;
  return `${reason}${/[.!?]$/.test(reason) ? '' : '.'} Rules allow ${own.join(', ')}.`;
}

const unique = (wants: readonly Want[]): readonly Want[] =>
  wants.filter(({ rule }, at) => wants.findIndex((one) => one.rule === rule) === at);

const MAX_RULES = 20;

function howTo(
  instead: string,
  wants: readonly Want[],
  { cmd, commandDescriptions, allowedCommands, platform }: About,
): string {
  const rules = wants.flatMap(({ rule }) => rule ?? []);
  const all = [commandDescriptions.allowed, GIT_LOOKS, ...allowedCommands.slice(0, MAX_RULES)];
  const allowed = cmd === null ? '' : `Allowed are: ${all.join(', ')}.`;
  const more = rules.length === 0 ? 'Only the user can allow it.' : allowedWith(rules, platform);
  return [instead, allowed, more].filter(Boolean).join(' ');
}

export function allowedWith(rules: readonly string[], platform: NodeJS.Platform): string {
  const options = rules.map((rule) => `--allow ${quote(typedRule(rule), platform)}`).join(' ');
  return `The user can allow it with ${options}.`;
}

/** One word; in quotes if it holds spaces. */
const ONE_WORD = /^(?:[^\s'"]|'[^']*'|"[^"]*")+$/;

/** As people type it: for a command, only its words. */
export const typedRule = (rule: string): string => {
  const head = `${COMMAND_HEAD}(`;
  const words = rule.startsWith(head) ? rule.slice(head.length, -1) : rule;
  // A program name alone stands for the program with any arguments.
  return ONE_WORD.test(words) && rule.startsWith(head) ? rule : words.replace(/^(\S+) \*$/, '$1');
};

/** The commands that a rule allows, worded for a model; `null`: the rule is not about commands. */
export function commandsOf(rule: string): string | null {
  const [, folder] = /^programs\((.*)\)$/.exec(rule) ?? [];
  if (folder !== undefined)
    return `programs installed in ${folder === '*' ? 'this folder' : folder}`;
  return rule.startsWith(`${COMMAND_HEAD}(`) ? typedRule(rule) : null;
}

/** Whether a rule about commands applies to a command line, by the words that it names. */
export function isUnderRule(rule: string, line: string): boolean {
  const head = `${COMMAND_HEAD}(`;
  if (!rule.startsWith(head)) return false;
  const words = rule.slice(head.length, -1).split(' ');
  return matchesWords(commandPattern(words), line.trim().split(/\s+/));
}
