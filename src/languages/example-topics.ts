/**
 * Plans that show a model the form of a plan, without the words of any language. What stands in them
 * comes back in the plans of small models, so each is about something else: of all of them only
 * those are shown of which the goal says nothing. Pure.
 */

export interface ExampleTopic {
  readonly goal: string;
  readonly description: string;
  /** Name of its file, without an ending. */
  readonly stem: string;
  readonly purpose: string;
  readonly stdin: string;
  readonly prints: string;
}

/** Of a file with its tests. */
export interface TestedTopic
  extends Pick<ExampleTopic, 'goal' | 'description' | 'stem' | 'purpose'> {
  readonly tests: string;
}

export const PROGRAMS: readonly ExampleTopic[] = [
  {
    goal: 'Create a word counter',
    description: 'Word counter',
    stem: 'word_count',
    purpose: 'asks for a text and prints its number of words',
    stdin: 'one two',
    prints: '2',
  },
  {
    goal: 'Create a moon calendar',
    description: 'Moon calendar',
    stem: 'moon_phase',
    purpose: 'prints the phase of the moon tonight',
    stdin: '',
    prints: '',
  },
  {
    goal: 'Create a tip calculator',
    description: 'Tip calculator',
    stem: 'tip',
    purpose: 'asks for a bill and prints ten percent of it',
    stdin: '50',
    prints: '5',
  },
  {
    goal: 'Draw a chess board',
    description: 'Chess board',
    stem: 'chess_board',
    purpose: 'prints eight rows of black and white squares',
    stdin: '',
    prints: '',
  },
];

export const TESTED: readonly TestedTopic[] = [
  {
    goal: 'Create a date parser with tests',
    description: 'Parser',
    stem: 'date_parser',
    purpose: 'parse_date(text) returns year, month, day',
    tests: 'tests of parse_date: three dates',
  },
  {
    goal: 'Create a color mixer with tests',
    description: 'Mixer',
    stem: 'color_mixer',
    purpose: 'mix(red, blue) returns violet',
    tests: 'tests of mix: two colors',
  },
  {
    goal: 'Create a compass with tests',
    description: 'Compass',
    stem: 'compass',
    purpose: 'turn(direction, degrees) returns the new direction',
    tests: 'tests of turn: north and west',
  },
];

/** Of a question, which writes nothing. */
export interface ReadTopic {
  readonly goal: string;
  readonly file: string;
  readonly purpose: string;
}

export const READ: readonly ReadTopic[] = [
  { goal: 'What is in notes.txt?', file: 'notes.txt', purpose: 'find the answer' },
  { goal: 'Who wrote letter.md?', file: 'letter.md', purpose: 'find the answer' },
];
