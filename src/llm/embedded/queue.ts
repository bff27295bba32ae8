/** Passes values from callbacks to one reader. A failure overtakes values that were not read yet. */
export interface Queue<Value> {
  push(value: Value): void;
  fail(error: Error): void;
  /** Rejects with the failure once there is one. One reader at a time. */
  next(): Promise<Value>;
}

export function queue<Value>(): Queue<Value> {
  const values: Value[] = [];
  let failure: Error | null = null;
  let wake: (() => void) | null = null;
  const notify = (): void => {
    wake?.();
    wake = null;
  };
  return {
    push: (value) => {
      values.push(value);
      notify();
    },
    fail: (error) => {
      failure ??= error;
      notify();
    },
    next: async () => {
      for (;;) {
        if (failure !== null) throw failure;
        const value = values.shift();
        if (value !== undefined) return value;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
