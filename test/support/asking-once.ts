import type { ProcessOutcome, Processes, ProcessRequest } from '../../src/processes/contract.ts';

/**
 * What Node said of a text when it was asked whether that parses. Its answer depends on nothing else, and runs
 * of the same files ask it hundreds of times.
 */
const answers = new Map<string, ProcessOutcome>();

const isSyntaxCheck = ({ file, args, stdin }: ProcessRequest): boolean =>
  file === process.execPath && args[0] === '--check' && args.at(-1) === '-' && stdin !== undefined;

/** Starts every program, but Node's check of a text only the first time that this process meets the text. */
export const askingOnce =
  (run: Processes['run']): Processes['run'] =>
  async (request, hooks) => {
    if (!isSyntaxCheck(request)) return run(request, hooks);
    const question = JSON.stringify([request.args, request.stdin]);
    const known = answers.get(question);
    if (known !== undefined) return known;
    const outcome = await run(request, hooks);
    if (outcome.kind === 'exited') answers.set(question, outcome);
    return outcome;
  };
