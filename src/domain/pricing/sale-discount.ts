/** Sale discounts: percentages off the price of matching products (pricing.md §2). */
import { decimal, flag, resource, rules, text } from '../../engine/vocabulary.ts';
import { cleanUrl, deriveCleanUrl } from '../rules/catalog/clean-url.ts';
import { USES_OF_OLD_URLS } from '../rules/catalog/old-urls.ts';
import { deriveAutomaticTexts, textType } from '../rules/catalog/page-texts.ts';
import { DISCOUNTS_MAX, dateRangeFields, restrictionFields } from '../rules/pricing/discounts.ts';
import { FORMER_SALE, recordedSince } from '../rules/pricing/former-values.ts';
import { lockPricingRules } from '../rules/pricing/named-records.ts';
import { checkDateRange, DATE_RANGE } from '../rules/pricing/value.ts';

export const saleDiscount = resource({
  name: 'SaleDiscount',
  group: 'Pricing',
  description: 'A percentage off the price of all products that match its restrictions.',
  fields: {
    name: text({
      synonyms: ['title'],
      required: true,
      notBlank: true,
      lengthMax: 255,
      translated: true,
      example: 'Summer sale',
    }),
    enabled: flag({ default: true, description: 'Whether the discount is in use.' }),
    value: decimal({ min: 0, max: 100, description: 'Percentage off.', example: 10 }),
    ...dateRangeFields(),
    ...restrictionFields(),
    show_in_separate_section: flag({ description: 'Whether the shop shows the products in a section of their own.' }),
    apply_to_wholesale: flag({ description: 'Whether the discount also applies to wholesale prices.' }),
    meta_tags: text({ translated: true, lengthMax: 255, description: 'Keywords of the page.' }),
    meta_description: text({ translated: true, description: 'Meta description of the page.' }),
    meta_description_type: textType('meta_description'),
    meta_title: text({ translated: true, lengthMax: 255, description: 'Title of the page.' }),
    clean_url: cleanUrl({ example: 'summer-sale' }),
    recorded_since: recordedSince(),
  },
  formerValues: FORMER_SALE,
  bulk: { by: 'clean_url' },
  routes: [{ path: '/sale_discounts/{id}', operations: ['list', 'create', 'read', 'replace', 'patch', 'remove'] }],
  filters: ['clean_url', 'enabled', { field: 'memberships', aliases: ['membership'] }, ...DATE_RANGE],
  orders: ['value', ...DATE_RANGE],
  serialized: true,
  siblingsMax: {
    count: DISCOUNTS_MAX,
    field: '',
    message: `A store can have at most ${DISCOUNTS_MAX} sale discounts. Delete one first.`,
  },
  rules: rules(
    { own: ['name', 'clean_url', 'meta_description', 'meta_description_type', ...DATE_RANGE], ...USES_OF_OLD_URLS },
    {
      async derive(draft, unit) {
        await lockPricingRules(draft, unit);
        deriveAutomaticTexts(draft, ['meta_description']);
        await deriveCleanUrl(draft, unit, 'sale');
      },
      check: checkDateRange,
      // As with products and categories, a URL in use is not a former one.
      async within({ sent, values }, unit) {
        if (sent.clean_url && sent.clean_url === values.clean_url)
          await unit.remove('OldUrl', { clean_url: sent.clean_url });
      },
    },
  ),
});
