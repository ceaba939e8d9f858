/**
 * A picture that a client sends as base64 or names by its address (catalog.md §2): the fields that every resource with a
 * picture has, and the rules that turn what was sent into a file.
 */

import { messages, type Problem, problem } from '../../engine/errors.ts';
import { file } from '../../engine/fields/file.ts';
import { integer } from '../../engine/fields/number.ts';
import { text } from '../../engine/fields/text.ts';
import type { Picture, PictureRefusal } from '../../engine/ports.ts';
import type { Field, Group, Preparation, Rules } from '../../engine/resource.ts';

const READ_ONLY: readonly Group[] = ['all', 'read'];
const INPUT_ONLY: readonly Group[] = ['all', 'insert', 'update'];

/** The smallest picture, so that the reference's example can be sent as it is. */
const PIXEL_PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==';

export function picture(): Record<string, Field> {
  return {
    alt: text({
      lengthMax: 255,
      description: 'What the picture shows, for those who cannot see it.',
      example: 'A red T-shirt from the front',
    }),
    url: file({ description: 'Public address of the file. It changes when the bytes do.' }),
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

/** What a record shows of a picture that is part of it. */
export const PICTURE_SHOWN: readonly string[] = ['alt', 'url', 'width', 'height'];

export const pictureRules: Rules = {
  prepare: preparePicture,
  derive({ picture: prepared, values }) {
    if (!prepared) return;
    values.url = prepared.name;
    values.width = prepared.width;
    values.height = prepared.height;
  },
};

const ACCEPTED = 'JPEG, PNG, GIF, WebP and AVIF';
/** Extensions of image files. What the file is, its content says. */
const EXTENSION = /\.(jpe?g|jpe|jfif|pjpeg|pjp|png|gif|webp|avif|bmp|svg|tiff?|ico|heic|heif)$/i;

/** The fields that say which picture; one in a wrong form says nothing. */
const INPUTS = ['externalUrl', 'attachment', 'filename'];

async function preparePicture({
  operation,
  sent,
  mentioned,
  violations,
  pictures,
}: Preparation): Promise<Picture | Problem | undefined> {
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
      violations.add('attachment', 'format', 'This value should be base64 (RFC 4648 §4, padded, without line breaks).');
    checkFilename(filename, violations);
    if (!bytes || violations.list.length > 0) return undefined;
    return accept(await pictures.fromBytes(bytes), 'attachment', violations);
  }
  if (externalUrl !== undefined) return accept(await pictures.fromAddress(externalUrl), 'externalUrl', violations);
  if (operation === 'create')
    violations.add('attachment', 'required', 'Send the picture: either attachment with filename, or externalUrl.');
  return undefined;
}

function accept(
  result: Picture | PictureRefusal,
  field: 'attachment' | 'externalUrl',
  violations: Preparation['violations'],
): Picture | Problem | undefined {
  if (!('refused' in result)) return result;
  if (result.refused === 'too_large' && field === 'attachment') return problem('content-too-large', result.message);
  violations.add(field, result.refused === 'download' ? 'download' : 'file', result.message);
  return undefined;
}

function checkFilename(filename: string | undefined, violations: Preparation['violations']): void {
  const base = filename?.split(/[/\\]/).at(-1);
  if (!base) violations.add('filename', 'required', messages.blank);
  else if (!EXTENSION.test(base))
    violations.add(
      'filename',
      'format',
      `This value should end with the extension of an image file; ${ACCEPTED} are accepted.`,
    );
}

/** Strict: the decoder passes over everything that is no base64, so what it read must be all that was sent. */
function decodeBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
