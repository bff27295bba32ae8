/** zod itself, for code that delays loading it. */
import * as zod from 'zod';

export const real = zod as unknown as { readonly [name: string]: unknown };
