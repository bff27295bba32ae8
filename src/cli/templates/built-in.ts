/** The built-in templates, in the format of a user's own. */

const FIX_TEST = `---
description: Make a failing test pass
variables: proof
proof: the command that fails now and passes then
---
# Plan

## Mend what the failing test shows

- Find out why {{proof}} fails and change the code, not the test, until it passes
  - done when: {{proof}} passes

# Proof

- {{proof}}
`;

const ADD_FUNCTION = `---
description: Add a function that an example describes
variables: file, proof, prints
file: the file that it goes into
proof: a command that calls it
prints: what that command prints then
---
# Plan

## Add the function

- Write the function that the goal describes, and keep all else that the file holds
  - does: write_file {{file}}

# Proof

- {{proof}}
  - prints: {{prints}}
`;

const QUESTION = `---
description: Answer a question about the folder
wants: answer
---
# Plan

## Answer the question

- Look at the files that matter for the question, then answer it and name them
`;

const BUILT_IN: { readonly [name: string]: string } = {
  'add-function': ADD_FUNCTION,
  'fix-test': FIX_TEST,
  question: QUESTION,
};

export const BUILT_IN_NAMES = Object.keys(BUILT_IN);

export const builtIns = (): readonly (readonly [name: string, definition: string])[] =>
  Object.entries(BUILT_IN);
