/** A file in the image store, shown as its public URL. Only rules set it, from an image that was fully decoded. */
import { type Field, type FieldOptions, field } from '../field.ts';

/** Files are served at this path, outside `/api`, for shoppers' browsers. */
export const IMAGES_PATH = '/images';

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
      example: 'https://shop.example/images/4ff6ab670a58c14270e034e2090d9a432caa263a14e0a25785386b0c12f880b5.png',
      read: () => undefined,
      show: (value, environment) => `${environment.baseUrl}${IMAGES_PATH}/${value}`,
    },
  );
}
