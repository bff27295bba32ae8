import type { Belief, Engine } from '../../host/engine-port.ts';
import { statusOf } from '../../host/journals/run-status.ts';
import { doneText } from '../../steps/gate/not-done.ts';
import { foldToWidth } from '../render/text/fold.ts';
import type { Style } from '../render/text/style.ts';
import { cut, oneLine } from '../render/text/text.ts';

const HELP: readonly (readonly [string, string])[] = [
  ['"goal"', 'work on a goal, such as "Write add: add(2, 3) gives 5"'],
  ['resume', 'continue the run in this folder'],
  ['diff', 'show what the last run changed; "undo" puts it back'],
  ['runs', 'list all runs of this folder'],
  ['models', 'list the models you can use'],
  ['doctor', 'check what a run needs'],
  ['--help', 'list all commands'],
];

/** The shortest help, for somebody who typed only the program's name and has no model to talk to. */
export const helpLines = (style: Style, width: number, agent: string): readonly string[] =>
  HELP.map(([words, about]) =>
    foldToWidth(
      `${style.paint('strong', `${agent} ${words}`.padEnd(agent.length + 8))} ${about}`,
      width,
    ),
  );

/** The beginning of a long goal identifies it. */
const MAX_GOAL = 200;

/** The run that waits in a folder, worded for a conversation. If its state is unreadable, its own command says why. */
export function waitingLines(
  engine: Engine,
  folder: string,
  { width, agent }: { readonly width: number; readonly agent: string },
): readonly string[] {
  let belief: Belief;
  try {
    belief = engine.beliefIn(folder);
  } catch {
    return [`The run in this folder cannot be read: ${agent} status says why.`, ''];
  }
  if (belief.kind === 'none') return [];
  const { state, kind } = belief;
  const standing = statusOf(state, engine.lockOwner(folder));
  const goal = `"${cut(oneLine(state.goal), MAX_GOAL)}"${doneText(state)}`;
  if (kind === 'foreign')
    return [
      foldToWidth(`A run that was not begun by your agent here: ${goal}`, width),
      `  Look at it: ${agent} adopt`,
      '',
    ];
  switch (standing) {
    case 'paused':
    case 'killed':
      return [foldToWidth(`Paused here: ${goal}`, width), '  Continue: /goal', ''];
    case 'running':
      return [
        foldToWidth(`Running here: ${goal}`, width),
        `  Watch it: ${agent} history --follow`,
        '',
      ];
    case 'undoing':
      return [
        foldToWidth(`An undo was interrupted: ${goal}`, width),
        `  Finish it: ${agent} undo`,
        '',
      ];
    default:
      return [];
  }
}
