/** The plans that show a model the form of a plan, in the words of a language that the goal is about. */
import {
  type ExampleTopic,
  PROGRAMS,
  READ,
  type ReadTopic,
  TESTED,
  type TestedTopic,
} from './example-topics.ts';
import type { Installed, PlanWords } from './language.ts';
import { LANGUAGES, languagesOf } from './languages.ts';

export interface PlanExamples {
  /** Goals, each with its plan. */
  readonly text: string;
  /** A question: its plan is told with the tool that reads. */
  readonly reading: ReadTopic;
  /** Files that the examples name: a plan that names one of them copied it. */
  readonly files: readonly string[];
  /** Whatever is said in them. */
  readonly texts: readonly string[];
  /** What is typed in them. */
  readonly stdin: string;
  /** A file's name as it may stand in a plan. */
  readonly fileName: string;
}

/** The same for one goal, whenever it is asked. */
export function planExamples(installed: Installed, goal: string): PlanExamples {
  const program = leastIn(goal, PROGRAMS);
  const tested = leastIn(goal, TESTED);
  const reading = leastIn(goal, READ);
  const texts = [program, tested, reading].flatMap((topic) => saidIn(topic));
  const words = wordsFor(goal, installed);
  if (words === null)
    return { text: '', reading, files: [reading.file], texts, stdin: '', fileName: '' };
  return {
    text: `${programPlan(program, words)}\n${testedPlan(tested, words)}`,
    reading,
    files: [
      words.file(program.stem),
      words.file(tested.stem),
      words.test(tested.stem),
      reading.file,
    ],
    texts,
    stdin: program.stdin,
    fileName: words.file('name'),
  };
}

/** Of the first language that the goal is about and that has some. */
function wordsFor(goal: string, installed: Installed): PlanWords | null {
  const languages = [...languagesOf(goal, [], installed), ...LANGUAGES];
  const own = languages.map(({ runs }) => runs?.planWords?.(installed));
  return own.find((words) => words !== undefined) ?? null;
}

function programPlan(topic: ExampleTopic, words: PlanWords): string {
  const file = words.file(topic.stem);
  const tasks = [task(topic.description, file, topic.purpose)];
  const { prints, stdin } = topic;
  return planText(topic.goal, tasks, { cmd: words.run(file), prints, stdin });
}

function testedPlan(topic: TestedTopic, words: PlanWords): string {
  const tasks = [
    task(topic.description, words.file(topic.stem), topic.purpose),
    task('Tests', words.test(topic.stem), topic.tests),
  ];
  return planText(topic.goal, tasks, { ...words.testRun, stdin: '' });
}

const task = (description: string, file: string, purpose: string) => ({
  description,
  subtasks: [{ action: 'write_file', file, purpose }],
});

const planText = (goal: string, tasks: readonly object[], verify: object): string =>
  `GOAL: ${goal}\n${JSON.stringify({ tasks, verify })}`;

type Topic = ExampleTopic | TestedTopic | ReadTopic;

const saidIn = (topic: Topic): readonly string[] => [
  topic.goal,
  topic.purpose,
  ...('description' in topic ? [topic.description] : []),
  ...('tests' in topic ? [topic.tests] : []),
];

/** The first of those that have least in common with the goal: most goals share nothing with it. */
function leastIn<One extends Topic>(goal: string, topics: readonly One[]): One {
  const told = nounsIn(goal);
  const shared = (topic: One): number =>
    nounsIn([...saidIn(topic), 'stem' in topic ? topic.stem : topic.file].join(' ')).filter(
      (noun) => told.some((word) => isSame(noun, word)),
    ).length;
  return topics.reduce((least, topic) => (shared(topic) < shared(least) ? topic : least));
}

/** Words that every plan may have. */
const COMMON = new Set(
  (
    'a an the and or of for with in it its is to what who create draw write make asks prints returns finds find ' +
    'answer test tests one two three eight ten new'
  ).split(' '),
);

const nounsIn = (text: string): readonly string[] =>
  (text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => !COMMON.has(word));

const LEAST_ALIKE = 5;

/** In whatever form: word and words, parse and parser, counting and counter. */
const isSame = (one: string, other: string): boolean =>
  one === other ||
  one === `${other}s` ||
  other === `${one}s` ||
  (Math.min(one.length, other.length) >= LEAST_ALIKE &&
    one.slice(0, LEAST_ALIKE) === other.slice(0, LEAST_ALIKE));
