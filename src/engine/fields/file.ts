/** A file in the image store, shown as its public URL. Only rules set it, from a file that was read completely. */
import { type Field, type FieldOptions, field } from '../field.ts';
import { isAttachment } from '../ports.ts';

/** Images and attachments are served at these paths, outside `/api`, for shoppers' browsers. */
export const IMAGES_PATH = '/images';
export const FILES_PATH = '/files';

const EXAMPLE = 'https://shop.example/images/4ff6ab670a58c14270e034e2090d9a432caa263a14e0a25785386b0c12f880b5.png';

export function file(options: FieldOptions = {}): Field {
  return field(
    { ...options, groups: ['all', 'read'] },
    {
      kind: 'file',
      storage: { in: 'column', type: 'text', name: 'file' },
      default: '',
      file: true,
      inputSchema: {},
      outputSchema: { type: 'string', format: 'uri' },
      example: options.example ?? EXAMPLE,
      read: () => undefined,
      // The name of an attachment begins like its path.
      show: (value, environment) =>
        `${environment.baseUrl}${isAttachment(value as string) ? '' : IMAGES_PATH}/${value}`,
    },
  );
}
