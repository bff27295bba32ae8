/** The types of parsed rules. Pure types. */

export type Effect = 'allow' | 'ask' | 'deny';

/** One word of a command, in which `*` matches any characters of that word. */
export interface WordPattern {
  readonly text: string;
  matches(word: string): boolean;
}

export interface CommandPattern {
  readonly kind: 'command';
  readonly words: readonly WordPattern[];
  /** True: any further words may follow, or none. */
  readonly rest: boolean;
}

export type PathRoot = 'workspace' | 'home' | 'root';

/** What is done to a path. Removing a file also edits it. */
export type PathDoes = 'read' | 'edit' | 'remove';

export interface PathPattern {
  readonly kind: 'path';
  readonly does: PathDoes;
  readonly root: PathRoot;
  /** As in a .gitignore; `**` matches everything. */
  readonly glob: string;
}

export interface McpPattern {
  readonly kind: 'mcp';
  readonly server: string;
  /** `null`: all tools of the server. */
  readonly tool: string | null;
}

/** A tool of the embedding program. */
export interface OwnPattern {
  readonly kind: 'own';
  readonly tool: string;
}

/** The programs of a folder in the workspace. */
export interface ProgramsPattern {
  readonly kind: 'programs';
  /** For instance `.venv`; `null`: every folder. */
  readonly folder: string | null;
}

export interface HostPattern {
  readonly kind: 'host';
  /** With its port unless it is the default one; `null`: every host. */
  readonly host: string | null;
}

export type Pattern =
  | CommandPattern
  | PathPattern
  | McpPattern
  | OwnPattern
  | ProgramsPattern
  | HostPattern;

export interface Rule {
  readonly pattern: Pattern;
  /** The rule in this program's form, however it was written. */
  readonly text: string;
}

/** The meaning of names in front of brackets, as the tools of a run define them. */
export type RuleWords = ReadonlyMap<string, 'command' | 'read' | 'edit'>;

const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;

export const strictest = (effects: readonly Effect[]): Effect =>
  effects.reduce<Effect>(
    (one, other) => (STRICTNESS[other] > STRICTNESS[one] ? other : one),
    'allow',
  );

export const isAboutPrograms =
  (folder: string) =>
  ({ pattern }: Rule): boolean =>
    pattern.kind === 'programs' && (pattern.folder === null || pattern.folder === folder);
