/**
 * `purveyor images copy FROM TO`: the pictures of one image store in another, while the store is served. It changes nothing
 * of FROM. Each picture that it copies is read back and held against its name; those that are there are not copied again, so
 * that it can be cut off and run again. Thumbnails stay behind: they are made when somebody asks.
 */
import { existsSync } from 'node:fs';
import { forEachConcurrently, type ImageStore } from '../../engine/index.ts';
import { type Config, imagesSettings } from '../../wiring/config.ts';
import { claimForCopy } from '../../wiring/image-owner.ts';
import { imagesFolder, openImages, unwritable } from '../../wiring/open.ts';
import { counted } from '../backup/format.ts';
import { showProgress } from '../backup/progress.ts';
import { readWhole } from '../backup/whole-image.ts';
import type { Terminal } from '../import/report.ts';

/** Done · nothing, or not all, was done (as every command) · done, but some pictures of FROM are damaged. */
const EXIT_DONE = 0;
const EXIT_DAMAGED = 2;

const IMAGES_PER_LINE = 1000;

interface CopyOptions {
  /** Those that are there are read, too. */
  readonly verify: boolean;
  readonly stop: AbortSignal;
}

export async function copyImages(
  config: Config,
  fromAddress: string,
  toAddress: string,
  { verify, stop }: CopyOptions,
  { stdout, stderr }: Terminal,
): Promise<number> {
  const [fromConfig, toConfig] = [imagesSettings(config, 'FROM', fromAddress), imagesSettings(config, 'TO', toAddress)];
  const folder = imagesFolder(fromConfig);
  if (folder !== undefined && !existsSync(folder)) throw new Error(`There is nothing to copy: there is no ${folder}.`);
  const [from, to] = [await openImages(fromConfig), await openImages(toConfig)];
  const names = await Array.fromAsync(from.list(), ({ name }) => name);
  await to.check().catch((error) => {
    throw unwritable(toConfig, 'TO', error);
  });
  await claimForCopy(from, to, toConfig);
  const progress = showProgress(stderr, 'pictures', IMAGES_PER_LINE);
  const counts = { copied: 0, bytes: 0, there: 0, gone: 0, damaged: 0 };
  let done = 0;
  const copy = async (name: string): Promise<void> => {
    stop.throwIfAborted();
    if (await isThere(from, to, name, verify)) counts.there += 1;
    else await copyOne(name);
    progress.show(++done, names.length);
  };
  const copyOne = async (name: string): Promise<void> => {
    const { bytes, fault } = await readWhole(from, name);
    if (bytes === undefined) {
      // Removed meanwhile, as the store that is served does; or only thumbnails were left.
      if (!(await from.has(name))) counts.gone += 1;
      else {
        counts.damaged += 1;
        stdout.write(`The image ${name} is not copied: ${fault}.\n`);
      }
      return;
    }
    await to.put(name, bytes);
    const written = await readWhole(to, name);
    if (written.fault !== undefined) throw new Error(`TO does not keep the image ${name}: ${written.fault}.`);
    counts.copied += 1;
    counts.bytes += bytes.byteLength;
  };
  await forEachConcurrently(names, copy).finally(progress.end);
  stdout.write(`${summary(counts, verify)}.\n`);
  return counts.damaged === 0 ? EXIT_DONE : EXIT_DAMAGED;
}

async function isThere(from: ImageStore, to: ImageStore, name: string, verify: boolean): Promise<boolean> {
  const size = await to.sizeOf(name);
  if (size === undefined) return false;
  return verify ? (await readWhole(to, name)).fault === undefined : size === (await from.sizeOf(name));
}

interface Counts {
  readonly copied: number;
  readonly bytes: number;
  readonly there: number;
  readonly gone: number;
  readonly damaged: number;
}

function summary({ copied, bytes, there, gone, damaged }: Counts, verify: boolean): string {
  return [
    `Copied ${counted(copied, 'picture')} of ${counted(bytes, 'byte')}`,
    ...(there > 0 ? [`${there.toLocaleString('en')} there already${verify ? ', read whole and sound' : ''}`] : []),
    ...(gone > 0 ? [`${gone.toLocaleString('en')} gone meanwhile`] : []),
    ...(damaged > 0 ? [`${damaged.toLocaleString('en')} damaged, not copied`] : []),
  ].join('; ');
}
