import { TardigradeError } from '../lib/errors.ts';

export const notThere = (address: string, cause: unknown): TardigradeError =>
  new TardigradeError(
    'E_PROVIDER',
    `No fleet engine answers at ${address}.`,
    'Start it, or give its address; docs/fleet.md says how.',
    { cause },
  );
