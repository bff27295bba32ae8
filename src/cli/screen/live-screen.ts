/** What only a live screen needs, in one piece: loaded when the first request has been sent. */
export { systemLook } from '../../processes/system-look.ts';
export { inForeground } from './foreground.ts';
export { frameOf, treeAbove, wholeTree } from './frame.ts';
export { InputLine } from './input-line.ts';
export { Stage } from './stage.ts';
