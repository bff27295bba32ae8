/** What the eval asks for and how it finds out whether it got it. */
import type { Programs } from './programs.ts';

/** What an oracle saw; `why` is for a person who looks at one run. */
export interface Verdict {
  readonly reached: boolean;
  readonly why: string;
}

export interface Evidence {
  /** A copy of the workspace without the agent's own folder; the oracle may spoil it. */
  readonly workspace: string;
  /** What the agent gave as the goal's text result. */
  readonly answer: string | null;
  readonly programs: Programs;
}

export interface Goal {
  readonly name: string;
  /** What the agent is told, word for word. */
  readonly text: string;
  /** Rounds in which the goal has to be reached; more is a limit, not a failure of the oracle. */
  readonly maxRounds: number;
  readonly needs: readonly ('python' | 'pytest')[];
  /** Files that lie in the workspace before the run, by path. */
  readonly given?: { readonly [path: string]: string };
  /** One of the twelve kinds of generated goals; goals that stand fixed have none. */
  readonly kind?: string;
  /** The goal or given tests say what is right, so that a run can know that it got there. */
  readonly statesWhatIsRight?: boolean;
  /** What was done to given files without being asked, "what: path"; looked at before `judge`. */
  harm?(workspace: string): readonly string[];
  judge(evidence: Evidence): Promise<Verdict>;
}

export const reached = (why: string): Verdict => ({ reached: true, why });
export const missed = (why: string): Verdict => ({ reached: false, why });
