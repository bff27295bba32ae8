import type { Processes, ProcessOutcome, ProcessRequest } from '../../src/processes/contract.ts';

/**
 * What Node said of a text when it was asked whether that parses. Its answer depends on nothing else, and runs
 * of the same files ask it hundreds of times.
 */
const answers = new Map<string, Promise<ProcessOutcome>>();

const isSyntaxCheck = ({ file, args, stdin }: ProcessRequest): boolean =>
  file === process.execPath && args[0] === '--check' && args.at(-1) === '-' && stdin !== undefined;

/** Starts every program, but Node's check of a text only the first time that this process meets the text. */
export const askingOnce =
  (run: Processes['run']): Processes['run'] =>
  async (request, hooks) => {
    if (!isSyntaxCheck(request)) return run(request, hooks);
    const question = JSON.stringify([request.args, request.stdin]);
    const known = await answers.get(question);
    if (known?.kind === 'exited') return known;
    const answer = run(request, hooks);
    answers.set(question, answer);
    return answer;
  };
