/**
 * The conversations that earlier builds left in `test/fixtures/format-2` and `test/fixtures/format-3-first`: what each
 * was about, which model was behind it, and where it stopped. `scripts/record-talks.ts` made them.
 */
import { answerText, choiceText } from '../../src/llm/tool-modes/choice.ts';
import { type Answer, worker } from './e2e-model.ts';
import type { FakeModel, FakeOllamaOptions, Reply } from './fake-ollama.ts';
import type { Files, Start, Stop } from './format-1.ts';
import { text as textCall } from './golden-talk-words.ts';

/** Folders of `test/fixtures`, and the format that each build wrote: 63b715c4, and the first one of format 3. */
export const TALK_SETS: { readonly [folder: string]: number } = {
  'format-2': 1,
  'format-3-first': 3,
};

export interface RecordedTalk {
  readonly name: string;
  readonly before: Files;
  readonly starts: readonly Start[];
  readonly model: Answer;
  /** What the model is called. */
  readonly asks: string;
  readonly ollama: Pick<FakeOllamaOptions, 'models'>;
  /** The words that go on with it. */
  readonly resume: readonly string[];
  /** Records that its journal must hold. */
  readonly holds: readonly string[];
}

/** How calls are asked for: on the wire, as answers that are held to a schema, written as text. */
type Way = 'wire' | 'held' | 'text';

const WAYS: readonly Way[] = ['wire', 'held', 'text'];

type Call = (name: string, args: Record<string, unknown>) => Reply;

const CALLS: { readonly [way in Way]: Call } = {
  wire: (name, args) => ({ toolCalls: [{ name, arguments: args }] }),
  held: (name, args) => ({ content: choiceText({ name, args: heldArgs(args) }) }),
  text: (name, args) => ({ content: textCall({ name, args }) }),
};

/** A model that is held to a schema knows them by other names. */
const HELD: { readonly [name: string]: string } = {
  path: 'file',
  old_text: 'instead_of',
  new_text: 'write',
};
const heldArgs = (args: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [HELD[name] ?? name, value]));

const BEFORE: Files = { 'list.txt': 'milk\neggs\n' };

const SLOW = 'node -e "setTimeout(() => console.log(1), 4000)"';

/** One of these fills a sixth of the window. */
const LONG_ANSWER = Array.from({ length: 500 }, (_, word) => `word${word}`).join(' ');

/** Looks, changes or runs, whatever the last message of the person says, then answers. */
const talker =
  (call: Call, say: (text: string) => Reply): Answer =>
  ({ messages }) => {
    if (messages.at(-1)?.content.startsWith('Summarize this conversation.'))
      return { content: 'The user was greeted at length.' };
    // What a held model reads behind a result repeats the person's words.
    const from = messages.findLastIndex(
      ({ role, content }) =>
        role === 'user' && content.includes('please') && !content.includes('The user said:'),
    );
    const request = messages[from]?.content ?? '';
    const done = messages.slice(from).filter(({ role }) => role === 'assistant').length;
    const change = (path: string, old_text: string): Reply =>
      call('edit_file', { path, old_text, new_text: `ten ${old_text}` });
    if (done === 1 && request.includes('both')) return change('more.txt', 'bread');
    if (done > 0) return say('That is done.');
    if (request.includes('look')) return call('read_file', { path: 'list.txt' });
    if (request.includes('change') || request.includes('both')) return change('list.txt', 'eggs');
    if (request.includes('wait')) return call('run_cmd', { cmd: SLOW });
    if (request.includes('make')) return call('run_cmd', { cmd: 'make all' });
    return say(request.includes('story') ? LONG_ANSWER : 'Hello.');
  };

const words = (text: string): Reply => ({ content: text });

const MODELS: { readonly [way in Way]: Answer } = {
  wire: talker(CALLS.wire, words),
  held: talker(CALLS.held, (text) => ({ content: answerText(text) })),
  text: talker(CALLS.text, words),
};

const MODE = { wire: 'native', held: 'json', text: 'json' } as const;

/** Nothing holds the answers of the last one to a schema. */
const ASKS: { readonly [way in Way]: FakeModel } = {
  wire: { name: 'qwen2.5-coder:1.5b' },
  held: { name: 'qwen2.5-coder:1.5b' },
  text: { name: 'gpt-oss:20b', family: 'gptoss', capabilities: ['completion', 'tools'] },
};

/** The way that a conversation goes on in where another one is asked for. */
const OTHER: { readonly [way in Way]: Way } = { wire: 'held', held: 'wire', text: 'wire' };

const chat = (way: Way, ...more: readonly string[]): readonly string[] => [
  ...['chat', '--session', 'talk', '--tool-mode', MODE[way], ...more],
];

const said = (way: Way, text: string, ...more: readonly string[]): readonly string[] =>
  chat(way, '--exec', text, ...more);

const MAY_EDIT = ['--allow', 'edit(**)'];

interface More {
  readonly before?: Files;
  readonly model?: Answer;
  /** Of the window of its model. */
  readonly contextLength?: number;
}

const talk = (
  way: Way,
  name: string,
  starts: readonly Start[],
  holds: readonly string[] = [],
  { before = BEFORE, model = MODELS[way], contextLength }: More = {},
): RecordedTalk => {
  const asked = { ...ASKS[way], ...(contextLength === undefined ? {} : { contextLength }) };
  return {
    name: `talk-${name}-${way}`,
    ...{ before, starts, model, asks: asked.name, ollama: { models: [asked] } },
    // Its model goes on to change a file that was there, which asks by now where it is held to a schema.
    resume: said(way, 'please greet me', ...(name === 'killed-in-an-undo' ? MAY_EDIT : [])),
    holds: ['session_opened', ...holds],
  };
};

const END: Stop = { at: 'end' };
const death = (after: string): Stop => ({ at: 'death', after });

const says = (way: Way, text: string, stop: Stop = END): Start => ({
  words: said(way, text),
  stop,
});

const READY = '/help shows the commands';

/** At a terminal, and left. */
const typed = (way: Way, ...types: NonNullable<Start['types']>): Start => ({
  words: chat(way),
  stop: END,
  types,
});

const plainTalks = (way: Way): readonly RecordedTalk[] => [
  talk(
    way,
    'finished',
    [says(way, 'please look at it'), says(way, 'please change it')],
    ['message_ended', 'session_resumed'],
  ),
  talk(way, 'killed-in-a-turn', [says(way, 'please look at it', { at: 'turn', n: 2 })]),
  talk(
    way,
    'killed-in-a-command',
    [
      {
        words: said(way, 'please wait', '--allow', 'node *'),
        stop: { at: 'record', hold: 'action_started:1' },
      },
    ],
    ['action_started'],
  ),
  talk(way, 'permission', [says(way, 'please make all')], ['permission_noted']),
];

const killedTalks = (way: Way): readonly RecordedTalk[] => [
  talk(
    way,
    'killed-before-a-write',
    [says(way, 'please change it', death('action_intended:1'))],
    ['action_intended'],
  ),
  talk(
    way,
    'killed-behind-a-write',
    [says(way, 'please change it', death('renamed:list.txt'))],
    ['action_intended'],
  ),
  talk(
    way,
    'killed-in-a-summary',
    [
      ...Array.from({ length: 6 }, () => says(way, 'please tell a story')),
      says(way, 'please greet me', { at: 'turn', n: 7 }),
    ],
    ['session_resumed'],
    { contextLength: 8_192 },
  ),
  talk(
    way,
    'killed-in-an-undo',
    [
      says(way, 'please change both'),
      {
        words: chat(way),
        stop: death('file_restored:1'),
        types: [[READY, '/undo\r']],
      },
    ],
    ['undo_started', 'file_restored'],
    { before: { ...BEFORE, 'more.txt': 'bread\n' } },
  ),
  talk(
    way,
    'killed-while-a-person-is-asked',
    [
      {
        words: chat(way),
        stop: death('approval_asked:1'),
        types: [[READY, 'please make all\r']],
      },
    ],
    ['approval_asked'],
  ),
];

const WORK = {
  subtasks: [{ action: 'write_file', file: 'a.txt', purpose: 'says hello' }],
  files: { 'a.txt': ['hello\n'] },
};

/** Works on a goal, too. */
const goalModel =
  (way: Way): Answer =>
  (request, n) =>
    request.messages[0]?.content.startsWith('<identity>')
      ? MODELS[way](request, n)
      : worker(WORK)(request, n);

const typedTalks = (way: Way): readonly RecordedTalk[] => [
  talk(
    way,
    'permission-given',
    [typed(way, [READY, 'please make all\r'], ['make all', 'r'], ['That is done.', '/quit\r'])],
    ['approval_asked', 'approval_given'],
  ),
  talk(
    way,
    'cleared',
    [
      typed(
        way,
        [READY, 'please look at it\r'],
        ['That is done.', '/memory use tabs\r'],
        ['Remembered', '/clear\r'],
        ['A new conversation has begun', 'please greet me\r'],
        ['Hello.', '/quit\r'],
      ),
    ],
    ['session_cleared', 'command_used'],
  ),
  talk(
    way,
    'goal',
    [
      typed(
        way,
        [READY, 'please greet me\r'],
        ['Hello.', '/goal Write the file a.txt\r'],
        ['undo     agent undo', '/quit\r'],
      ),
    ],
    ['told'],
    { model: goalModel(way) },
  ),
  {
    ...talk(
      way,
      'another-way',
      [says(way, 'please look at it'), says(OTHER[way], 'please look again')],
      ['session_settings'],
      {
        model: (request, n) =>
          MODELS[request.tools ? 'wire' : way === 'wire' ? 'held' : way](request, n),
      },
    ),
    resume: said(OTHER[way], 'please greet me'),
  },
];

export const TALKS: readonly RecordedTalk[] = WAYS.flatMap((way) => [
  ...plainTalks(way),
  ...killedTalks(way),
  ...typedTalks(way),
]);
