/** Stored files: images and attachments, their storage, and the readers of files that clients send. */

/** `<sha256>.<extension>`; thumbnails append `.<width>.<extension>`. */
const FILE_NAME = /^([0-9a-f]{64}\.(?:jpg|png|gif|webp|avif))(?:\.[1-9]\d{1,3}\.(?:jpg|png|gif|webp|avif))?$/;

/**
 * Returns the name of the image that a file contains or is a thumbnail of. Undefined if it is not an image file name.
 */
export function imageOf(name: string): string | undefined {
  return FILE_NAME.exec(name)?.[1];
}

/** `files/<sha256>`; these have no thumbnails. */
const ATTACHMENT_NAME = /^files\/[0-9a-f]{64}$/;

export function isAttachment(name: string): boolean {
  return ATTACHMENT_NAME.test(name);
}

export function attachmentName(sha256: string): string {
  return `files/${sha256}`;
}

/** Returns the file that a name is of: the name itself, or that of a thumbnail's image. Undefined for other names. */
export function originalOf(name: string): string | undefined {
  return isAttachment(name) ? name : imageOf(name);
}

/** Returns the SHA-256 in the name of an image or attachment. */
export function hashIn(name: string): string {
  return name.slice(name.indexOf('/') + 1).split('.', 1)[0]!;
}

/**
 * Storage of image files and attachments. Names contain the SHA-256 of the bytes, so the content of a name never
 * changes. A thumbnail's name begins with that of its image (`imageOf`); a lost thumbnail is created again. An
 * unavailable store raises `ImagesUnavailable`.
 */
export interface ImageStore {
  /** Resolves when the bytes are durably stored under this name, replacing any others. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  has(name: string): Promise<boolean>;
  /** Size in bytes; undefined if the file does not exist. */
  sizeOf(name: string): Promise<number | undefined>;
  /** The whole file; undefined if it does not exist. */
  get(name: string): Promise<Uint8Array | undefined>;
  /**
   * Opens the file, or a part of it, for streaming; undefined if it does not exist. Must be closed or read to its end.
   */
  open(name: string, part?: FilePart): Promise<StoredImage | undefined>;
  /**
   * Removes an image with its thumbnails, or one thumbnail. Succeeds if the file does not exist.
   * @throws {RemovalInDoubt} if the removal may still be executed
   */
  remove(name: string): Promise<void>;
  /** Name and age in seconds of every image and attachment, unordered, including images with only thumbnails left. */
  list(): AsyncIterable<{ name: string; ageSeconds: number }>;
  /** The owner set by `claim`; undefined if never set. Other methods do not check it. */
  owner(): Promise<string | undefined>;
  /**
   * Sets the owner permanently, unless it is no longer `before`. Of concurrent calls only one succeeds.
   * @returns the current owner
   */
  claim(owner: string, before: string | undefined): Promise<string | undefined>;
  /** Rejects if the store cannot be read and written. */
  check(): Promise<void>;
  /** Whether the store is shared by all servers, so that an outage affects all of them. */
  readonly isRemote: boolean;
  /** Like `broken` of the database: a disk failed, and the state of the files is unknown. */
  readonly broken: Promise<Error>;
}

/** Image files cannot be read or written. Retrying later may succeed. */
export class ImagesUnavailable extends Error {
  override readonly name = 'ImagesUnavailable';
}

/** There was no response to a removal, so that it may still be executed. */
export class RemovalInDoubt extends ImagesUnavailable {}

/** A byte range, both ends included. */
export interface FilePart {
  readonly first: number;
  readonly last: number;
}

/** An open image file. Its bytes remain readable even if its name is removed. */
export interface StoredImage {
  /** Size of the whole file. */
  readonly sizeBytes: number;
  /** Streams the requested part in small chunks. May be called once; closes the file at the end. */
  read(): AsyncIterable<Uint8Array>;
  /** Closes a file that is not read. */
  close(): Promise<void>;
}

/** A fully decoded image: the name of its file, and its size in pixels. */
export interface DecodedImage {
  /** `<sha256>.<extension of the content>` */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Pixels after EXIF orientation is applied; of the first frame if animated. */
  readonly width: number;
  readonly height: number;
}

/** A file whose content has the type of its name. */
export interface ReadAttachment {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Without parameters. */
  readonly mediaType: string;
}

/** An uploaded file. */
export interface Upload {
  readonly bytes: Uint8Array;
  /** The client's name for the file. */
  readonly filename: string | undefined;
}

/** Why bytes or a URL are not an acceptable file, in a message for the client. */
export interface FileRejection {
  /** `file`: not an acceptable file; `download`: could not be downloaded; `too_large`: too many bytes. */
  readonly refused: 'file' | 'download' | 'too_large';
  readonly message: string;
}

/** Decodes images that clients send, outside the process that serves requests. */
export interface ImageDecoder {
  fromBytes(bytes: Uint8Array): Promise<DecodedImage | FileRejection>;
  /** Downloads from a public http or https URL. */
  fromAddress(address: string): Promise<DecodedImage | FileRejection>;
  /**
   * Scales a stored image down to a width, in the format of the extension; never enlarges it. Animations become their
   * first frame.
   * @param read is called when decoding starts; returns undefined if there is no image
   * @throws {Overloaded} if the queue is full or the time limit is exceeded
   */
  shrink(
    read: () => Promise<Uint8Array | undefined>,
    to: { readonly width: number; readonly extension: string },
  ): Promise<Uint8Array | undefined>;
  /** Rejects with `ImageDecoderUnavailable` if images cannot be decoded. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Reads files other than images, whose type is that of their name. */
export interface AttachmentReader {
  /** Why files with this name are never accepted, in a message for the client; undefined if they may be. */
  rejectName(filename: string): string | undefined;
  fromBytes(bytes: Uint8Array, filename: string): Promise<ReadAttachment | FileRejection>;
  /** Downloads from a public http or https URL. */
  fromAddress(address: string, filename: string): Promise<ReadAttachment | FileRejection>;
  close(): Promise<void>;
}

/** The image decoder is not installed. The message explains how to install it. */
export class ImageDecoderUnavailable extends Error {
  override readonly name = 'ImageDecoderUnavailable';
}
