/**
 * Decides whether programs in the workspace's own folders may run, such as those of a virtual environment or of
 * installed packages. Owns the consent given in this start.
 * 1. Consent applies to a folder exactly as it is; any change revokes it.
 * 2. Changes by a permitted package manager keep consent, and a folder that it creates gets consent.
 * 3. A rule that denies outweighs all consent, and without consent no program runs.
 */

import { installs } from '../../languages/commands/installs.ts';
import { PROGRAMS } from '../../languages/commands/programs.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { firstOf } from '../../lib/text/shortened.ts';
import type { Layers } from '../../policy/layers.ts';
import { isAboutPrograms } from '../../policy/rules/rule.ts';
import type { Processes, ProcessRequest } from '../../processes/contract.ts';
import {
  type FolderOffer,
  type FoundFolder,
  programFolders,
} from '../../processes/programs/folder-programs.ts';
import type { TrustedFolder } from '../../processes/programs/locate.ts';
import type { RecordOf } from '../../schema/records.ts';

/** Where consent to a folder is kept for later runs. */
export interface ProgramConsents {
  isSaved(offer: FolderOffer): boolean;
  save(offer: FolderOffer): void;
}

/** For callers that keep no consent. */
export const NO_CONSENTS: ProgramConsents = { isSaved: () => false, save: () => {} };

export interface TrustPorts {
  /** Absolute real path. */
  readonly workspace: string;
  readonly fs: FileSystem;
  readonly consents: ProgramConsents;
  layers(): Layers;
  readonly isYes: boolean;
  /** This user's answer about a folder, by the folder's stamp. */
  answerTo(stamp: string): boolean | null;
  record(record: RecordOf<'approval_given'>): unknown;
}

export class FolderTrust {
  readonly #ports: TrustPorts;
  readonly #folders: readonly FoundFolder[];
  /** Stamps by folder root. */
  readonly #agreed = new Map<string, string>();

  readonly #leftOut = new Set<string>();

  constructor(ports: TrustPorts) {
    const { workspace, fs } = ports;
    this.#ports = ports;
    this.#folders = programFolders({ workspace, fs, known: PROGRAMS });
  }

  /** The folders as processes receive them; each is checked again whenever it is used. */
  get trusted(): readonly TrustedFolder[] {
    return this.#folders.map((one) => ({
      folder: one.folder,
      variables: one.variables,
      serves: (name) => one.offers(name) && this.#mayUse(one),
      leftOut: (name) =>
        one.offers(name) && !this.#mayUse(one)
          ? `${name} is that of PATH: nobody has allowed the programs of ${one.root}`
          : '',
      // A folder with other names as well would put those before PATH.
      isForChildren: () => this.#wasAllowed(one) && this.#mayUse(one) && !one.holdsOthers(),
    }));
  }

  /**
   * The folder that has this program but may not be used; `null`: none.
   * @param runBy `another`: a package manager would run it
   */
  lacking(name: string, runBy: 'itself' | 'another' = 'itself'): FolderOffer | null {
    const has = this.#folders.find((one) =>
      runBy === 'another' ? one.offersToOthers(name) : one.offers(name),
    );
    return has === undefined || this.#mayUse(has) ? null : has.offer();
  }

  /** True when someone could still consent to the folder. */
  isUnanswered({ root, stamp }: FolderOffer): boolean {
    return this.#ruledOn(root) === null && this.#ports.answerTo(stamp) === null;
  }

  /** Notes that the folder's programs are left out. @returns true the first time */
  noteLeftOut({ stamp }: FolderOffer): boolean {
    const isNew = !this.#leftOut.has(stamp);
    this.#leftOut.add(stamp);
    return isNew;
  }

  inUse(): readonly FolderOffer[] {
    return this.#folders.flatMap((one) => (this.#mayUse(one) ? (one.offer() ?? []) : []));
  }

  /**
   * Renews consent after a permitted package manager changed or created a folder.
   * @param isConfined true for a sandboxed command, which nobody permitted to change folders
   */
  around(
    run: Processes['run'],
    isConfined: (request: ProcessRequest) => boolean,
  ): Processes['run'] {
    return async (request, hooks) => {
      if (isConfined(request) || !installs(request, this.#ports.fs.platform))
        return run(request, hooks);
      const before = this.#folders.filter((one) => one.offer() === null || this.#mayUse(one));
      const outcome = await run(request, hooks);
      for (const one of before) this.#renew(one);
      return outcome;
    };
  }

  #renew({ root, offer }: FoundFolder): void {
    const now = offer();
    if (now === null || this.#ruledOn(root) !== null || this.#isAgreed(now)) return;
    const why = 'a package manager that was allowed left it so';
    const approval = { type: 'approval_given', allowed: true, why, scope: 'call' } as const;
    this.#ports.record({ ...approval, id: now.stamp, by: 'engine' });
    this.#agree(now);
  }

  #mayUse({ root, offer }: FoundFolder): boolean {
    const ruled = this.#ruledOn(root);
    if (ruled !== null) return ruled;
    const now = offer();
    return now !== null && this.#isAgreed(now);
  }

  #isAgreed(offer: FolderOffer): boolean {
    if (this.#agreed.get(offer.root) === offer.stamp) return true;
    const answer = this.#ports.answerTo(offer.stamp);
    if (answer === false || !(answer || this.#ports.consents.isSaved(offer))) return false;
    this.#agree(offer);
    return true;
  }

  #agree(offer: FolderOffer): void {
    this.#agreed.set(offer.root, offer.stamp);
    if (!this.#ports.consents.isSaved(offer)) this.#ports.consents.save(offer);
  }

  /** Checks only what is known, so that it is fast enough for every command. */
  #wasAllowed({ root }: FoundFolder): boolean {
    return this.#ruledOn(root) ?? this.#agreed.has(root);
  }

  /** `null`: no rule decides. */
  #ruledOn(root: string): boolean | null {
    const { project, user } = this.#ports.layers();
    const isAbout = isAboutPrograms(root);
    if ([...project.deny, ...user.deny, ...project.ask].some(isAbout)) return false;
    if (this.#ports.isYes) return true;
    return user.allow.some(isAbout) && !user.ask.some(isAbout) ? true : null;
  }
}

const MAX_NAMED = 12;

/** `.venv (pip, pytest, python)` */
export const formatFolder = ({ root, names }: Pick<FolderOffer, 'root' | 'names'>): string =>
  `${root} (${firstOf(names, MAX_NAMED)})`;

/** Reported at every start; `null`: no folder is used. */
export function usedFolders(folders: Pick<FolderTrust, 'inUse'>): string | null {
  const inUse = folders.inUse().map(formatFolder);
  return inUse.length === 0 ? null : `Programs of this folder: ${inUse.join('; ')}.`;
}
