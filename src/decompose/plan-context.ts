export interface PlanContext {
  readonly goal: string;
  /** Files named in the prompt's examples; they leak into weak models' plans. */
  readonly exampleFiles: readonly string[];
  /** True for a file that is there already. */
  exists(path: string): boolean;
  /** Why a command would be refused, `null` when it may run. */
  commandFault(cmd: string): string | null;
  /** Number of the first task: a replan goes on counting. */
  readonly firstTask: number;
}
