/** Reads the printable page of a record, with the store's logo inside. */
import {
  escapeHtml,
  isProblem,
  makeThumbnail,
  type PrintedImage,
  type Problem,
  print,
  type RequestOptions,
  type Service,
  type Target,
  thumbnailName,
} from '../../engine/index.ts';
import { typeOf } from '../endpoints/image-files.ts';
import { recordTag } from '../responses/entity-tags.ts';
import type { Representation } from '../responses/representations.ts';
import { pageOf } from './printed.ts';

/** Reads the printable page of a record. */
export async function printedRecord(
  service: Service,
  requestOptions: RequestOptions,
  target: Target,
): Promise<Representation | Problem> {
  const found = await print(service, requestOptions, target);
  if (isProblem(found)) return found;
  const { printed, version } = found;
  const page = pageOf(printed, printed.image && (await imageIn(service, printed.image)));
  return { body: page, etag: recordTag(version, page, false) };
}

/** Wider than the logo is printed, for sharp edges. */
const LOGO_WIDTH = 640;

/** Returns the element of an image with the bytes inside; empty if the file no longer exists. */
async function imageIn(service: Service, { file, description }: PrintedImage): Promise<string> {
  const wanted = { originalName: file, width: LOGO_WIDTH, extension: file.slice(file.lastIndexOf('.') + 1) };
  const bytes = (await service.images.get(thumbnailName(wanted))) ?? (await makeThumbnail(service, wanted));
  if (!bytes) return '';
  const data = Buffer.from(bytes).toString('base64');
  return `<img class="logo" alt="${escapeHtml(description)}" src="data:${typeOf(file)};base64,${data}">\n`;
}
