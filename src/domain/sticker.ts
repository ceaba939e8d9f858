/** Stickers: labels laid over a product’s picture (catalog.md §11). */
import { flag } from '../engine/fields/flag.ts';
import { integer } from '../engine/fields/number.ts';
import { text } from '../engine/fields/text.ts';
import { type Field, resource } from '../engine/resource.ts';

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
  places: [
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
