/** The part of `@temporalio/workflow` that is used: the worker's own SDK bundles the file that imports it. */
declare module '@temporalio/workflow' {
  export class CancellationScope {
    readonly cancelRequested: Promise<never>;
    readonly consideredCancelled: boolean;
    run<Result>(act: () => Promise<Result>): Promise<Result>;
    cancel(): void;
    static current(): CancellationScope;
    static nonCancellable<Result>(act: () => Promise<Result>): Promise<Result>;
  }
  export function allHandlersFinished(): boolean;
  export function condition(holds: () => boolean): Promise<void>;
  /** False: the time ran out first. */
  export function condition(holds: () => boolean, ms: number): Promise<boolean>;
  export function defineSignal(name: string): Definition<[], void>;
  export function defineUpdate<Result, Words extends readonly unknown[]>(
    name: string,
  ): Definition<Words, Result>;
  export function makeContinueAsNewFunc<Input>(options: {
    readonly memo: object;
  }): (input: Input) => Promise<never>;
  export function proxyActivities<Activities>(options: {
    readonly startToCloseTimeout: number;
    readonly scheduleToCloseTimeout?: number;
    readonly heartbeatTimeout?: number;
    readonly cancellationType?: 'WAIT_CANCELLATION_COMPLETED';
    readonly retry: {
      readonly initialInterval: number;
      readonly maximumInterval: number;
      readonly backoffCoefficient: number;
    };
  }): Activities;
  export function setHandler<Words extends readonly unknown[], Result>(
    definition: Definition<Words, Result>,
    handler: (...words: Words) => Result | Promise<Result>,
  ): void;
  export function upsertMemo(memo: object): void;
  export function workflowInfo(): { readonly historyLength: number };

  interface Definition<Words, Result> {
    readonly name: string;
    readonly takes?: (words: Words) => Result;
  }
}
