/** Maximum sizes of bodies, images, files and the response cache. */
import { setting } from './setting.ts';
import { fileTypes, whole } from './values.ts';

export const sizesSettings = {
  jsonBodyBytesMax: setting('JSON_BODY_BYTES_MAX', '1048576', 'largest JSON body; 0: no limit', whole(0)),
  attachmentBodyBytesMax: setting(
    'ATTACHMENT_BODY_BYTES_MAX',
    '33554432',
    'largest body with an image or an attachment; 0: no limit',
    whole(0),
  ),
  imageBytesMax: setting('IMAGE_BYTES_MAX', '20971520', 'largest image file; 0: no limit', whole(0)),
  imagePixelsMax: setting(
    'IMAGE_PIXELS_MAX',
    '50000000',
    'maximum pixels of an image, all frames together; 0: no limit',
    whole(0),
  ),
  fileBytesMax: setting('FILE_BYTES_MAX', '52428800', 'largest attached file; 0: no limit', whole(0)),
  /** Extensions of attachments. */
  fileTypes: setting(
    'FILE_TYPES',
    'pdf txt csv zip epub docx xlsx pptx odt ods jpg png gif webp avif mp3 mp4',
    'accepted extensions of attached files; the content must have the type',
    fileTypes,
  ),
  downloadSecondsMax: setting('DOWNLOAD_SECONDS_MAX', '10', 'maximum time for an image download', whole(1)),
  responseCacheBytesMax: setting(
    'RESPONSE_CACHE_BYTES_MAX',
    '67108864',
    'memory for cached responses and records; 0 disables the cache',
    whole(0),
  ),
};
