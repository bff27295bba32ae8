import { type Evidence, missed, reached, type Verdict } from '../../goal.ts';
import type { Files, Generator, Task } from '../generator.ts';
import { withBug } from '../input/talks.ts';
import { endedWell, play, read, sameLines } from '../look.ts';
import { BOTH, code, type ProgramLanguage } from '../programs-made.ts';
import type { Random } from '../random.ts';
import { ADJECTIVES, GOODS } from '../words.ts';

interface Verb {
  readonly does: string;
  readonly python: string;
  readonly javascript: string;
  readonly of: (numbers: readonly number[]) => number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

const VERBS: { readonly [name: string]: Verb } = {
  together: {
    does: 'adds the numbers up',
    python: 'sum(numbers)',
    javascript: 'numbers.reduce((a, b) => a + b, 0)',
    of: sum,
  },
  span: {
    does: 'gives the largest minus the smallest',
    python: 'max(numbers) - min(numbers)',
    javascript: 'Math.max(...numbers) - Math.min(...numbers)',
    of: (numbers) => Math.max(...numbers) - Math.min(...numbers),
  },
  odd: {
    does: 'counts the odd ones',
    python: 'sum(number % 2 for number in numbers)',
    javascript: 'numbers.filter((number) => number % 2 === 1).length',
    of: (numbers) => numbers.filter((number) => number % 2 === 1).length,
  },
  twice: {
    does: 'adds the numbers up and doubles the result',
    python: '2 * sum(numbers)',
    javascript: '2 * numbers.reduce((a, b) => a + b, 0)',
    of: (numbers) => 2 * sum(numbers),
  },
};

interface Plan {
  readonly name: string;
  readonly verbs: readonly string[];
  readonly example: readonly number[];
}

function planOf(random: Random): Plan {
  return {
    name: `${random.pick(ADJECTIVES)}${random.pick(GOODS)}`,
    verbs: random.sample(Object.keys(VERBS), 2),
    example: Array.from({ length: 3 }, () => random.int(3, 30)),
  };
}

const pick = (verb: string, language: ProgramLanguage): string => VERBS[verb]?.[language] ?? '';

function filesOf({ name, verbs }: Plan, language: ProgramLanguage): Files {
  const [one = '', two = ''] = verbs;
  if (language === 'python') {
    return {
      [`${name}/__init__.py`]: '',
      [`${name}/__main__.py`]: code([
        'import sys',
        'numbers = [int(one) for one in sys.argv[2:]]',
        `print(${pick(one, language)} if sys.argv[1] == "${one}" else ${pick(two, language)})`,
      ]),
    };
  }
  return {
    'package.json': `${JSON.stringify({ name, version: '1.0.0', bin: { [name]: './cli.js' } })}\n`,
    'cli.js': code([
      '#!/usr/bin/env node',
      'const [verb, ...rest] = process.argv.slice(2);',
      'const numbers = rest.map(Number);',
      `console.log(verb === "${one}" ? ${pick(one, language)} : ${pick(two, language)});`,
    ]),
  };
}

/** The program that the package says stands behind its name. */
function binOf(evidence: Evidence, name: string): string | null {
  const text = read(evidence, 'package.json');
  if (text === null) return null;
  const { name: called, bin } = JSON.parse(text) as { name?: string; bin?: unknown };
  const path =
    typeof bin === 'string' ? bin : (bin as { [key: string]: string } | undefined)?.[name];
  return called === name && typeof path === 'string' ? path.replace(/^\.\//, '') : null;
}

async function judgeCommand(
  evidence: Evidence,
  { name, verbs, example }: Plan,
  language: ProgramLanguage,
): Promise<Verdict> {
  const bin = language === 'python' ? `${name}/__main__.py` : binOf(evidence, name);
  if (bin === null || read(evidence, bin) === null) return missed(`nothing stands behind ${name}`);
  for (const [verb, numbers] of [
    [verbs[0] ?? '', example],
    [verbs[1] ?? '', [15, 2, 41, 7]],
    [verbs[0] ?? '', [101, 3]],
  ] as const) {
    const args = [verb, ...numbers.map(String)];
    const run =
      language === 'python'
        ? await evidence.programs.python(['-m', name, ...args], { cwd: evidence.workspace })
        : await play(evidence, bin, { args });
    const failure = endedWell(run);
    if (failure !== null) return missed(`${args.join(' ')}: ${failure}`);
    const seen = sameLines(run.stdout, [String(VERBS[verb]?.of(numbers))]);
    if (!seen.reached) return missed(`${args.join(' ')}: ${seen.why}`);
  }
  return reached('its commands answer right');
}

function goalText(random: Random, plan: Plan, language: ProgramLanguage): string {
  const { name, verbs, example } = plan;
  const call = language === 'python' ? `python -m ${name}` : name;
  const [one = '', two = ''] = verbs.map(
    (verb) => `"${call} ${verb} N N ..." ${VERBS[verb]?.does}`,
  );
  const shown = `${call} ${verbs[0]} ${example.join(' ')}`;
  const result = VERBS[verbs[0] ?? '']?.of(example);
  return language === 'python'
    ? random.pick([
        `Create a Python package ${name} that can be run: ${one}, ${two}. N are whole numbers; only the result is printed, e.g. ${shown} prints ${result}`,
        `I want to type ${shown} and get ${result}. Write the package ${name} for that. ${one}; ${two}.`,
      ])
    : random.pick([
        `Make an npm package ${name} (package.json with a "bin" of the same name) with a command: ${one}, ${two}. It prints just the result, so ${shown} prints ${result}. No dependencies, and do not install it.`,
        `Node package with a command line tool, both called ${name}, declared under bin in package.json: ${one}; ${two}. Example: "${shown}" -> ${result}`,
      ]);
}

function commandTask(random: Random, language: ProgramLanguage): Task {
  const plan = planOf(random);
  const right = filesOf(plan, language);
  const swapped = filesOf({ ...plan, verbs: [...plan.verbs].reverse() }, language);
  const [program = ''] = Object.keys(right).slice(-1);
  const wrong = { [program]: right[program] ?? '' };
  return {
    goal: goalText(random, plan, language),
    judge: (evidence) => judgeCommand(evidence, plan, language),
    good: { files: right },
    bad: [
      { files: { ...right, ...withBug(wrong, `"${plan.verbs[0]}"`, `"${plan.verbs[1]}"`) } },
      { files: { 'main.txt': swapped[program] ?? '' } },
    ],
  };
}

/** A Python package that can be run. */
export const runnable: Generator = {
  name: 'runnable',
  kind: 'package',
  languages: ['python'],
  kept: true,
  make: (random) => commandTask(random, 'python'),
};

/** A package for Node.js with a command. */
export const command: Generator = {
  name: 'command',
  kind: 'package',
  languages: BOTH.slice(1),
  kept: true,
  make: (random) => commandTask(random, 'javascript'),
};
