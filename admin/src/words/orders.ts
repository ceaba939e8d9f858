import type { Rows } from './index.ts';

export const orderWords: Rows = {};
