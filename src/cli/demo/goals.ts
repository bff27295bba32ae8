/** Pure data: the goals of the demo. The recordings are beside the program, in `demo/`. */
export interface DemoGoal {
  readonly goal: string;
  readonly recording: string;
  /** When to kill: after the n-th such record of the journal. */
  readonly killAfter: {
    readonly type: 'action_finished' | 'turn_finished';
    readonly count: number;
  };
  /** The recording to play if a program that the recorded requests name is not installed. */
  readonly instead?: { readonly without: string; readonly recording: string };
  /** The program that the goal runs. */
  readonly needs: string;
}

export const JAVASCRIPT_GOAL: DemoGoal = {
  goal: 'Write hello.js: node hello.js prints "Hello, world"',
  recording: 'javascript.json',
  killAfter: { type: 'action_finished', count: 1 },
  needs: 'node',
};

export const PYTHON_GOAL: DemoGoal = {
  goal: 'Write hello.py: python hello.py prints "Hello, world"',
  recording: 'python.json',
  killAfter: { type: 'action_finished', count: 1 },
  needs: 'python',
  instead: { without: 'pytest', recording: 'python-unittest.json' },
};
