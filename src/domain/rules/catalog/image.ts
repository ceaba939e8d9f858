/**
 * Images that clients send as base64 or as a URL to download (catalog.md §2): the fields and rules of every resource with an
 * image.
 */

import {
  type DecodedImage,
  type Draft,
  type Field,
  type FieldOptions,
  type FileRejection,
  file,
  type Group,
  integer,
  messages,
  object,
  type Preparation,
  type Problem,
  problem,
  type Resource,
  type Rules,
  text,
  type Value,
  Violations,
} from '../../../engine/vocabulary.ts';

/** Images of one product. */
export const IMAGES_MAX = 250;

const READ_ONLY: readonly Group[] = ['all', 'read'];
const INPUT_ONLY: readonly Group[] = ['all', 'insert', 'update'];

/** A valid one-pixel image, so that the reference's example request works as it is. */
const PIXEL_PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';

export function imageFields(): Record<string, Field> {
  return {
    alt: text({
      synonyms: ['alttext', 'caption'],
      lengthMax: 255,
      description: 'Alternative text for people who cannot see the image.',
      example: 'A red T-shirt from the front',
    }),
    url: file({
      description:
        'Public URL of the file. It changes whenever the file changes. Add `?width=160`, `320`, `640` or `1280` for a thumbnail.',
    }),
    width: integer({ groups: READ_ONLY, description: 'Width in pixels.', example: 1 }),
    height: integer({ groups: READ_ONLY, description: 'Height in pixels.', example: 1 }),
    externalUrl: text({
      synonyms: ['src', 'imageurl', 'url'],
      groups: INPUT_ONLY,
      transient: true,
      description: 'HTTP or HTTPS URL of an image file that the store downloads.',
    }),
    attachment: text({
      synonyms: ['base64', 'data'],
      groups: INPUT_ONLY,
      transient: true,
      description: 'Image file, base64-encoded, or a `data:` URL with base64.',
      example: PIXEL_PNG,
    }),
    filename: text({
      groups: INPUT_ONLY,
      transient: true,
      description: 'Name of the attached file, with the extension of an image format.',
      example: 'pixel.png',
    }),
  };
}

export const imageUpload: NonNullable<Resource['upload']> = {
  part: 'file',
  insteadOf: ['externalUrl', 'attachment', 'filename'],
  description: 'Image file. Its name must have the extension of an image format.',
};

/** The fields that a record shows of its image. */
export const IMAGE_SHOWN: readonly string[] = ['alt', 'url', 'width', 'height'];

export const imageRules: Rules = {
  prepare: prepareImage,
  derive({ file: prepared, values }) {
    if (prepared) Object.assign(values, { url: prepared.name }, prepared.properties);
  },
};

/** The single image of a record, as an object inside it. */
export function embeddedImage(options: Pick<FieldOptions, 'description'>): Field {
  return object(imageFields(), { ...options, nullable: true, preservedOnReplace: true });
}

/** Prepares an `embeddedImage`, by the name of its field. null removes the image, a new source replaces it. */
export function prepareEmbeddedImage(field: string): NonNullable<Rules['prepare']> {
  return async (preparation) => {
    const sent = preparation.sent[field] as Readonly<Record<string, Value>> | null | undefined;
    if (!sent) return undefined;
    const violations = new Violations();
    const mentioned = new Set(Object.keys(sent));
    const result = await prepareImage({ ...preparation, sent, mentioned, violations, form: undefined });
    preparation.violations.addAll(violations, field);
    return result;
  };
}

/** Sets the stored image: the new file, or the existing one with a new `alt`. */
export function deriveEmbeddedImage<F extends string>(
  { operation, file: prepared, sent, values, stored, violations }: Draft<F>,
  field: F,
): void {
  const given: Partial<Record<string, Value>> = values;
  const image = given[field] as Readonly<Record<string, Value>> | null | undefined;
  if (!image) return;
  const before = ((stored as Partial<Record<string, Value>> | undefined)?.[field] ?? undefined) as
    | Readonly<Record<string, Value>>
    | undefined;
  if (prepared) given[field] = { ...image, url: prepared.name, ...prepared.properties };
  else if (before) given[field] = { ...before, alt: image.alt! };
  // `prepareImage` has already reported an invalid source, and on creation a missing one.
  else if (operation !== 'create' && !namesSource((sent as Partial<Record<string, Value>>)[field]))
    violations.add(`${field}.attachment`, 'required', NO_SOURCE);
}

function namesSource(sent: Value | undefined): boolean {
  return typeof sent === 'object' && sent !== null && INPUTS.some((name) => (sent as Record<string, Value>)[name]);
}

export const NOT_BASE64 = 'The value must be base64 (RFC 4648). White space is ignored.';

const NO_SOURCE = 'An image is required. Send attachment with filename, or externalUrl.';

const ACCEPTED = 'JPEG, PNG, GIF, WebP and AVIF';
/** Accepted file name extensions. The format is detected from the content. */
const EXTENSION = /\.(jpe?g|jpe|jfif|pjpeg|pjp|png|gif|webp|avif|bmp|svg|tiff?|ico|heic|heif)$/i;

/** The fields that name the source of an image. */
const INPUTS = ['externalUrl', 'attachment', 'filename'];

async function prepareImage({
  operation,
  sent,
  mentioned,
  violations,
  imageDecoder,
  form,
}: Preparation): ReturnType<NonNullable<Rules['prepare']>> {
  if (form?.upload) {
    checkFilename(form.upload.filename, 'file', violations);
    if (violations.list.length > 0) return undefined;
    return accept(await imageDecoder.fromBytes(form.upload.bytes), 'file', violations);
  }
  if (form) {
    if (operation === 'create') violations.add('file', 'required', 'Send the image as the form field “file”.');
    return undefined;
  }
  // A source of the wrong type is already reported as a violation.
  if (INPUTS.some((name) => mentioned.has(name) && sent[name] === undefined)) return undefined;
  const externalUrl = (sent.externalUrl as string | undefined) || undefined;
  const attachment = (sent.attachment as string | undefined) || undefined;
  const filename = (sent.filename as string | undefined) || undefined;
  if (externalUrl !== undefined && attachment !== undefined) {
    violations.add('externalUrl', 'conflict', 'Send either externalUrl or attachment, not both.');
    return undefined;
  }
  if (attachment !== undefined) {
    const bytes = readAttachment(attachment);
    if (typeof bytes === 'string') violations.add('attachment', 'format', bytes);
    checkFilename(filename, 'filename', violations);
    if (typeof bytes === 'string' || violations.list.length > 0) return undefined;
    return accept(await imageDecoder.fromBytes(bytes), 'attachment', violations);
  }
  if (externalUrl !== undefined) return accept(await imageDecoder.fromAddress(externalUrl), 'externalUrl', violations);
  if (operation === 'create') violations.add('attachment', 'required', NO_SOURCE);
  return undefined;
}

function accept(
  result: DecodedImage | FileRejection,
  field: 'attachment' | 'externalUrl' | 'file',
  violations: Preparation['violations'],
): Awaited<ReturnType<NonNullable<Rules['prepare']>>> {
  if ('refused' in result) return rejectFile(result, field, field === 'externalUrl', violations);
  const { name, bytes, width, height } = result;
  return { name, bytes, properties: { width, height } };
}

/** Reports why a file is not acceptable: at its source, or as a problem of the whole request if the client sent too much. */
export function rejectFile(
  { refused, message }: FileRejection,
  field: string,
  isDownload: boolean,
  violations: Preparation['violations'],
): Problem | undefined {
  if (refused === 'too_large' && !isDownload) return problem('content-too-large', message);
  violations.add(field, refused === 'download' ? 'download' : 'file', message);
  return undefined;
}

function checkFilename(
  filename: string | undefined,
  field: 'filename' | 'file',
  violations: Preparation['violations'],
): void {
  const base = filename?.split(/[/\\]/).at(-1);
  if (!base) violations.add(field, 'required', field === 'file' ? 'The file must have a name.' : messages.blank);
  else if (!EXTENSION.test(base))
    violations.add(
      field,
      'format',
      `The ${field === 'file' ? 'file name' : 'value'} must end with the extension of an image file. Accepted formats are ${ACCEPTED}.`,
    );
}

const NO_BASE64 = 'The value must be base64 (RFC 4648), or a data: URL with base64. White space is ignored.';
const DATA_URL_START = /^\s*data:([^,;]{0,100})((?:;[^,;]{0,100}){0,5}),/i;
/** `image/jpg` is wrong, but common. */
const ACCEPTED_TYPE = /^\s*image\/(jpe?g|png|gif|webp|avif)\s*$/i;

/** @returns the bytes, or a message that says why there are none */
function readAttachment(text: string): Uint8Array | string {
  const [start, type = '', parameters = ''] = DATA_URL_START.exec(text) ?? [];
  if (start === undefined) return decodeBase64(text) ?? NO_BASE64;
  if (!/;\s*base64\s*$/i.test(parameters)) return NO_BASE64;
  if (!ACCEPTED_TYPE.test(type)) return `The data: URL must have the type of an accepted image: ${ACCEPTED}.`;
  return decodeBase64(text.slice(start.length).replaceAll(PERCENT_ENCODED, decodeURIComponent)) ?? NO_BASE64;
}

/** The characters of base64 that a URL may contain percent-encoded: `+`, `/` and `=`. */
const PERCENT_ENCODED = /%(?:2b|2f|3d)/gi;

/** Characters compared at once, a multiple of 4. Comparing chunks avoids a second copy of a large file. */
const CHUNK_CHARACTERS = 65_536;
/** Mail, PEM files and many libraries break base64 into lines. */
const WHITE_SPACE = /[ \t\r\n]+/g;
const PADDING = /={1,2}$/;

/**
 * Decodes base64 or base64url, with or without padding. White space is ignored. `Buffer` skips invalid characters, so the
 * decoded bytes are encoded again and compared with the input.
 *
 * @returns undefined if the text is not base64
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  let compared = 0;
  let rest = '';
  for (let start = 0; start < text.length; start += CHUNK_CHARACTERS) {
    const isLast = start + CHUNK_CHARACTERS >= text.length;
    const sent = text.slice(start, start + CHUNK_CHARACTERS).replace(WHITE_SPACE, '');
    const chunk = rest + sent.replaceAll('-', '+').replaceAll('_', '/');
    const length = isLast ? chunk.length : chunk.length - (chunk.length % 4);
    const end = isLast ? bytes.length : compared + (length / 4) * 3;
    const encoded = bytes.toString('base64', compared, end);
    const isSame = chunk.slice(0, length) === encoded || (isLast && chunk === encoded.replace(PADDING, ''));
    if (!isSame) return undefined;
    rest = chunk.slice(length);
    compared = end;
  }
  return bytes;
}
