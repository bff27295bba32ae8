/** The models that plan and work: two of the candidates, by their names in a journal. */
import { misuse } from '../../lib/errors.ts';
import type { Candidate } from './candidate.ts';

export interface ModelRoles {
  readonly plan: string;
  readonly work: string;
}

export const roleName = ({ provider, model }: Pick<Candidate, 'provider' | 'model'>): string =>
  `${provider.name}/${model}`;

/** Index among the candidates; -1 if it is not there. */
export const candidateIndex = (name: string, candidates: readonly Candidate[]): number =>
  candidates.findIndex((one) => roleName(one) === name);

/** `null` if one model does both. Throws E_USAGE for a name that no candidate has. */
export function rolesAmong(
  { plan, work }: Partial<ModelRoles>,
  candidates: readonly Candidate[],
): ModelRoles | null {
  const [first] = candidates;
  if (plan === undefined || first === undefined) return null;
  const roles = { plan, work: work ?? roleName(first) };
  for (const name of Object.values(roles))
    if (candidateIndex(name, candidates) < 0)
      throw misuse(
        `No model of this run is called ${name}.`,
        'Name it as PROVIDER/NAME, as one of the models that can be asked.',
      );
  return roles.plan === roles.work ? null : roles;
}
