/** Counts and names in the output of commands. */
import { isAttachment } from '../../engine/index.ts';

/** Formats a count with its noun: `1 row`, `12,345 rows`. @param unit in the singular */
export function counted(count: number, unit: string): string {
  return `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`;
}

/** Counts stored files by kind. */
export class FileCounts {
  #images = 0;
  #attachments = 0;

  constructor(names: Iterable<string> = []) {
    for (const name of names) this.add(name);
  }

  add(name: string): void {
    if (isAttachment(name)) this.#attachments += 1;
    else this.#images += 1;
  }

  /** Formats the counts after those of `others`; attachments only if there are any: `3 rows, 2 images and 1 attachment`. */
  counted(...others: readonly string[]): string {
    const counts = [...others, counted(this.#images, 'image')];
    if (this.#attachments > 0) counts.push(counted(this.#attachments, 'attachment'));
    const last = counts.pop()!;
    return counts.length > 0 ? `${counts.join(', ')} and ${last}` : last;
  }
}

/** Names a stored file in a sentence: `image 4f….png`, `attachment 4f…`. */
export function fileNamed(name: string): string {
  return isAttachment(name) ? `attachment ${name.slice(name.indexOf('/') + 1)}` : `image ${name}`;
}
