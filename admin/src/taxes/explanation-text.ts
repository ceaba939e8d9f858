/** The sentences of an explanation. */
import { useTranslate } from 'react-admin';
import { SCREENS } from '../components/rule-links.ts';
import { type Format, useFormat } from '../utils/format.ts';
import type { Answer, Explained, Records } from './price-request.ts';

export interface ExplanationText {
  /** Names a rule, with its price or amount. */
  subject(entry: Explained): string;
  /** Why the rule applies or not. */
  reason(entry: Explained): string;
  /** The screen on which the rule is edited. */
  screen(entry: Explained): string;
}

export function useExplanationText({ price, records, product_id }: Answer): ExplanationText {
  const translate = useTranslate();
  const format = useFormat();
  const names = new RuleNames(translate, format, price.currency, records);
  return {
    subject(entry) {
      const amount = amountOf(entry);
      const name = names.of(entry);
      return amount === null ? name : `${name}: ${format.money(amount, price.currency)}`;
    },
    reason({ kind, reason, won }) {
      if (won) return translate('tester.reason.won');
      const isOfTax = kind === 'tax_rate' && reason === 'not_listed';
      const isOwnSale = kind === 'own_sale' && reason === 'disabled';
      const message = isOfTax ? 'tester.taxClass' : isOwnSale ? 'tester.noOwnSale' : `tester.reason.${reason}`;
      return translate('tester.notUsed', { reason: translate(message) });
    },
    screen: (entry) => screenOf(entry, product_id),
  };
}

/** What a rule takes off is negative. */
function amountOf({ kind, value }: Explained): number | null {
  return value !== null && (kind === 'volume_discount' || kind === 'coupon') ? -value : value;
}

function screenOf({ kind, id }: Explained, product_id: number): string {
  switch (kind) {
    case 'sale_discount':
      return SCREENS.sale_discounts(id!);
    case 'volume_discount':
      return SCREENS.volume_discounts(id!);
    case 'coupon':
      return SCREENS.coupons(id!);
    case 'tax_rate':
      return SCREENS.tax_rates(id!);
    case 'wholesale_price':
    case 'combination':
      return `/products/${product_id}?tab=prices`;
    default:
      return `/products/${product_id}`;
  }
}

type Translate = ReturnType<typeof useTranslate>;

/** Names rules by their records; by their kinds if the key may not read the records. */
class RuleNames {
  readonly #translate: Translate;
  readonly #format: Format;
  readonly #currency: string;
  readonly #records: Records;

  constructor(translate: Translate, format: Format, currency: string, records: Records) {
    this.#translate = translate;
    this.#format = format;
    this.#currency = currency;
    this.#records = records;
  }

  of(entry: Explained): string {
    return this.#named(entry) ?? this.#translate(`tester.rule.${entry.kind}`);
  }

  #named(entry: Explained): string | undefined {
    switch (entry.kind) {
      case 'wholesale_price':
      case 'combination':
        return this.#ofRow(entry);
      case 'volume_discount':
        return this.#ofVolumeDiscount(entry.id!);
      case 'tax_rate':
        return this.#ofRate(entry.id!);
      case 'sale_discount': {
        const sale = this.#records.sale_discount.get(entry.id!);
        return sale && this.#translate('tester.saleNamed', { name: sale.name, value: this.#percent(sale.value) });
      }
      case 'coupon': {
        const coupon = this.#records.coupon.get(entry.id!);
        return coupon && this.#translate('tester.couponNamed', { code: coupon.code, value: this.#value(coupon) });
      }
      default:
        return undefined;
    }
  }

  /** A row that does not apply has no price in the explanation, so its own is named. */
  #ofRow({ kind, id, value }: Explained): string | undefined {
    const row = this.#records.wholesale_price.get(id!);
    if (!row) return undefined;
    const from = this.#translate('tester.fromUnits', { smart_count: row.quantity_range_begin });
    const name = [this.#translate(`tester.rule.${kind}`), this.#forWhom(row.membership), from].join(' ');
    if (value !== null) return name;
    const off = () => this.#translate('tester.off', { value: this.#percent(row.price) });
    return `${name}: ${row.type === 'percent' ? off() : this.#money(row.price)}`;
  }

  #ofVolumeDiscount(id: number): string | undefined {
    const rule = this.#records.volume_discount.get(id);
    if (!rule) return undefined;
    const from = this.#translate('tester.fromSubtotal', { value: this.#money(rule.subtotal_range_begin) });
    const kind = this.#translate('tester.rule.volume_discount');
    return [kind, this.#value(rule), this.#forWhom(rule.membership), from].join(' ');
  }

  #ofRate(id: number): string | undefined {
    const rate = this.#records.tax_rate.get(id);
    if (!rate || rate.zone === null) return rate?.name;
    const zone = this.#records.zone.get(rate.zone)?.name ?? `${rate.zone}`;
    return this.#translate('tester.inZone', { name: rate.name, zone });
  }

  #forWhom(membership: number | null): string {
    if (membership === null) return this.#translate('tester.forEveryone');
    const name = this.#records.membership.get(membership)?.name ?? `${membership}`;
    return this.#translate('tester.forMembers', { name });
  }

  #value({ type, value }: { readonly type: '%' | '$' | 'S'; readonly value: number }): string {
    if (type === 'S') return this.#translate('tester.freeShipping');
    return type === '%' ? this.#percent(value) : this.#money(value);
  }

  #percent(value: number): string {
    return this.#translate('taxes.percent', { value: this.#format.number(value) });
  }

  #money(value: number): string {
    return this.#format.money(value, this.#currency);
  }
}
