/** zod itself, for those who have to wait with loading it. */
import * as zod from 'zod';

export const real = zod as unknown as { readonly [name: string]: unknown };
