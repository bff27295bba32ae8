/**
 * `/goal`: a run in the folder of the conversation, shown like any run. The model gets its result. Alone, `/goal`
 * resumes a run that is paused or was killed.
 */
import { modelWords } from '../../host/models/model-spec.ts';
import { filesWritten } from '../../run/stream/changed-files.ts';
import { withheldPaths } from '../../schema/journal/swap.ts';
import type { RunState } from '../../schema/state.ts';
import { runCommand } from '../commands/run.ts';
import type { Sink } from '../process/terminal.ts';
import { oneLine } from '../render/text/text.ts';
import type { SlashPlace } from './slash.ts';

/** The most that the model gets of what the run prints. */
const MAX_CHARS = 4_000;

export async function workOnGoal(goal: string, place: SlashPlace): Promise<void> {
  const { context, session } = place;
  const { invocation, configured, terminal, engine } = context;
  // A run that a kill cut off is neither paused nor ended.
  const goesOn = engine.readRun(invocation.workspace)?.ended === null;
  if (goal === '' && !goesOn) return place.say('Say what should be done: /goal GOAL');
  const said = copying(terminal.stdout);
  const release = place.hold();
  try {
    const as =
      goal === ''
        ? ({ command: 'resume', runNumber: null, model: undefined } as const)
        : ({ command: 'run', goal, ...modelOf(place) } as const);
    await runCommand({
      ...context,
      terminal: { ...terminal, stdout: said.sink },
      invocation: { ...invocation, ...as },
      configured: {
        ...configured,
        begin: { ...configured.begin, ...as },
        goOn: { ...configured.goOn, ...as },
      },
    });
  } finally {
    release();
  }
  const state = engine.readRun(invocation.workspace);
  const number = engine.listRuns(invocation.workspace).find(({ isCurrent }) => isCurrent)?.number;
  if (state?.paused != null) place.say('Continue here: /goal');
  if (state !== null) session().addAside(toldText(state, number ?? null, said.text()), 'run');
}

/** The conversation's model works on the run, unless the person asked for another. */
function modelOf({ context, session }: SlashPlace): { readonly model?: string } {
  if (context.invocation.model !== undefined) return {};
  const { settings } = session().state;
  return settings === null ? {} : { model: modelWords(settings) };
}

function copying(sink: Sink): { readonly sink: Sink; text(): string } {
  let text = '';
  return {
    sink: {
      ...sink,
      write: (piece) => {
        text = (text + piece).slice(-MAX_CHARS);
        sink.write(piece);
      },
    },
    text: () => text,
  };
}

function toldText(state: RunState, number: number | null, said: string): string {
  const { ended, paused, goal } = state;
  const how =
    ended !== null
      ? `ended ${ended.ending}`
      : paused !== null
        ? `is paused (${paused.why}: ${oneLine(paused.detail)})`
        : 'was left';
  const written = filesWritten(state);
  const withheld = [...withheldPaths(state)];
  return [
    `The user let run ${number ?? ''} work on the goal "${oneLine(goal)}", and it ${how}.`,
    written.length === 0 ? 'It wrote no file.' : `It wrote: ${written.slice(0, 50).join(', ')}.`,
    ...(withheld.length === 0
      ? []
      : [
          `Nothing proves its changes, so they are withheld: ${withheld.slice(0, 50).join(', ')} are as they were before it. The user can bring them in.`,
        ]),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are nothing to a model
    said.replace(/\u001b\[[\d;]*m/g, '').trim(),
  ]
    .filter(Boolean)
    .join('\n');
}
