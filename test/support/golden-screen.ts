/** Golden conversations at a terminal: what only a word behind a slash does, and the requests that follow. */
import { listSessions } from '../../src/index.ts';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import { chatFolder, left, ready } from '../cli/chat/talking.ts';
import type { Way } from './golden-talk.ts';
import { talkText } from './golden-talk-text.ts';
import { answerText } from './golden-talk-words.ts';
import { diligentModel } from './models.ts';
import type { ScriptedReply } from './scripted-provider.ts';

export interface GoldenScreen {
  readonly name: string;
  readonly way: Way;
  /** Starts of the program, one after the other in the same folder: lines that are typed, each with what is waited for. */
  readonly starts: readonly {
    readonly argv: readonly string[];
    readonly types: readonly (readonly [line: string, sees: string])[];
  }[];
  /** Answers to the requests of conversations, in this order. */
  readonly answers: readonly string[];
  readonly shows: readonly string[];
}

const MODE = { wire: 'native', held: 'json' } as const;

const isOfTalk = ({ messages }: ModelRequest): boolean =>
  messages[0]?.content.startsWith('<identity>') === true;

/** A run that the person starts from the conversation writes one file. */
const working = diligentModel({
  subtasks: [{ action: 'write_file', file: 'a.txt', purpose: 'says hello' }],
  files: { 'a.txt': ['hello\n'] },
  answer: 'a.txt says hello.',
});

export async function playScreen({ name, way, starts, answers }: GoldenScreen): Promise<string> {
  const folder = chatFolder();
  const requests: ModelRequest[] = [];
  const script = (request: ModelRequest): ScriptedReply | string => {
    if (!isOfTalk(request)) return working(request, 0);
    requests.push(JSON.parse(JSON.stringify(request)));
    const answer = answers[requests.length - 1];
    if (answer === undefined) throw new Error(`${name}: no answer is left`);
    return way === 'held' ? answerText(answer) : answer;
  };
  for (const { argv, types } of starts) {
    const mode = way === 'text' ? [] : ['--tool-mode', MODE[way]];
    const talking = await ready(script, { folder, argv: ['chat', ...argv, ...mode] });
    for (const [line, seen] of types) {
      talking.say(line);
      await talking.sees(seen);
    }
    await left(talking);
  }
  if (requests.length !== answers.length) throw new Error(`${name}: ${requests.length} requests`);
  const sessions = await listSessions({ workspace: folder });
  const byNumber = [...sessions].sort((one, other) => (one.number ?? 0) - (other.number ?? 0));
  const ids = byNumber.map(({ id }) => id);
  return talkText({ name, way }, { requests, came: [], sessions: ids }, folder);
}

const GOAL = (way: Way): GoldenScreen => ({
  name: 'goal',
  way,
  starts: [
    {
      argv: [],
      types: [
        ['Hi', 'Hello there.'],
        ['/goal Write the file a.txt', 'undo     agent undo'],
        ['What is there now?', 'There is a.txt.'],
      ],
    },
  ],
  answers: ['Hello there.', 'There is a.txt.'],
  shows: ['The user let run 2 work on the goal', 'It wrote: a.txt.'],
});

const CLEARED = (way: Way): GoldenScreen => ({
  name: 'cleared',
  way,
  starts: [
    {
      argv: ['--session', 'mine'],
      types: [
        ['Hi', 'Hello there.'],
        ['/memory my name is Ada', 'Remembered in AGENT.md'],
        ['/clear', 'A new conversation has begun'],
        ['Who am I?', 'You are Ada.'],
      ],
    },
    // The name goes with the new one; the old one goes by its number.
    { argv: ['--session', 'mine'], types: [['Sure?', 'Quite sure.']] },
    { argv: ['--session', '1'], types: [['And who are you?', 'I am the first.']] },
  ],
  answers: ['Hello there.', 'You are Ada.', 'Quite sure.', 'I am the first.'],
  shows: ['* my name is Ada'],
});

export const SCREENS: readonly GoldenScreen[] = [
  GOAL('wire'),
  GOAL('held'),
  CLEARED('wire'),
  CLEARED('held'),
];
