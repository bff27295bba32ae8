import type { MakeSample } from '../functions/function.ts';
import {
  callsOf,
  exampleOf,
  moduleText,
  signatureOf,
  testPath,
  testText,
  withItsBug,
} from '../functions/function.ts';
import { KEPT_FUNCTIONS } from '../functions/kept.ts';
import { OPEN_FUNCTIONS } from '../functions/open.ts';
import type { Generator, Task } from '../generator.ts';
import { BOTH, IN_WORDS, named } from '../programs-made.ts';
import type { Random } from '../random.ts';
import { SUBJECTS } from '../words.ts';
import { idleTests, madeTask } from './made.ts';

function make(random: Random, pool: readonly MakeSample[], count: number): Task {
  const language = random.pick(BOTH);
  const stem = random.pick([random.pick(SUBJECTS), 'tools', 'calc', 'shared']);
  const samples = random.sample(pool, count).map((one) => one(random));
  const path = named(language, stem);
  const asked = samples.map(
    (one) => `${signatureOf(one, language)} ${one.does} (${exampleOf(one, language)})`,
  );
  const listed = samples.map(
    (one) => `- ${signatureOf(one, language)}: ${one.does}. Example: ${exampleOf(one, language)}`,
  );
  const runner = language === 'python' ? 'pytest' : 'node --test';
  const goal = random.pick([
    `Write a module ${path} and tests for it. ${asked.join('; ')}.`,
    `Create ${path} with these functions, and ${runner} tests for them:\n${listed.join('\n')}`,
    `I need a ${IN_WORDS[language]} module called ${path}. In it: ${asked.join('. Also ')}. Add a test file that runs with ${runner}.`,
  ]);
  const text = moduleText({ samples }, language);
  const test = testPath(stem, language);
  const tests = testText(stem, samples, language);
  const bugged = samples.map((one, at) => (at === 0 ? withItsBug(one, language) : one));
  const untested = samples.map((one) => ({ ...one, cases: one.cases.slice(1, 2) }));
  return madeTask({
    goal,
    language,
    stem,
    calls: samples.flatMap((one) => callsOf(one, language)),
    right: { [path]: text, [test]: tests },
    wrong: [
      {
        [path]: moduleText({ samples: bugged }, language),
        [test]: testText(stem, untested, language),
      },
      { [path]: text, [test]: idleTests(stem, language) },
    ],
  });
}

/** Two functions, said in words and with an example each. */
export const functions: Generator = {
  name: 'functions',
  kind: 'module',
  languages: BOTH,
  kept: false,
  make: (random) => make(random, OPEN_FUNCTIONS, 2),
};

/** Two others, of which no development goal knows. */
export const texts: Generator = {
  name: 'texts',
  kind: 'module',
  languages: BOTH,
  kept: true,
  make: (random) => make(random, KEPT_FUNCTIONS, 2),
};
