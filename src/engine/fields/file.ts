/** A file in the image store, shown as its public address. Only rules set it, from a picture that was decoded in full. */
import { type Field, type FieldOptions, field } from '../resource.ts';

/** Files are served here, outside `/api`, for shoppers' browsers. */
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
      example: 'https://shop.example/images/b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c.jpg',
      read: () => undefined,
      show: (value, world) => `${world.baseUrl}${IMAGES_PATH}/${value}`,
    },
  );
}
