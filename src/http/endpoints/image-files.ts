/** Files of `/images/…`: the image itself, or a thumbnail in the client's preferred format (catalog.md §2). */
import {
  type FilePart,
  makeThumbnail,
  type Problem,
  problem,
  type Service,
  type StoredImage,
  shortened,
  THUMBNAIL_WIDTHS,
  thumbnailName,
} from '../../engine/index.ts';
import { negotiate } from '../responses/accept.ts';

const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
};

interface ImageFile {
  readonly name: string;
  readonly etag: string;
  /** Whether its image exists. */
  isKnown(): Promise<boolean>;
  sizeOf(): Promise<number | undefined>;
  open(part?: FilePart): Promise<StoredImage | undefined>;
}

export function imageFile({ images }: Service, name: string): ImageFile {
  return {
    name,
    etag: `"${name.split('.', 1)[0]}"`,
    isKnown: () => images.has(name),
    sizeOf: () => images.sizeOf(name),
    open: (part) => images.open(name, part),
  };
}

/** Creates the thumbnail if it does not exist. */
export function thumbnailFile(
  service: Service,
  originalName: string,
  width: number,
  accept: string | undefined,
): ImageFile {
  const { images } = service;
  const [hash, own] = originalName.split('.') as [string, string];
  const wanted = { originalName, width, extension: formatFor(accept, own) };
  const name = thumbnailName(wanted);
  return {
    name,
    etag: `"${hash}-${width}-${wanted.extension}"`,
    isKnown: () => images.has(originalName),
    sizeOf: async () => (await images.sizeOf(name)) ?? (await makeThumbnail(service, wanted))?.byteLength,
    open: async (part) => (await images.open(name, part)) ?? opened(await makeThumbnail(service, wanted), part),
  };
}

/** @returns undefined if the URL is of the image itself; other parameters are ignored */
export function readWidth(url: string): number | undefined | Problem {
  const [, query = ''] = /\?(.*)$/s.exec(url) ?? [];
  const asked = new URLSearchParams(query).getAll('width');
  if (asked.length === 0) return undefined;
  const width = asked.length === 1 ? THUMBNAIL_WIDTHS.find((each) => String(each) === asked[0]) : undefined;
  if (width !== undefined) return width;
  const possible = THUMBNAIL_WIDTHS.join(', ');
  const detail = `"width" should be one of ${possible}, once; it is "${shortened(asked.join(', '))}".`;
  return problem('invalid-argument', detail);
}

export function typeOf(name: string): string {
  return TYPES[name.slice(name.lastIndexOf('.') + 1)]!;
}

/** AVIF or WebP if `Accept` names it as preferred, otherwise the format of the image. */
function formatFor(accept: string | undefined, own: string): string {
  const type = negotiate(accept, [TYPES[own]!, TYPES.avif!, TYPES.webp!]) ?? TYPES[own];
  return Object.keys(TYPES).find((extension) => TYPES[extension] === type)!;
}

function opened(bytes: Uint8Array | undefined, part?: FilePart): StoredImage | undefined {
  return (
    bytes && {
      sizeBytes: bytes.byteLength,
      async *read() {
        yield part ? bytes.subarray(part.first, part.last + 1) : bytes;
      },
      close: async () => {},
    }
  );
}
