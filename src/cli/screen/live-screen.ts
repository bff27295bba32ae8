/** The code that only a live screen needs, as one bundle: loaded when the first request has been sent. */
export { operatingSystem } from '../../processes/operating-system.ts';
export { inForeground } from './foreground.ts';
export { frameOf, treeAbove, wholeTree } from './frame.ts';
export { InputLine } from './input-line.ts';
export { ScreenStage } from './stage.ts';
