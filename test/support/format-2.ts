/**
 * The runs of format 2 and the conversations of their format 1 that the build 63b715c4 left in
 * `test/fixtures/format-2`. `scripts/record-format-2.ts` made them.
 */
import { answerText, choiceText } from '../../src/llm/tool-modes/choice.ts';
import type { Answer } from './e2e-model.ts';
import type { Reply } from './fake-ollama.ts';
import { type Files, FORMAT_1, type Format1Run, type Start } from './format-1.ts';

export const FIXTURES_2 = 'test/fixtures/format-2';

/** Runs as those of format 1, with plans as the build of format 2 asks for them. */
export const RUNS_2: readonly Format1Run[] = FORMAT_1.filter(
  ({ name }) => name !== 'switched-to-json' && !name.startsWith('killed-in-a-replan'),
);

export interface RecordedTalk {
  readonly name: string;
  readonly before: Files;
  readonly starts: readonly Start[];
  readonly model: Answer;
  /** The words that go on with it. */
  readonly resume: readonly string[];
  /** Records that its journal must hold. */
  readonly holds: readonly string[];
}

const BEFORE: Files = { 'list.txt': 'milk\neggs\n' };

const SLOW = 'node -e "setTimeout(() => console.log(1), 4000)"';

const wire = (name: string, args: Record<string, unknown>): Reply => ({
  toolCalls: [{ name, arguments: args }],
});
const held = (name: string, args: Record<string, unknown>): Reply => ({
  content: choiceText({ name, args }),
});

/** Looks, changes or runs, whatever the last message of the person says, then answers. */
const talker =
  (call: typeof wire, say: (text: string) => Reply): Answer =>
  ({ messages }) => {
    // What a held model reads behind a result repeats the person's words.
    const from = messages.findLastIndex(
      ({ role, content }) =>
        role === 'user' && content.includes('please') && !content.includes('The user said:'),
    );
    const wish = messages[from]?.content ?? '';
    if (messages.length - 1 > from) return say('That is done.');
    if (wish.includes('look'))
      return call('read_file', call === wire ? { path: 'list.txt' } : { file: 'list.txt' });
    if (wish.includes('change'))
      return call === wire
        ? call('edit_file', { path: 'list.txt', old_text: 'eggs', new_text: 'ten eggs' })
        : call('edit_file', { file: 'list.txt', instead_of: 'eggs', write: 'ten eggs' });
    if (wish.includes('wait')) return call('run_cmd', { cmd: SLOW });
    if (wish.includes('make')) return call('run_cmd', { cmd: 'make all' });
    return say('Hello.');
  };

const MODELS = {
  wire: talker(wire, (text) => ({ content: text })),
  held: talker(held, (text) => ({ content: answerText(text) })),
} as const;

const MODE = { wire: 'native', held: 'json' } as const;

type Way = keyof typeof MODELS;

const said = (way: Way, text: string, ...more: readonly string[]): readonly string[] => [
  ...['chat', '--session', 'talk', '--tool-mode', MODE[way], '--exec', text, ...more],
];

const talk = (way: Way, name: string, starts: readonly Start[], ...holds: readonly string[]) => ({
  name: `${name}-${way}`,
  before: BEFORE,
  starts,
  model: MODELS[way],
  resume: said(way, 'please greet me'),
  holds: ['session_opened', ...holds],
});

const END = { at: 'end' } as const;

const talksOf = (way: Way): readonly RecordedTalk[] => [
  talk(
    way,
    'talk-finished',
    [
      { words: said(way, 'please look at it'), stop: END },
      { words: said(way, 'please change it'), stop: END },
    ],
    'message_ended',
    'session_resumed',
  ),
  talk(way, 'talk-killed-in-a-turn', [
    { words: said(way, 'please look at it'), stop: { at: 'turn', n: 2 } },
  ]),
  talk(
    way,
    'talk-killed-in-a-command',
    [
      {
        words: said(way, 'please wait', '--allow', 'node *'),
        stop: { at: 'record', hold: 'action_started:1' },
      },
    ],
    'action_started',
  ),
  talk(
    way,
    'talk-permission',
    [{ words: said(way, 'please make all'), stop: END }],
    'permission_noted',
  ),
];

export const TALKS: readonly RecordedTalk[] = [...talksOf('wire'), ...talksOf('held')];
