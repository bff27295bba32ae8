/** Plays the game: every choice many times, in each of the ways such a game may ask for it. */
import { type Evidence, type Goal, missed, reached, type Verdict } from '../goal.ts';
import { filesIn, isTestFile, textOf } from '../workspace-files.ts';
import { CHOICES, type Choice, type Outcome, outcomeOf, readTalk } from './game-talk.ts';

/** Fifteen games against a computer that chooses by chance end alike once in 4.8 million times. */
const TIMES = 5;
/** A given end, such as a tie, stays unseen in fifteen games once in 400 times, in sixty once in 36 billion times. */
const MAX_TIMES = 20;
/** A win, a loss and a tie: a fault may lie in one of them alone. */
const OUTCOMES = 3;
/** What ends a game that asks for another round; a game that reads on finds the input at its end. */
const LEAVE = 'n\nno\nquit\nexit\nq\n';

interface Way {
  readonly name: string;
  readonly isTwoPlayers: boolean;
  say(mine: Choice, other: Choice): string;
}

const number = (choice: Choice): string => String(CHOICES.indexOf(choice) + 1);
const alone = (name: string, say: (mine: Choice) => string): Way => ({
  name,
  isTwoPlayers: false,
  say: (mine) => `${say(mine)}\n${LEAVE}`,
});

const WAYS: readonly Way[] = [
  alone('a word', (mine) => mine),
  alone('a number', number),
  alone('a letter', (mine) => mine.slice(0, 1)),
  alone('yes, then a word', (mine) => `y\n${mine}`),
  alone('a name, then a word', (mine) => `Ada\n${mine}`),
  {
    name: 'two players with words',
    isTwoPlayers: true,
    say: (mine, other) => `${mine}\n${other}\n${LEAVE}`,
  },
  {
    name: 'two players with numbers',
    isTwoPlayers: true,
    say: (mine, other) => `${number(mine)}\n${number(other)}\n${LEAVE}`,
  },
];

/** The likely way first; only which one is tried first depends on it. */
function waysFor(source: string): readonly Way[] {
  const isForTwo = /player\s*(?:2|two)/i.test(source);
  return [...WAYS].sort(
    (one, other) => Number(one.isTwoPlayers !== isForTwo) - Number(other.isTwoPlayers !== isForTwo),
  );
}

async function judge(evidence: Evidence): Promise<Verdict> {
  const games = filesIn(evidence.workspace).filter(
    (path) => /\.(py|js|mjs|cjs)$/.test(path) && !isTestFile(path) && !path.endsWith('__init__.py'),
  );
  if (games.length === 0) return missed('there is no program');
  const faults: string[] = [];
  for (const path of games) {
    for (const way of waysFor(textOf(evidence.workspace, path))) {
      const verdict = await playAll(evidence, path, way);
      if (verdict === null) continue;
      if (verdict.reached) return verdict;
      faults.push(verdict.why);
      if (verdict.why.includes('does not end')) break;
    }
  }
  return missed(faults[0] ?? `${games.join(', ')}: nothing names a winner or a tie`);
}

/** `null`: the program does not understand this way of asking. */
async function playAll(evidence: Evidence, path: string, way: Way): Promise<Verdict | null> {
  const outcomes = new Set<Outcome>();
  let time = 0;
  const isEnough = () => time >= MAX_TIMES || (time >= TIMES && outcomes.size === OUTCOMES);
  for (; !isEnough(); time += 1) {
    const other = CHOICES[time % CHOICES.length] ?? 'rock';
    for (const mine of CHOICES) {
      const round = await playOnce(evidence, path, way, mine, other);
      if (round.fault !== '') return missed(round.fault);
      if (round.outcome === null) {
        if (outcomes.size === 0) return null;
        return missed(`${path}: no outcome for ${mine} (${way.name})`);
      }
      outcomes.add(round.outcome);
    }
    if (time + 1 >= TIMES && outcomes.size < 2) {
      return missed(`${path}: it always ends as a ${[...outcomes].join()}`);
    }
  }
  return reached(`${path}: ${CHOICES.length * time} games played (${way.name})`);
}

async function playOnce(
  { workspace, programs }: Evidence,
  path: string,
  way: Way,
  mine: Choice,
  other: Choice,
): Promise<{ readonly fault: string; readonly outcome: Outcome | null }> {
  const run = path.endsWith('.py') ? programs.python : programs.node;
  const { exitCode, timedOut, output } = await run([path], {
    cwd: workspace,
    stdin: way.say(mine, other),
    timeoutMs: 6_000,
  });
  if (timedOut) return { fault: `${path} does not end when its input does`, outcome: null };
  const talk = readTalk(output, way.isTwoPlayers);
  if (talk.outcome === null) return { fault: '', outcome: null };
  const isInputOver = /EOFError|ERR_USE_AFTER_CLOSE/.test(output);
  if (exitCode !== 0 && !isInputOver) {
    return { fault: `${path} ends with ${exitCode}`, outcome: null };
  }
  const against = way.isTwoPlayers ? other : talk.other;
  if (against !== null && outcomeOf(mine, against) !== talk.outcome) {
    return { fault: `${path} calls ${mine} against ${against} a ${talk.outcome}`, outcome: null };
  }
  return { fault: '', outcome: talk.outcome };
}

export const rockPaperScissors: Goal = {
  name: 'rock-paper-scissors',
  text: 'Create a rock-paper-scissors game',
  maxRounds: 8,
  needs: ['python'],
  judge,
};
