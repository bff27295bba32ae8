/** What may be trusted in a state that this user's agent did not write. */
import * as z from 'zod';
import { recordSchema } from '../record-schema.ts';

/**
 * The id of a run. It becomes a file name below `runs/`, so a journal must not be able to lead it elsewhere.
 */
export const RunId = z.string().regex(/^[\w-]{1,64}$/);

/** The MAC of a record, 64 hex digits. A malformed one counts as missing. */
export const Mac = z.string().optional();

/**
 * A person took over the run as it was. Earlier grants (addresses, permissions and the list of tools) no longer
 * count.
 */
export const ADOPTED = recordSchema('adopted', {
  version: z.string(),
  /** The sha256 of all journal bytes before this line: the person examined exactly these. */
  base: z.string(),
  dropped: z.object({ addresses: z.array(z.string()), grants: z.array(z.string()) }),
  mac: Mac,
});
export type Adopted = z.infer<typeof ADOPTED>;

/** Where in the journal a person last took over the run, and the evidence for it. */
export interface Adoption extends Pick<Adopted, 'base' | 'mac'> {
  readonly offset: number;
}
