/** Lets other programs of the user follow the library's work, only if a call says so. */
import { misuse, type TardigradeError } from '../../lib/errors.ts';
import type { Machine } from '../../run/machine.ts';
import { livePlaceOf } from '../live/live-place.ts';
import type { LiveParts } from '../live/live-work.ts';
import { dataFolderOf } from '../user/user-folders.ts';

export interface LiveOption {
  /**
   * `true`: other processes of this user can follow, answer and message it, as `agent attach` does; both sides prove
   * that they have the `originKey`, which must exist. `env`, such as `process.env`, locates the user's folders; without
   * it they are in their usual places. Left out: nothing listens.
   */
  readonly live?: boolean | { readonly env: { readonly [name: string]: string | undefined } };
}

/** `null`: nobody may follow. Throws E_USAGE without a key. */
export function liveIn(
  live: LiveOption['live'],
  originKey: Uint8Array | null | undefined,
  machine: Machine,
): Pick<LiveParts, 'place' | 'originKey' | 'clock'> | null {
  if (live === undefined || live === false) return null;
  if (live !== true && typeof live?.env !== 'object') throw wrong();
  if (!originKey)
    throw misuse(
      'A run cannot be followed without a key: both sides prove with it that they are the same user.',
      'Give originKey, or leave live out.',
    );
  const env = live === true ? {} : live.env;
  const { clock, fs } = machine;
  const place = livePlaceOf(machine, dataFolderOf({ env, platform: fs.platform }), env);
  return { place, originKey, clock };
}

const wrong = (): TardigradeError =>
  misuse('live must be true, false or { env }.', 'See docs/library.md for each option.');
