import type { Said } from './answer.ts';

export type Row = readonly [
  said: Said,
  became: string,
  more?: {
    /** Where win32 ends differently. */
    readonly win?: string;
    readonly says?: RegExp;
    /** Files of the workspace that are made or changed, and no others; by default none is asked. */
    readonly makes?: { readonly [path: string]: string };
  },
];

/** One call, its arguments as a decent server writes them. */
export const called = (name: string, args: unknown): Said => ({
  calls: [[name, JSON.stringify(args)]],
});

/** One call with its arguments as they stand. */
export const raw = (name: string, args: string): Said => ({ calls: [[name, args]] });
