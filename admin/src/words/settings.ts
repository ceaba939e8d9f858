import type { Rows } from './index.ts';

export const settingWords: Rows = {};
