import type { LoopEntry, LoopWindow } from '../schema/state.ts';

export const EMPTY_LOOP_WINDOW: LoopWindow = { entries: [], blocked: {} };

export function observe(window: LoopWindow, entry: LoopEntry): LoopWindow {
  return { entries: [...window.entries, entry].slice(-10), blocked: window.blocked };
}

export function blockReason(window: LoopWindow, signature: string): string | null {
  return window.blocked[signature] ?? null;
}
