/** Files of attachments and who may download them (catalog.md §15). */
import {
  type Draft,
  type Field,
  messages,
  type Preparation,
  type Rules,
  type UnitOfWork,
  type Value,
} from '../../../engine/vocabulary.ts';
import { decodeBase64, NOT_BASE64, rejectFile } from './image.ts';

/** Access without login; `REGISTERED` is every customer with a login. Other values are ids of memberships. */
export const EVERYONE = 'A';
const REGISTERED = 'R';

const FILENAME_LENGTH_MAX = 255;

/** A complete example, so that the reference shows the exact response to its request. */
export const ATTACHMENT_EXAMPLE = {
  attachment: 'UmVhZCB0aGUgbWFudWFsLg==',
  filename: 'manual.txt',
  size: 16,
  mimeType: 'text/plain',
  url: 'https://shop.example/files/0642b25023dacf8f3cc116d669f7627adf61098d5a070db5a95d00ceea2a9938/manual.txt',
} as const;

export const USES_OF_ATTACHMENT = {
  own: ['access', 'url', 'filename', 'size', 'mime_type'],
  Membership: [],
} as const;

type AttachmentDraft = Draft<(typeof USES_OF_ATTACHMENT.own)[number]>;

export const addressOfAttachment: NonNullable<Field['complete']> = (url, record, { baseUrl }) => {
  const { product, id, access, filename } = record;
  if (access === EVERYONE) return `${url}/${encodeURIComponent(filename as string)}`;
  return `${baseUrl}/api/products/${product}/attachments/${id}/file`;
};

type Prepared = ReturnType<NonNullable<Rules['prepare']>>;

/** Reads the one source of a new attachment. A file is never replaced. */
export async function prepareAttachment(preparation: Preparation): Prepared {
  if (preparation.operation !== 'create') return undefined;
  return preparation.form ? fromForm(preparation, preparation.form) : fromFields(preparation);
}

async function fromForm(preparation: Preparation, { upload }: NonNullable<Preparation['form']>): Prepared {
  const { violations, attachments } = preparation;
  if (!upload) {
    violations.add('file', 'required', 'Send the file as the form field “file”.');
    return undefined;
  }
  const name = checkedName(upload.filename, 'file', preparation);
  return name === undefined
    ? undefined
    : accept(preparation, 'file', name, () => attachments.fromBytes(upload.bytes, name));
}

async function fromFields(preparation: Preparation): Prepared {
  const { sent, mentioned, violations, attachments } = preparation;
  // A source of the wrong type is already reported as a violation.
  if (SOURCES.some((name) => mentioned.has(name) && sent[name] === undefined)) return undefined;
  const [address, attachment, filename] = SOURCES.map((name) => (sent[name] as string | undefined) || undefined);
  if (address !== undefined && attachment !== undefined) {
    violations.add('external_url', 'conflict', ONE_SOURCE);
    return undefined;
  }
  if (address !== undefined) {
    const name = checkedName(filename ?? lastSegment(address), 'filename', preparation);
    return name === undefined
      ? undefined
      : accept(preparation, 'external_url', name, () => attachments.fromAddress(address, name));
  }
  if (attachment === undefined) {
    violations.add('attachment', 'required', ONE_SOURCE);
    return undefined;
  }
  const bytes = decodeBase64(attachment);
  if (!bytes) violations.add('attachment', 'format', NOT_BASE64);
  const name = checkedName(filename, 'filename', preparation);
  return bytes && name !== undefined
    ? accept(preparation, 'attachment', name, () => attachments.fromBytes(bytes, name))
    : undefined;
}

const SOURCES = ['external_url', 'attachment', 'filename'] as const;

const ONE_SOURCE = 'Send one file: external_url, or attachment with filename.';

/** @returns undefined, with a violation, if the store does not accept files of this name */
function checkedName(
  filename: string | undefined,
  field: 'filename' | 'file',
  { attachments, violations }: Preparation,
): string | undefined {
  const base = filename?.split(/[/\\]/).at(-1);
  const before = violations.list.length;
  if (!base) violations.add(field, 'required', field === 'file' ? 'The file must have a name.' : messages.blank);
  else if ([...base].length > FILENAME_LENGTH_MAX)
    violations.add(field, 'too_long', messages.tooLong(FILENAME_LENGTH_MAX));
  else if (/\p{Cc}/u.test(base)) violations.add(field, 'format', 'A file name must not contain control characters.');
  else {
    const message = attachments.rejectName(base);
    if (message !== undefined) violations.add(field, 'file', message);
  }
  return violations.list.length === before ? base : undefined;
}

/** The name of the file at a URL; undefined if its path has none. */
export function lastSegment(address: string): string | undefined {
  const segment = URL.parse(address)?.pathname.split('/').at(-1);
  if (!segment) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

async function accept(
  { violations }: Preparation,
  field: 'external_url' | 'attachment' | 'file',
  filename: string,
  read: () => ReturnType<Preparation['attachments']['fromBytes']>,
): Prepared {
  const result = await read();
  if ('refused' in result) return rejectFile(result, field, field === 'external_url', violations);
  const { name, bytes, mediaType: mime_type } = result;
  return { name, bytes, properties: { filename, size: bytes.byteLength, mime_type } };
}

export function deriveAttachment({ file: prepared, values }: AttachmentDraft): void {
  if (prepared) Object.assign(values, { url: prepared.name }, prepared.properties);
}

/** The lock makes a concurrent deletion of the membership wait; it then finds the attachment and is rejected. */
export async function checkAccess(
  { values, stored, violations }: AttachmentDraft,
  unit: UnitOfWork<typeof USES_OF_ATTACHMENT>,
): Promise<void> {
  const { access } = values;
  if (typeof access !== 'string' || access === EVERYONE || access === REGISTERED || access === stored?.access) return;
  const id = Number(access);
  const [membership] = Number.isSafeInteger(id) ? await unit.hold('Membership', [id]) : [];
  if (!membership) violations.add('access', 'unknown_link', `There is no membership with the id ${access}.`);
}

export const USES_OF_MEMBERSHIP = { own: [], ProductAttachment: ['access', 'product'] } as const;

/** Prevents the deletion of a membership while attachments are for it, because nobody could download them. */
export async function membershipInUse(
  { id }: { readonly id: Value },
  unit: UnitOfWork<typeof USES_OF_MEMBERSHIP>,
): Promise<string | undefined> {
  const [one] = await unit.list('ProductAttachment', { access: String(id) });
  return (
    one &&
    `The attachment /products/${one.product}/attachments/${one.id} is for this membership. Change its access first.`
  );
}
