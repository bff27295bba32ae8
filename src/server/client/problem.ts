import { retryAfterMs } from '../../llm/http/retry-after.ts';
import type { Problem } from '../api/schemas.ts';

/** A refusal, in the words of the server. */
export class ServerProblem extends Error {
  override readonly name = 'ServerProblem';
  constructor(
    readonly problem: Problem,
    /** Milliseconds that the server asks to wait before another request; 0: the server names no time. */
    readonly retryAfterMs = 0,
  ) {
    super(`${problem.detail} ${problem.hint}`.trim());
  }
}

export async function readProblem(response: Response): Promise<ServerProblem> {
  const { status } = response;
  const none = { type: 'about:blank', title: response.statusText, status, code: 'E_UNKNOWN' };
  const read = (await response.json().catch(() => ({}))) as Partial<Problem>;
  const problem = { ...none, detail: `The server answered ${status}.`, hint: '', ...read };
  return new ServerProblem(problem, retryAfterIn(response));
}

/** The longest wait that a server may ask for. */
const MAX_ASKED_MS = 10 * 60_000;

export const retryAfterIn = ({ headers }: Pick<Response, 'headers'>): number =>
  Math.min(MAX_ASKED_MS, retryAfterMs((name) => headers.get(name)) ?? 0);
