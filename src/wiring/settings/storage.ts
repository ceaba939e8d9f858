/** The database, the image store and files. */
import { S3_FORM } from '../../adapters/images-s3/address.ts';
import { setting } from './setting.ts';
import {
  addressRanges,
  anyText,
  databaseAddress,
  IMAGES_FORM,
  invalid,
  isImagesAddress,
  optional,
  schemaName,
  webAddress,
} from './values.ts';

export const storageSettings = {
  databaseUrl: setting(
    'DATABASE_URL',
    'sqlite:./data/store.db',
    'sqlite:FILE or postgres://user:password@host/database',
    databaseAddress,
  ),
  /** Empty: the first schema of the `search_path`. */
  databaseSchema: setting(
    'DATABASE_SCHEMA',
    '',
    'PostgreSQL schema of the store, so that several stores share a database; empty: the one of the connection',
    schemaName,
  ),
  imagesUrl: setting('IMAGES_URL', 'file:./data/images', `file:FOLDER for image files, or ${S3_FORM}`, (text) =>
    isImagesAddress(text) ? text : invalid(IMAGES_FORM),
  ),
  /** Empty: the server delivers images itself. */
  imagesPublicUrl: setting(
    'IMAGES_PUBLIC_URL',
    '',
    'public URL of the S3 store’s images; empty: the server delivers /images/… itself',
    optional(webAddress),
  ),
  s3AccessKeyId: setting('AWS_ACCESS_KEY_ID', '', 'access key id for an S3 store in IMAGES_URL', anyText),
  s3SecretAccessKey: setting('AWS_SECRET_ACCESS_KEY', '', 'secret access key for that S3 store', anyText),
  imageDownloadAllow: setting(
    'IMAGE_DOWNLOAD_ALLOW',
    '',
    'comma-separated address ranges that image downloads may reach in addition to the public internet',
    addressRanges,
  ),
  /** Empty: next to the database file. */
  erasuresFile: setting(
    'ERASURES_FILE',
    '',
    'file that records the ids of erased records for restores; empty: next to the database',
    anyText,
  ),
};
