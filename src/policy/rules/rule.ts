/** Pure types: what a rule says, once it is read. */

export type Effect = 'allow' | 'ask' | 'deny';

/** One word of a command, in which a star stands for any letters of this one word. */
export interface WordPattern {
  readonly text: string;
  matches(word: string): boolean;
}

export interface CommandPattern {
  readonly kind: 'command';
  readonly words: readonly WordPattern[];
  /** True: any further words may follow, and none. */
  readonly rest: boolean;
}

/** Where the pattern of a path begins. */
export type PathRoot = 'workspace' | 'home' | 'root';

/** What is done to a path. Who removes a file edits it as well. */
export type PathDoes = 'read' | 'edit' | 'remove';

export interface PathPattern {
  readonly kind: 'path';
  readonly does: PathDoes;
  readonly root: PathRoot;
  /** As in a .gitignore; `**` for all. */
  readonly glob: string;
}

export interface McpPattern {
  readonly kind: 'mcp';
  readonly server: string;
  /** `null`: all of its tools. */
  readonly tool: string | null;
}

/** A tool of the embedding program. */
export interface OwnPattern {
  readonly kind: 'own';
  readonly tool: string;
}

/** The programs of a folder of the workspace. */
export interface ProgramsPattern {
  readonly kind: 'programs';
  /** `.venv`; `null`: of each. */
  readonly folder: string | null;
}

export interface HostPattern {
  readonly kind: 'host';
  /** With its port, where that is not the usual one; `null`: each. */
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
  /** In the words of this program, whatever words it was given in. */
  readonly text: string;
}

/** What the names in front of a bracket mean: the tools of a run tell it. */
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
