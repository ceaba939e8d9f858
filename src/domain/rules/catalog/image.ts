/**
 * A picture that a client sends as base64 or names by its address (catalog.md §2): the fields that every resource with a
 * picture has, and the rules that turn what was sent into a file.
 */

import {
  type DecodedImage,
  type Draft,
  type Field,
  type FieldOptions,
  file,
  type Group,
  type ImageRejection,
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

/** Of one product. */
export const IMAGES_MAX = 250;

const READ_ONLY: readonly Group[] = ['all', 'read'];
const INPUT_ONLY: readonly Group[] = ['all', 'insert', 'update'];

/** The smallest picture, so that the reference's example can be sent as it is. */
const PIXEL_PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';

export function decodeOne(): Record<string, Field> {
  return {
    alt: text({
      lengthMax: 255,
      description: 'A description of the picture, for people who cannot see it.',
      example: 'A red T-shirt from the front',
    }),
    url: file({
      description:
        'Public address of the file. It changes when the bytes do. With `?width=160`, `320`, `640` or `1280` it is a thumbnail.',
    }),
    width: integer({ groups: READ_ONLY, description: 'Pixels.', example: 1 }),
    height: integer({ groups: READ_ONLY, description: 'Pixels.', example: 1 }),
    externalUrl: text({
      groups: INPUT_ONLY,
      transient: true,
      description: 'http or https address of an image file that the service downloads.',
    }),
    attachment: text({
      groups: INPUT_ONLY,
      transient: true,
      description: 'The image file in base64.',
      example: PIXEL_PNG,
    }),
    filename: text({
      groups: INPUT_ONLY,
      transient: true,
      description: 'Name of the attached file; its extension says that it is an image.',
      example: 'pixel.png',
    }),
  };
}

export const imageUpload: NonNullable<Resource['upload']> = {
  part: 'file',
  insteadOf: ['externalUrl', 'attachment', 'filename'],
  description: 'The image file, as it is. Its name ends with the extension of an image file.',
};

/** The fields that a record shows of a picture that is part of it. */
export const IMAGE_SHOWN: readonly string[] = ['alt', 'url', 'width', 'height'];

export const imageRules: Rules = {
  prepare: prepareImage,
  derive({ imageFile: prepared, values }) {
    if (!prepared) return;
    values.url = prepared.name;
    values.width = prepared.width;
    values.height = prepared.height;
  },
};

/** The one picture of a record, as an object inside it. */
export function imageInside(options: Pick<FieldOptions, 'description'>): Field {
  return object(decodeOne(), { ...options, nullable: true, preservedOnReplace: true });
}

/** Rules of a record whose field `image` is `imageInside`: null takes the picture away, a source replaces it. */
export const prepareImageInside: NonNullable<Rules['prepare']> = async (preparation) => {
  const sent = preparation.sent.image as Readonly<Record<string, Value>> | null | undefined;
  if (!sent) return undefined;
  const violations = new Violations();
  const mentioned = new Set(Object.keys(sent));
  const result = await prepareImage({ ...preparation, sent, mentioned, violations, form: undefined });
  preparation.violations.addAll(violations, 'image');
  return result;
};

/** The picture as it will be kept: the new file, else the one that is there. */
export function deriveImageInside({ operation, imageFile: made, values, stored, violations }: Draft<'image'>): void {
  const image = values.image as Readonly<Record<string, Value>> | null | undefined;
  if (!image) return;
  const before = (stored?.image ?? undefined) as Readonly<Record<string, Value>> | undefined;
  if (made) values.image = { ...image, url: made.name, width: made.width, height: made.height };
  else if (before) values.image = { ...before, alt: image.alt! };
  // That a new record lacks it is told already, before its picture is made.
  else if (operation !== 'create') violations.add('image.attachment', 'required', NO_SOURCE);
}

const NO_SOURCE = 'Send the picture: either attachment with filename, or externalUrl.';

const ACCEPTED = 'JPEG, PNG, GIF, WebP and AVIF';
/** Extensions of image files. The content decides the kind of the file. */
const EXTENSION = /\.(jpe?g|jpe|jfif|pjpeg|pjp|png|gif|webp|avif|bmp|svg|tiff?|ico|heic|heif)$/i;

/** The fields that say which picture; one in a wrong form says nothing. */
const INPUTS = ['externalUrl', 'attachment', 'filename'];

async function prepareImage({
  operation,
  sent,
  mentioned,
  violations,
  imageDecoder,
  form,
}: Preparation): Promise<DecodedImage | Problem | undefined> {
  if (form?.upload) {
    checkFilename(form.upload.filename, 'file', violations);
    if (violations.list.length > 0) return undefined;
    return accept(await imageDecoder.fromBytes(form.upload.bytes), 'file', violations);
  }
  if (form) {
    if (operation === 'create') violations.add('file', 'required', 'Send the picture as the part “file” of the form.');
    return undefined;
  }
  if (INPUTS.some((name) => mentioned.has(name) && sent[name] === undefined)) return undefined;
  const externalUrl = (sent.externalUrl as string | undefined) || undefined;
  const attachment = (sent.attachment as string | undefined) || undefined;
  const filename = (sent.filename as string | undefined) || undefined;
  if (externalUrl !== undefined && attachment !== undefined) {
    violations.add('externalUrl', 'conflict', 'Send either externalUrl or attachment, not both.');
    return undefined;
  }
  if (attachment !== undefined) {
    const bytes = decodeBase64(attachment);
    if (!bytes)
      violations.add(
        'attachment',
        'format',
        'This value should be base64 (RFC 4648 §4, padded); white space may stand between its characters.',
      );
    checkFilename(filename, 'filename', violations);
    if (!bytes || violations.list.length > 0) return undefined;
    return accept(await imageDecoder.fromBytes(bytes), 'attachment', violations);
  }
  if (externalUrl !== undefined) return accept(await imageDecoder.fromAddress(externalUrl), 'externalUrl', violations);
  if (operation === 'create') violations.add('attachment', 'required', NO_SOURCE);
  return undefined;
}

function accept(
  result: DecodedImage | ImageRejection,
  field: 'attachment' | 'externalUrl' | 'file',
  violations: Preparation['violations'],
): DecodedImage | Problem | undefined {
  if (!('refused' in result)) return result;
  if (result.refused === 'too_large' && field !== 'externalUrl') return problem('content-too-large', result.message);
  violations.add(field, result.refused === 'download' ? 'download' : 'file', result.message);
  return undefined;
}

function checkFilename(
  filename: string | undefined,
  field: 'filename' | 'file',
  violations: Preparation['violations'],
): void {
  const base = filename?.split(/[/\\]/).at(-1);
  if (!base) violations.add(field, 'required', field === 'file' ? 'The file should have a name.' : messages.blank);
  else if (!EXTENSION.test(base))
    violations.add(
      field,
      'format',
      `${field === 'file' ? 'Its name' : 'This value'} should end with the extension of an image file; ${ACCEPTED} are accepted.`,
    );
}

/** Of a multiple of 4 characters; a large file is compared in pieces, so that no second copy of it is made. */
const CHUNK_CHARACTERS = 65_536;
/** Mail, PEM files and many libraries break base64 into lines. */
const WHITE_SPACE = /[ \t\r\n]+/g;

/**
 * Strict but for white space: the decoder passes over everything that is no base64, so what it read must be all that was
 * sent.
 */
function decodeBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  let compared = 0;
  let rest = '';
  for (let start = 0; start < text.length; start += CHUNK_CHARACTERS) {
    const isLast = start + CHUNK_CHARACTERS >= text.length;
    const chunk = rest + text.slice(start, start + CHUNK_CHARACTERS).replace(WHITE_SPACE, '');
    const length = isLast ? chunk.length : chunk.length - (chunk.length % 4);
    const end = isLast ? bytes.length : compared + (length / 4) * 3;
    if (bytes.toString('base64', compared, end) !== chunk.slice(0, length)) return undefined;
    rest = chunk.slice(length);
    compared = end;
  }
  return bytes;
}
