/**
 * Random edits, shipments, payments and refunds of an order, compared with an independent model that calculates in whole
 * numbers (orders.md §§5, 8 and 10 to 13). Money is in ten-thousandths of the currency.
 */
import assert from 'node:assert/strict';
import type { HttpResponse } from './client.ts';
import { orderAt } from './orders.ts';
import type { Json, Store } from './store.ts';

/** Divides and rounds to the nearest whole number, half away from zero. */
export const half = (dividend: bigint, divisor: bigint): bigint => {
  const doubled = 2n * (dividend < 0n ? -dividend : dividend) + divisor;
  const whole = doubled / (2n * divisor);
  return dividend < 0n ? -whole : whole;
};

export const decimal = (tenThousandths: number | bigint): number => Number(tenThousandths) / 10_000;

/** A line in the model. */
interface Line {
  price: bigint;
  amount: number;
  cancelled: number;
  shipped: number;
  returned: number;
  restocked: number;
  refunded: bigint;
}

/** A line that an edit can add, and its price in the order's currency. */
export interface Addition {
  readonly item: Json;
  readonly price: bigint;
}

export interface Tally {
  edits: number;
  refunds: number;
  rejected: number;
}

interface OrderLifeOptions {
  readonly store: Store;
  /** The response when it was placed. */
  readonly order: HttpResponse['json'];
  /** The prices of its lines, by the test's own calculation. */
  readonly prices: readonly bigint[];
  /** The smallest unit of the currency, in ten-thousandths. */
  readonly step: bigint;
  /** Returns a random whole number from 0 to `below - 1`. */
  readonly random: (below: number) => number;
  readonly tally: Tally;
}

export class OrderLife {
  private readonly store: Store;
  private readonly order: HttpResponse['json'];
  private readonly step: bigint;
  private readonly random: (below: number) => number;
  private readonly tally: Tally;
  private readonly lines: Line[];
  private readonly path: string;
  private surcharges = 0n;
  private refunded = 0n;
  private paid = 0n;

  constructor({ store, order, prices, step, random, tally }: OrderLifeOptions) {
    this.store = store;
    this.order = order;
    this.step = step;
    this.random = random;
    this.tally = tally;
    this.path = `/api/orders/${order.id}`;
    this.lines = prices.map((price, index) => lineOf(price, order.items[index].amount));
  }

  async run(additions: readonly Addition[]): Promise<void> {
    await this.edit(additions);
    await this.ship();
    await this.pay();
    await this.refund();
    await this.edit(additions);
    await this.refund();
    this.assertTotals(await orderAt(this.store, this.order.id));
  }

  private async edit(additions: readonly Addition[]): Promise<void> {
    const items = (await orderAt(this.store, this.order.id)).items;
    const next = this.lines.map((line) => ({ ...line }));
    const at = this.random(next.length);
    const line = next[at]!;
    const amount = line.shipped + this.random(8);
    line.cancelled += Math.max(0, line.amount - amount);
    line.amount = amount;
    const change: Record<string, unknown> = { item_id: items[at].id, amount };
    if (this.random(2)) {
      line.price = BigInt(this.random(9_000_000));
      change.price = decimal(line.price);
    }
    const body: Record<string, unknown> = { change: [change] };
    const addition = additions[this.random(additions.length)];
    if (addition && this.random(2)) {
      const added = 1 + this.random(5);
      next.push(lineOf(addition.price, added));
      body.add = [{ ...addition.item, amount: added }];
    }
    let surcharges = this.surcharges;
    if (this.random(2)) {
      const coins = [BigInt(this.random(5000)), -BigInt(this.random(20_000))];
      body.surcharges = ['tax', 'discount'].map((type, index) => ({
        type,
        value: decimal(coins[index]! * this.step),
      }));
      surcharges = (coins[0]! + coins[1]!) * this.step;
    }
    const response = await this.store.post(`${this.path}/edit`, body);
    if (subTotalOf(next, this.step) + surcharges < 0n) {
      this.tally.rejected += 1;
      assert.equal(response.status, 422, response.text);
      return this.assertTotals(await orderAt(this.store, this.order.id));
    }
    this.tally.edits += 1;
    assert.equal(response.status, 200, response.text);
    this.lines.splice(0, this.lines.length, ...next);
    this.surcharges = surcharges;
    this.assertTotals(response.json);
  }

  /** Ships some units of the first line, and returns some of these. */
  private async ship(): Promise<void> {
    const line = this.lines[0]!;
    const shipped = this.random(line.amount + 1);
    if (shipped === 0) return;
    const item_id = this.order.items[0].id;
    await this.store.made(`${this.path}/shipments`, { lines: [{ item_id, amount: shipped }] });
    line.shipped += shipped;
    const returned = this.random(shipped + 1);
    if (returned === 0) return;
    const restock = this.random(2) === 1;
    const lines = [{ item_id, amount: returned, restock }];
    await this.store.made(`${this.path}/returns`, { lines, status: 'received' });
    line.returned += returned;
    if (restock) line.restocked += returned;
  }

  private async pay(): Promise<void> {
    this.paid = subTotalOf(this.lines, this.step) + this.surcharges;
    const body = { type: 'sale', status: 'S', value: decimal(this.paid), currency: this.order.currency };
    await this.store.made(`${this.path}/payment_transactions`, body);
  }

  /** Refunds two lines; some refunds exceed the payment and must be rejected. */
  private async refund(): Promise<void> {
    const items = (await orderAt(this.store, this.order.id)).items;
    const coins = Number(this.paid / this.step);
    const value = BigInt(this.random(coins + 1)) * this.step;
    const values = [value / this.step / 3n, value / this.step / 2n].map((each) => each * this.step);
    const lines = values.map((each, index) => ({ item_id: items[index].id, value: decimal(each) }));
    const body = { type: 'refundPart', status: 'S', value: decimal(value), currency: this.order.currency, lines };
    const response = await this.store.post(`${this.path}/payment_transactions`, body);
    if (this.refunded + value > this.paid) {
      this.tally.rejected += 1;
      assert.equal(response.status, 422, response.text);
    } else {
      this.tally.refunds += 1;
      assert.equal(response.status, 201, response.text);
      this.refunded += value;
      for (const [index, each] of values.entries()) this.lines[index]!.refunded += each;
    }
    this.assertTotals(await orderAt(this.store, this.order.id));
  }

  private assertTotals({ items, sub_total, total }: HttpResponse['json']): void {
    const shown = items.map((item: Json) => [
      ...[item.price, item.discounted_subtotal, item.amount, item.ordered_amount, item.cancelled_amount],
      ...[item.shipped_amount, item.returned_amount, item.restocked_amount, item.refunded_value],
    ]);
    const expected = this.lines.map((line) => [
      ...[decimal(line.price), decimal(subTotalOf([line], this.step)), line.amount],
      ...[line.amount + line.cancelled, line.cancelled, line.shipped, line.returned, line.restocked],
      decimal(line.refunded),
    ]);
    const sum = subTotalOf(this.lines, this.step);
    assert.deepEqual([shown, sub_total, total], [expected, decimal(sum), decimal(sum + this.surcharges)]);
  }
}

function lineOf(price: bigint, amount: number): Line {
  return { price, amount, cancelled: 0, shipped: 0, returned: 0, restocked: 0, refunded: 0n };
}

function subTotalOf(lines: readonly Line[], step: bigint): bigint {
  return lines.reduce((whole, { price, amount }) => whole + half(price * BigInt(amount), step) * step, 0n);
}
