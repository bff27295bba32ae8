/** Asks how the model reads the goal. The examples show that only what a part itself states counts. */

const FORM = `Read a goal; nothing is planned yet. asks_for: question where only an answer is wanted, else work. examples: only what a part itself states, copied word for word: what is called, run as a command or typed, and what comes out. keep: files that must stay as they are. tests: the part that asks for tests, else 0.
GOAL:
1 Write half with tests.
2 half(8) gives 4.
3 Do not change old.txt.
{"asks_for":"work","examples":[{"goal_part":2,"how":"call","input":"half(8)","result":"4"}],"keep":[{"goal_part":3,"path":"old.txt"}],"tests":1}
GOAL:
1 How many rows are in list.csv?
{"asks_for":"question","examples":[],"keep":[],"tests":0}
GOAL:
1 Make a tool that says it loud: \`shout hi there\` prints "HI THERE".
{"asks_for":"work","examples":[{"goal_part":1,"how":"command","input":"shout hi there","result":"HI THERE"}],"keep":[],"tests":0}
GOAL:`;

export const briefQuestion = (parts: readonly string[]): string =>
  [FORM, ...parts.map((part, index) => `${index + 1} ${part}`)].join('\n');
