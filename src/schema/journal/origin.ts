/** What a person believes of a state that this user's agent did not write. */
import * as z from 'zod';

/** Names a file below `runs/`, so nobody who writes a journal may lead it elsewhere. */
export const RunId = z.string().regex(/^[\w-]{1,64}$/);

/** The MAC that a record carries, 64 hex digits. One of another form holds as little as none. */
export const Mac = z.string().optional();

/**
 * A person took the run over as it stood. What it had been given before, addresses, permissions and the
 * list of tools, counts no more from here on.
 */
export const ADOPTED = z.object({
  type: z.literal('adopted'),
  version: z.string(),
  /** sha256 of all bytes of the journal before this line: the person looked at these and no others. */
  base: z.string(),
  dropped: z.object({ addresses: z.array(z.string()), grants: z.array(z.string()) }),
  mac: Mac,
});
export type Adopted = z.infer<typeof ADOPTED>;

/** Where in the journal a person took the run over last, and what shows that. */
export interface Adoption extends Pick<Adopted, 'base' | 'mac'> {
  readonly offset: number;
}
