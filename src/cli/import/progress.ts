/** Shows how far an import is, in products. */
import { showProgress, type Terminal } from '../progress.ts';
import type { Progress } from './run.ts';

export interface ProgressDisplay {
  show(progress: Progress): void;
  /** Leaves the terminal as it was. */
  end(): void;
}

const PRODUCTS_PER_LINE = 50;

export function progressDisplay(stream: Terminal['stderr']): ProgressDisplay {
  const { show, end } = showProgress(stream, 'products', PRODUCTS_PER_LINE);
  return { show: ({ productsDone, productsTotal }) => show(productsDone, productsTotal), end };
}
