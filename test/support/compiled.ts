/** Compiled code of the built program, for starts that have a home of their own: each would compile anew. */
import { resolve } from 'node:path';

/** What `XDG_CACHE_HOME` says to them: what another build has left there is not taken. */
export const COMPILED = resolve('.cache/compiled');
