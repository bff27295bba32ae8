/**
 * Whether programs of the workspace's own folders may be run: those of a virtual environment, of installed
 * packages. Owns what was said yes to in this start.
 * 1. A yes is to a folder exactly as it is: after any change it counts no more.
 * 2. What a package manager changes that was let through keeps a yes, and gives one to the folder that it makes.
 * 3. A rule that holds back outweighs every yes, and nothing but a yes lets a program run.
 */
import { installs } from '../../languages/commands/installs.ts';
import { PROGRAMS } from '../../languages/commands/programs.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
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

/** Where a yes to a folder is kept for further runs. */
export interface ProgramConsents {
  isSaved(offer: FolderOffer): boolean;
  save(offer: FolderOffer): void;
}

/** For who keeps none. */
export const NO_CONSENTS: ProgramConsents = { isSaved: () => false, save: () => {} };

export interface TrustPorts {
  /** Absolute real path. */
  readonly workspace: string;
  readonly fs: FileSystem;
  readonly consents: ProgramConsents;
  layers(): Layers;
  readonly isYes: boolean;
  /** What this user answered to a folder, by its stamp. */
  answerTo(stamp: string): boolean | null;
  record(record: RecordOf<'approval_given'>): unknown;
}

export class FolderTrust {
  readonly #ports: TrustPorts;
  readonly #folders: readonly FoundFolder[];
  /** Stamps, by the roots of folders. */
  readonly #agreed = new Map<string, string>();

  readonly #leftOut = new Set<string>();

  constructor(ports: TrustPorts) {
    const { workspace, fs } = ports;
    this.#ports = ports;
    this.#folders = programFolders({ workspace, fs, known: PROGRAMS });
  }

  /** As processes are told of them; each is looked at anew whenever it is asked. */
  get trusted(): readonly TrustedFolder[] {
    return this.#folders.map((one) => ({
      ...{ folder: one.folder, variables: one.variables },
      serves: (name) => one.offers(name) && this.#mayUse(one),
      leftOut: (name) =>
        one.offers(name) && !this.#mayUse(one)
          ? `${name} is that of PATH: nobody has allowed the programs of ${one.root}`
          : '',
      // A folder that holds other names, too, would put these before PATH.
      isForChildren: () => this.#wasAllowed(one) && this.#mayUse(one) && !one.holdsOthers(),
    }));
  }

  /**
   * The folder that has a program of this name and may not be used; `null`: there is none.
   * @param runBy `another`: a package manager would run it
   */
  lacking(name: string, runBy: 'itself' | 'another' = 'itself'): FolderOffer | null {
    const has = this.#folders.find((one) =>
      runBy === 'another' ? one.offersToOthers(name) : one.offers(name),
    );
    return has === undefined || this.#mayUse(has) ? null : has.offer();
  }

  /** Whether somebody could still say yes to it. */
  isUnanswered({ root, stamp }: FolderOffer): boolean {
    return this.#ruledOn(root) === null && this.#ports.answerTo(stamp) === null;
  }

  /** Notes that its programs are left out. @returns true the first time */
  noteLeftOut({ stamp }: FolderOffer): boolean {
    const isNew = !this.#leftOut.has(stamp);
    this.#leftOut.add(stamp);
    return isNew;
  }

  /** Those in use. */
  inUse(): readonly FolderOffer[] {
    return this.#folders.flatMap((one) => (this.#mayUse(one) ? (one.offer() ?? []) : []));
  }

  /**
   * A package manager may change what was agreed to, and make what is not there.
   * @param isConfined true for what runs in a sandbox: nobody let that change anything
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
    const given = { type: 'approval_given', allowed: true, why, scope: 'call' } as const;
    this.#ports.record({ ...given, id: now.stamp, by: 'engine' });
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

  /** Fast enough for every command. */
  #wasAllowed({ root }: FoundFolder): boolean {
    return this.#ruledOn(root) ?? this.#agreed.has(root);
  }

  /** `null`: no rule says anything. */
  #ruledOn(root: string): boolean | null {
    const { project, user } = this.#ports.layers();
    const isAbout = isAboutPrograms(root);
    if ([...project.deny, ...user.deny, ...project.ask].some(isAbout)) return false;
    if (this.#ports.isYes) return true;
    return user.allow.some(isAbout) && !user.ask.some(isAbout) ? true : null;
  }
}

const MOST_NAMED = 12;

/** `.venv (pip, pytest, python)` */
export function formatFolder({ root, names }: Pick<FolderOffer, 'root' | 'names'>): string {
  const more = names.length - MOST_NAMED;
  return `${root} (${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''})`;
}

/** Said at every start; `null`: none is used. */
export function usedFolders(folders: Pick<FolderTrust, 'inUse'>): string | null {
  const inUse = folders.inUse().map(formatFolder);
  return inUse.length === 0 ? null : `Programs of this folder: ${inUse.join('; ')}.`;
}
