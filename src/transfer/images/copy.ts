/**
 * `purveyor images copy FROM TO`: copies image files from one image store to another while servers are running. FROM is not
 * changed. Each copied file is read back and verified. Files that TO already has are skipped, so an interrupted copy can be
 * run again. Thumbnails are not copied: they are generated on demand.
 */
import { existsSync } from 'node:fs';
import { forEachConcurrently, type ImageStore } from '../../engine/index.ts';
import { imagesSettings } from '../../wiring/config.ts';
import { claimForCopy } from '../../wiring/image-owner.ts';
import { imagesFolder, openImages, unwritable } from '../../wiring/open.ts';
import type { Config } from '../../wiring/settings/index.ts';
import { counted, FileCounts, fileNamed } from '../backup/format.ts';
import { showProgress } from '../backup/progress.ts';
import { readVerified } from '../backup/verified-image.ts';
import type { Terminal } from '../import/report.ts';

/** Exit codes; 1 (failed or incomplete) is the same for every command. 2: done, but some images of FROM are damaged. */
const EXIT_DONE = 0;
const EXIT_DAMAGED = 2;

const IMAGES_PER_LINE = 1000;

interface CopyOptions {
  /** Also read and verify the files that TO already has. */
  readonly verify: boolean;
  readonly stop: AbortSignal;
}

/** @returns the exit code */
export async function copyImages(
  config: Config,
  fromAddress: string,
  toAddress: string,
  { verify, stop }: CopyOptions,
  { stdout, stderr }: Terminal,
): Promise<number> {
  const [fromConfig, toConfig] = [imagesSettings(config, 'FROM', fromAddress), imagesSettings(config, 'TO', toAddress)];
  const folder = imagesFolder(fromConfig);
  if (folder !== undefined && !existsSync(folder))
    throw new Error(`The image folder ${folder} does not exist. Give the image store to copy from.`);
  const [from, to] = [await openImages(fromConfig), await openImages(toConfig)];
  const names = await Array.fromAsync(from.list(), ({ name }) => name);
  await to.check().catch((error) => {
    throw unwritable(toConfig, 'TO', error);
  });
  await claimForCopy(from, to, toConfig);
  const progress = showProgress(stderr, 'images', IMAGES_PER_LINE);
  const counts = { copied: new FileCounts(), bytes: 0, existing: 0, removed: 0, damaged: 0 };
  let done = 0;
  const copy = async (name: string): Promise<void> => {
    stop.throwIfAborted();
    if (await isCopied(from, to, name, verify)) counts.existing += 1;
    else await copyOne(name);
    progress.show(++done, names.length);
  };
  const copyOne = async (name: string): Promise<void> => {
    const { bytes, fault } = await readVerified(from, name);
    if (bytes === undefined) {
      // Removed by a running server in the meantime, or only thumbnails were left.
      if (!(await from.has(name))) counts.removed += 1;
      else {
        counts.damaged += 1;
        stdout.write(`The ${fileNamed(name)} is not copied: ${fault}.\n`);
      }
      return;
    }
    await to.put(name, bytes);
    const written = await readVerified(to, name);
    if (written.fault !== undefined)
      throw new Error(
        `TO did not store the ${fileNamed(name)}: ${written.fault}. Check the storage of TO, then copy again.`,
      );
    counts.copied.add(name);
    counts.bytes += bytes.byteLength;
  };
  await forEachConcurrently(names, copy).finally(progress.end);
  stdout.write(`${summary(counts, verify)}.\n`);
  return counts.damaged === 0 ? EXIT_DONE : EXIT_DAMAGED;
}

async function isCopied(from: ImageStore, to: ImageStore, name: string, verify: boolean): Promise<boolean> {
  const size = await to.sizeOf(name);
  if (size === undefined) return false;
  return verify ? (await readVerified(to, name)).fault === undefined : size === (await from.sizeOf(name));
}

interface Counts {
  readonly copied: FileCounts;
  readonly bytes: number;
  readonly existing: number;
  readonly removed: number;
  readonly damaged: number;
}

function summary({ copied, bytes, existing, removed, damaged }: Counts, verify: boolean): string {
  return [
    `Copied ${copied.counted()} (${counted(bytes, 'byte')})`,
    ...(existing > 0 ? [`${existing.toLocaleString('en')} already copied${verify ? ' and verified' : ''}`] : []),
    ...(removed > 0 ? [`${removed.toLocaleString('en')} removed from FROM during the copy`] : []),
    ...(damaged > 0 ? [`${damaged.toLocaleString('en')} damaged, not copied`] : []),
  ].join('; ');
}
