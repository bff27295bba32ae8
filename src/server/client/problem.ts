import type { Problem } from '../api/schemas.ts';

/** A refusal, in the words of the server. */
export class ServerProblem extends Error {
  override readonly name = 'ServerProblem';
  constructor(readonly problem: Problem) {
    super(`${problem.detail} ${problem.hint}`.trim());
  }
}

export async function problemIn(response: Response): Promise<Problem> {
  const { status } = response;
  const none = { type: 'about:blank', title: response.statusText, status, code: 'E_UNKNOWN' };
  const read = (await response.json().catch(() => ({}))) as Partial<Problem>;
  return { ...none, detail: `The server answered ${status}.`, hint: '', ...read };
}
