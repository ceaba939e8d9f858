/** SHA-256 through Node. */
import { createHash } from 'node:crypto';
import type { Sha256 } from './variant-sku.ts';

export const sha256: Sha256 = (text) => createHash('sha256').update(text).digest('hex');
