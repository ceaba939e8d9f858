/** Stickers on product images (catalog.md §11). */
import { type Field, flag, integer, resource, text } from '../../engine/vocabulary.ts';

export const sticker = resource({
  name: 'Sticker',
  group: 'Store',
  description: 'A label shown on product images, such as “New”.',
  fields: {
    name: text({
      required: true,
      notBlank: true,
      lengthMax: 255,
      translated: true,
      unique: true,
      searchable: true,
      example: 'New',
    }),
    position: integer({ description: 'Sort order.' }),
    enabled: flag({ default: true, description: 'Whether shops show the sticker.' }),
    text_color: color('Text color as RRGGBB.'),
    bg_color: color('Background color as RRGGBB.'),
  },
  bulk: { by: 'name' },
  routes: [
    {
      path: '/stickers/{id}',
      aliases: ['/product_stickers/{id}'],
      operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'],
    },
  ],
  filters: [{ field: 'name', partial: true }, 'enabled'],
  orders: ['name'],
  defaultOrder: ['name'],
});

function color(description: string): Field {
  return text({
    description,
    form: { pattern: /^([0-9A-Fa-f]{6})?$/, expected: 'empty or 6 hexadecimal digits, e.g. ff8800' },
    example: 'ff8800',
  });
}
