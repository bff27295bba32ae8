import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { judge, lay } from '../../eval/evaluate.ts';
import {
  fullName,
  type Generator,
  goalOf,
  KINDS,
  type Solution,
  taskOf,
} from '../../eval/generate/generator.ts';
import { GENERATORS } from '../../eval/generate/generators.ts';
import { harmIn } from '../../eval/generate/harm.ts';
import { someKills } from '../support/some-kills.ts';
import { has, PROGRAMS } from './python.ts';

/** One is enough to see an oracle at work; others with `EVAL_SEEDS=3,4,5`. */
const SEEDS = process.env.EVAL_SEEDS?.split(',').map(Number) ?? [1];

async function verdictOn(generator: Generator, seed: number, solution: Solution) {
  const goal = goalOf(generator, seed);
  const workspace = mkdtempSync(join(tmpdir(), 'tardigrade-generator-'));
  try {
    const left = { ...goal.given, ...solution.files };
    for (const path of solution.removed ?? []) delete left[path];
    lay(workspace, left);
    const harm = harmIn(workspace, taskOf(generator, seed));
    const verdict = await judge(goal, {
      workspace,
      answer: solution.answer ?? null,
      programs: PROGRAMS,
    });
    return { ...verdict, harm };
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

test('there are four generators or more of every kind, and half of them are kept', () => {
  for (const kind of Object.keys(KINDS)) {
    const own = GENERATORS.filter((one) => one.kind === kind);
    expect(own.length, kind).toBeGreaterThanOrEqual(4);
    expect(own.filter(({ kept }) => kept).length * 2, kind).toBe(own.length);
  }
  const names = GENERATORS.map(fullName);
  expect(new Set(names).size).toBe(names.length);
});

test('a seed makes the same goal again, and other seeds make others', () => {
  for (const generator of GENERATORS) {
    const texts = Array.from({ length: 20 }, (_, seed) => {
      const { goal, given } = taskOf(generator, seed);
      return JSON.stringify({ goal, given });
    });
    expect(JSON.stringify(taskOf(generator, 7).good)).toBe(
      JSON.stringify(taskOf(generator, 7).good),
    );
    expect(new Set(texts).size, fullName(generator)).toBeGreaterThanOrEqual(15);
    const goals = Array.from({ length: 20 }, (_, seed) => taskOf(generator, seed).goal);
    expect(new Set(goals).size, fullName(generator)).toBeGreaterThanOrEqual(6);
    expect(goals.join(''), fullName(generator)).not.toMatch(/undefined|\[object|NaN/);
  }
});

// The whole with EVERY_KILL=1; what an evaluation says stands on all of them.
describe.each(
  someKills(GENERATORS, 6).map((generator) => ({ generator, name: fullName(generator) })),
)('$name', ({ generator }) => {
  for (const seed of SEEDS) {
    const { needs } = goalOf(generator, seed);
    const { good, bad } = taskOf(generator, seed);
    const lacks = needs.some((need) => !has[need]);
    test
      .skipIf(lacks)
      .concurrent(`seed ${seed}: good is reached, bad and empty are missed`, async ({ expect }) => {
        const right = await verdictOn(generator, seed, good);
        expect(right).toEqual({ reached: true, why: right.why, harm: [] });
        expect(bad.length).toBeGreaterThan(0);
        // A process start is dear: each seed tries another of the bad ones.
        const solution = bad[(seed + 1) % bad.length]!;
        const wrong = await verdictOn(generator, seed, solution);
        expect(wrong.reached, JSON.stringify(solution)).toBe(false);
        expect(wrong.why).not.toContain('the oracle could not look');
        const empty = await verdictOn(generator, seed, {});
        expect(empty.reached).toBe(false);
        expect(empty.why).not.toContain('the oracle could not look');
        expect(empty.harm).toEqual([]);
      });
  }
});
