import type { Background, BackgroundEnd } from '../schema/journal/background.ts';

/** What the engine says between the questions, under every driver. */
export const checkFailed = (text: string): string => `Not done yet. ${text}`;

export const filesChanged = (paths: readonly string[]): string =>
  `Somebody changed these files since you last saw them: ${paths.join(', ')}. Read a file again before you write it.`;

const WHEN_ENDED: { readonly [how in BackgroundEnd]: string } = {
  exited: 'has ended',
  stopped: 'was ended',
  proof: 'was ended before the proof',
  run: 'was ended when the run paused',
  crash: 'was ended since the run was cut off',
  lost: 'was cut off with the run (it, or what it had started, may still run)',
};

export const backgroundEnded = ({ id, cmd, how }: Background['unreported'][number]): string =>
  `${id} (${cmd}) ${WHEN_ENDED[how]}, and is not started again by itself. Start it again if it is needed.`;

/** Replaces messages whose record on the disk is damaged. */
export const UNREADABLE =
  'A part of this conversation can no longer be read: its record on the disk is damaged. What was done in it may be in the files. Look at them before you go on.';

export const RESULT_UNREADABLE =
  'What this call came to can no longer be read: its record on the disk is damaged. Look at what is there before you call it again.';

/**
 * @param result its first line says how the command ended @param cmd the command that printed the same above
 */
export const sameOutput = (result: string, cmd: string): string =>
  `${result.split('\n', 1)[0]}\n[The same output as of ${cmd} above, to the byte: ${result.length} characters]`;

/** Replies to an answer that was too long, by what was asked for. */
export const CUT_OFF = {
  plan: 'The answer was cut off. Answer with a shorter plan.',
  action: 'Your answer was cut off: it was too long. Answer again, much shorter.',
  content: 'The answer was cut off: it was too long. Write less.',
} as const;

/** @param why what was cut off, and at which limit; the same below */
export const cutBehindCalls = (why: string): string =>
  `${why} The calls that were whole before it were carried out, and their results are above; what came behind them was lost. Go on from there, with a long file in pieces.`;

export const cutInCall = (why: string): string =>
  `${why || 'The answer was cut off.'} Nothing of it was carried out. Answer again in smaller pieces: of a long file write the first part, then add to it.`;

/** @param subtask that is worked on again */
export const doubtMessage = ({ subtask, words }: Doubt): string =>
  `The end is in doubt: ${words}. Mend that where it can be mended, and end ${subtask} again; where it cannot, say so. This is said once.`;

interface Doubt {
  readonly subtask: string;
  readonly words: string;
}

/** @param targets what was refused and is allowed now */
export const permittedMessage = ({
  subtask,
  targets,
}: {
  readonly subtask: string;
  readonly targets: readonly string[];
}): string =>
  `Allowed now: ${targets.join('; ')}. If you still need a call that was refused, make exactly the same call again. The plan stays. Go on with ${subtask}.`;

/** Results of calls that were not carried out, or whose own result is replaced. */
export const NOT_RUN = 'Not run: a call before it did not come to an end.';
export const REPLANNING = 'Noted. The plan is looked at again.';

/** Why a subtask cannot be called complete yet. */
export const GATE = {
  noSubtask: 'No subtask is active.',
  nothingDone: 'Nothing was done yet in this subtask: use a tool first.',
  notSeen: (...files: readonly string[]) =>
    `${files.join(', ')} ${files.length > 1 ? 'were' : 'was'} neither written nor read in this run: do that first, or say as reason why it is not needed.`,
  noFile: (file: string) =>
    `${file} does not exist yet: write it first, or say as reason why it is not needed.`,
  problem: (file: string, problem: string) => `${file}: ${problem}`,
  notRun: (cmd: string) => `The command ${cmd} was not run yet: run it.`,
  endedBadly: (cmd: string, how: string) =>
    `The command ${cmd} ${how}: mend that, and run it again.`,
  refused: (cmd: string) => `The command ${cmd} was refused, so it shows nothing.`,
  endedOtherwise: (cmd: string, how: string) =>
    `The command ${cmd} ${how}: mend that and run it again, or say as reason why it is to end so.`,
  notDone: (id: string) =>
    `Nothing was done for ${id} yet: do it, or say as reason why nothing is left to do.`,
  notChanged: (files: string) =>
    `This run has not changed ${files}: do that first, or say as reason why it stays as it is.`,
  noSuch: (ids: string, open: string) => `There is no open subtask ${ids}. Open are: ${open}.`,
} as const;

/** @param tool the one that was called */
export const refusedCompletion = (reason: string, tool: string): string =>
  `${reason}${/[.!?]$/.test(reason) ? '' : '.'}${andAgain(tool)}`;

export const andAgain = (tool: string): string => ` Then call ${tool} again.`;

export const problemIn = (path: string, problem: string): string =>
  `Problem in ${path}: ${problem}`;

/** @param paths that the goal gives to be read */
export const changedInputText = (cmd: string, paths: readonly string[]): string =>
  `${cmd} was not run here: in a copy of this folder it changed ${paths.join(', ')}, which must stay as it is. Open it only for reading, and write results to another file.`;

/** @param isLeft whether the plan has more to do */
export const completion = (isLeft: boolean): string =>
  JSON.stringify({ status: isLeft ? 'subtask_complete' : 'goal_complete' });

/** @param by the call that the others waited for */
export const notRunFor = ({
  tool,
  status,
}: {
  readonly tool: string;
  readonly status: string;
}): string =>
  status === 'ok' || status === 'error'
    ? `Not run: ${tool} before it was not accepted.`
    : status === 'denied'
      ? `Not run: ${tool} before it was refused.`
      : `Not run: ${tool} before it ended as ${status}.`;

export const PLAN_DONE = 'Not run: the plan came to its end before it.';
export const AFTER_GIVING_UP = 'Not run: the goal was given up before it.';
