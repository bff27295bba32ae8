import type { Belief, Engine } from '../../host/engine-port.ts';
import { standingOf } from '../../host/standing.ts';
import { doneText } from '../../steps/not-done.ts';
import { fold } from '../render/fold.ts';
import type { Style } from '../render/style.ts';
import { cut, oneLine } from '../render/text.ts';

const HELP: readonly (readonly [string, string])[] = [
  ['agent "goal"', 'work on a goal, such as "Write a hello world script"'],
  ['agent resume', 'go on with the run of this folder'],
  ['agent diff', 'what the last run changed; agent undo puts it back'],
  ['agent runs', 'all runs of this folder, with their numbers'],
  ['agent models', 'which models can be used from here'],
  ['agent doctor', 'check what is needed'],
  ['agent --help', 'all commands'],
];

/** The shortest help, for who typed the program's name alone and has no model to talk to. */
export const helpLines = (style: Style, width: number): readonly string[] =>
  HELP.map(([command, about]) =>
    fold(`${style.paint('strong', command.padEnd(13))} ${about}`, width),
  );

/** Of a long goal its beginning says which one it is. */
const MOST_GOAL = 200;

/** The run that waits in a folder; of one whose state cannot be read, its own command says why. */
export function waitingLines(engine: Engine, folder: string, width: number): readonly string[] {
  let belief: Belief;
  try {
    belief = engine.beliefIn(folder);
  } catch {
    return ['The run in this folder cannot be read: agent status says why.', ''];
  }
  if (belief.kind === 'none') return [];
  const { state, kind } = belief;
  const standing = standingOf(state, engine.lockOwner(folder));
  const goal = `"${cut(oneLine(state.goal), MOST_GOAL)}"${doneText(state)}`;
  if (kind === 'foreign')
    return [
      fold(`A run that was not begun by your agent here: ${goal}`, width),
      '  Look at it: agent adopt',
      '',
    ];
  switch (standing) {
    case 'paused':
    case 'killed':
      return [fold(`Paused here: ${goal}`, width), '  Go on: agent resume', ''];
    case 'running':
      return [fold(`Running here: ${goal}`, width), '  Watch it: agent history --follow', ''];
    case 'undoing':
      return [fold(`Its undo was cut off: ${goal}`, width), '  Finish it: agent undo', ''];
    default:
      return [];
  }
}
