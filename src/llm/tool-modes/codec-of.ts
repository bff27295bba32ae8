import type { ToolMode } from '../../schema/records.ts';
import { jsonMode } from './json.ts';
import { nativeMode } from './native.ts';
import type { ToolModeCodec } from './tool-mode.ts';

export const codecOf = (mode: ToolMode): ToolModeCodec =>
  mode === 'native' ? nativeMode : jsonMode;
