/** Price histories and the lowest price of 30 days (pricing.md §6). Both are computed when they are read. */
import {
  decimal,
  type EvaluationContext,
  evaluated,
  evaluation,
  type Field,
  timestamp,
  type Value,
  type View,
  type ViewContext,
  view,
} from '../../../engine/vocabulary.ts';
import { lowestPriceOf30Days, type PriceChange } from '../../../pricing/index.ts';
import {
  type HistoriesOf,
  type HistoryReads,
  productHistories,
  readChanges,
  USES_OF_PRICE_HISTORY,
  variantHistories,
} from './price-history-facts.ts';
import { since } from './price-timeline.ts';

const SECONDS_PER_DAY = 86_400;

type Context = Pick<EvaluationContext, 'environment' | 'now' | 'pause'>;

/** Finds the retained changes of prices: those within the retention, and the newest older one (pricing.md §6). */
async function retainedChanges(
  historiesOf: HistoriesOf,
  reads: HistoryReads,
  ids: readonly Value[],
  { environment: { settings }, now, pause }: Context,
): Promise<ReadonlyMap<Value, readonly PriceChange[]>> {
  const all = await readChanges(historiesOf, reads, ids, { currency: settings.currency!, now, pause });
  const begin = retentionBegin(settings, now);
  return new Map([...all].map(([id, changes]) => [id, since(changes, begin)]));
}

/** Returns the time from which all changes are retained. */
function retentionBegin(settings: Readonly<Record<string, string>>, now: number): number {
  return now - Number(settings.price_history_days) * SECONDS_PER_DAY;
}

const lowestPrices =
  (historiesOf: HistoriesOf) =>
  async (ids: readonly Value[], reads: HistoryReads, context: Context): Promise<ReadonlyMap<Value, Value>> => {
    const start = context.environment.settings.price_reduction_start as 'each' | 'first';
    const all = await retainedChanges(historiesOf, reads, ids, context);
    return new Map([...all].map(([id, changes]) => [id, lowestPriceOf30Days(changes, context.now, start)]));
  };

export const lowestPricesOfProducts = evaluation(USES_OF_PRICE_HISTORY, lowestPrices(productHistories));
export const lowestPricesOfVariants = evaluation(USES_OF_PRICE_HISTORY, lowestPrices(variantHistories));

/** @param subject whose price it is */
export function lowestPriceField(subject: 'product' | 'variant'): Field {
  return evaluated({
    schema: { type: 'number' },
    nullable: true,
    shownExample: null,
    description: `Lowest public price of the ${subject} in the 30 days before its price was reduced, or before now if it is not reduced; null if it had no price (Directive 98/6/EC). A setting of the server determines when a reduction begins.`,
  });
}

const ABOUT = {
  name: 'price_history',
  output: {
    date: timestamp({ description: 'Time of the change.' }),
    price: decimal({
      description: 'Price of one unit from this time, without membership and options.',
      shownExample: 19.99,
    }),
    regular_price: decimal({ description: 'The price without sales.', shownExample: 19.99 }),
  },
  isList: true,
  changesWithTime: true,
  description:
    'Lists each change of the public price, newest first. That is the price of one unit for a buyer without a membership, without options, and before it is converted to other taxes. A setting of the server limits the age of the changes; the newest older one is always included.',
} as const;

const newestFirst =
  (historiesOf: HistoriesOf) =>
  async (id: Value, reads: HistoryReads, context: ViewContext): Promise<Record<string, Value>[]> => {
    const changes = (await retainedChanges(historiesOf, reads, [id], context)).get(id) ?? [];
    return changes.map(({ time, price, regular_price }) => ({ date: time, price, regular_price })).reverse();
  };

export const historyOfProduct: View = view(USES_OF_PRICE_HISTORY, {
  ...ABOUT,
  summary: 'List the price changes of a product',
  read: newestFirst(productHistories),
});

export const historyOfVariant: View = view(USES_OF_PRICE_HISTORY, {
  ...ABOUT,
  summary: 'List the price changes of a variant',
  read: newestFirst(variantHistories),
});
