/**
 * What a proof is to print was guessed before anything was written or read. It is believed only
 * where the goal says it, or where it is what a test runner says of tests that pass. Pure.
 */
import { wordsOfPassing } from '../languages/test-runs.ts';
import type { PlanContext } from './plan-context.ts';
import type { ProposedPlan } from './plan-schema.ts';

const squeezed = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

/** What it is to print and what is typed in were guessed: only what the goal says is believed. */
export function withBelievedWords(
  proposed: ProposedPlan,
  { goal, examples }: PlanContext,
): ProposedPlan {
  const { verify } = proposed;
  if (verify === undefined) return proposed;
  const prints = believedPrints(verify.prints ?? '', goal, wordsOfPassing(verify.cmd));
  const stdin = believedInput(verify.stdin ?? '', goal, examples.stdin);
  return {
    ...proposed,
    verify: { cmd: verify.cmd, ...(prints ? { prints } : {}), ...(stdin ? { stdin } : {}) },
  };
}

/** @param words what the runner of the proof prints when tests pass */
export function believedPrints(prints: string, goal: string, words: readonly string[]): string {
  const text = squeezed(prints);
  const isOfRunner = words.some((word) => squeezed(word) === text);
  if (isOfRunner) return prints.trim();
  return stands(text, squeezed(goal)) ? prints.trim() : '';
}

/** What a word or a figure may end with, seen from within and from beyond. */
const WITHIN = /[\p{L}\p{N}]$/u;
const GOES_ON = /^(?:[\p{L}\p{N}]|[.,]\p{N})/u;
const WITHIN_FROM = /^[\p{L}\p{N}]/u;
const COMES_FROM = /(?:[\p{L}\p{N}]|\p{N}[.,])$/u;

/** As whole words and figures: "1" stands neither in "10" nor in "1.5". */
function stands(text: string, goal: string): boolean {
  if (text === '') return false;
  for (let at = goal.indexOf(text); at !== -1; at = goal.indexOf(text, at + 1)) {
    const isCutBefore = WITHIN_FROM.test(text) && COMES_FROM.test(goal.slice(0, at));
    const isCutBehind = WITHIN.test(text) && GOES_ON.test(goal.slice(at + text.length));
    if (!isCutBefore && !isCutBehind) return true;
  }
  return false;
}

/**
 * What the example has typed is no line that a user types, unless the goal says it.
 * @param shown what is typed in the example
 */
export const believedInput = (stdin: string, goal: string, shown: string): string =>
  shown !== '' && squeezed(stdin) === squeezed(shown) && !stands(squeezed(stdin), squeezed(goal))
    ? ''
    : stdin;
