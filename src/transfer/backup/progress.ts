/** Progress display of backups and restores. */
import { measuredDisplay } from '../import/progress.ts';
import type { Terminal } from '../import/report.ts';

interface Progress {
  show(done: number, total: number): void;
  /** Restores the terminal. */
  end(): void;
}

/** @param unit plural noun @param unitsPerLine how often a line is written if the output is not a terminal */
export function showProgress(stream: Terminal['stderr'], unit: string, unitsPerLine: number): Progress {
  const { show, end } = measuredDisplay<{ done: number; total: number }>(stream, {
    done: ({ done }) => done,
    total: ({ total }) => total,
    bar: `{bar} {value} of {total} ${unit}, {eta_formatted} left`,
    line: ({ done, total }) =>
      done % unitsPerLine === 0 || done === total ? `${done} of ${total} ${unit}` : undefined,
  });
  return { show: (done, total) => show({ done, total }), end };
}
