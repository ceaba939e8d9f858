/** Memberships (orders.md §7). Deleting one also removes the links to it. */
import { flag, resource, rules, text } from '../../engine/vocabulary.ts';
import { membershipInUse, USES_OF_MEMBERSHIP } from '../rules/catalog/attachment.ts';
import { membershipNamed, USES_OF_PRICING_RULES } from '../rules/pricing/named-records.ts';

export const membership = resource({
  name: 'Membership',
  group: 'Profiles',
  description: 'A group of customers, such as wholesale buyers.',
  fields: {
    name: text({
      required: true,
      notBlank: true,
      lengthMax: 255,
      translated: true,
      unique: true,
      searchable: true,
      example: 'Wholesale',
    }),
    enabled: flag({ default: true, description: 'Whether the membership is in use.' }),
  },
  bulk: { by: 'name' },
  routes: [
    { path: '/memberships/{membership_id}', operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] },
  ],
  filters: [{ field: 'name', partial: true }, 'enabled'],
  orders: ['name'],
  defaultOrder: ['name'],
  rules: rules(
    { ...USES_OF_MEMBERSHIP, ...USES_OF_PRICING_RULES },
    { checkRemoval: async (stored, unit) => (await membershipInUse(stored, unit)) ?? membershipNamed(stored, unit) },
  ),
});
