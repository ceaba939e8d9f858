import type { Rows } from './index.ts';

export const categoryWords: Rows = {};
