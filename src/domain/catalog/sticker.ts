/** Stickers: labels laid over a product’s picture (catalog.md §11). */
import { type Field, flag, integer, resource, text } from '../../engine/vocabulary.ts';

export const sticker = resource({
  name: 'Sticker',
  group: 'Store',
  description: 'A label laid over a product’s picture, such as “New”.',
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
    position: integer(),
    enabled: flag({ default: true }),
    text_color: color(),
    bg_color: color(),
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

function color(): Field {
  return text({
    form: { pattern: /^([0-9A-Fa-f]{6})?$/, expected: 'empty or 6 hexadecimal digits, e.g. ff8800' },
    example: 'ff8800',
  });
}
