/** Exact fractions of integers of any size. Only for tests: they are slow, but they have no rounding error. */

/** How a fraction is rounded if it is not a multiple of the unit. `half_up` is half away from zero, `down` is towards zero. */
export type RationalRounding = 'half_up' | 'half_even' | 'half_down' | 'down';

const REDUCED_FROM = 2n ** 96n;

export class Rational {
  static readonly zero = new Rational(0n, 1n);
  static readonly one = new Rational(1n, 1n);

  readonly numerator: bigint;
  /** Above 0. */
  readonly denominator: bigint;

  private constructor(numerator: bigint, denominator: bigint) {
    // Reducing small fractions takes longer than it saves.
    const isSmall = denominator > 0n && denominator < REDUCED_FROM;
    const sign = denominator < 0n ? -1n : 1n;
    const divisor = isSmall ? 1n : sign * greatestCommonDivisor(numerator, denominator);
    this.numerator = numerator / divisor;
    this.denominator = denominator / divisor;
  }

  /** Returns the decimal number that JavaScript prints for `value`, exactly. */
  static of(value: number): Rational {
    const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(value));
    if (!match) throw new RangeError(`${value} is not a plain decimal number.`);
    const [, sign, whole, decimals = ''] = match;
    const digits = BigInt(`${whole}${decimals}`);
    return new Rational(sign ? -digits : digits, 10n ** BigInt(decimals.length));
  }

  static sum(values: readonly Rational[]): Rational {
    return values.reduce((sum, value) => sum.plus(value), Rational.zero);
  }

  static least(one: Rational, other: Rational): Rational {
    return other.compare(one) < 0 ? other : one;
  }

  plus(other: Rational): Rational {
    const { numerator, denominator } = this;
    if (denominator === other.denominator) return new Rational(numerator + other.numerator, denominator);
    return new Rational(numerator * other.denominator + other.numerator * denominator, denominator * other.denominator);
  }

  minus(other: Rational): Rational {
    return this.plus(new Rational(-other.numerator, other.denominator));
  }

  times(other: Rational): Rational {
    return new Rational(this.numerator * other.numerator, this.denominator * other.denominator);
  }

  over(other: Rational): Rational {
    if (other.isZero) throw new RangeError('Division by zero.');
    return new Rational(this.numerator * other.denominator, this.denominator * other.numerator);
  }

  /** Returns a number below 0, 0, or above 0, as for `sort`. */
  compare(other: Rational): number {
    const difference = this.numerator * other.denominator - other.numerator * this.denominator;
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  get isZero(): boolean {
    return this.numerator === 0n;
  }

  get isNegative(): boolean {
    return this.numerator < 0n;
  }

  /** Rounds to a number of decimals. */
  round(decimals: number, rounding: RationalRounding = 'half_up'): Rational {
    const scale = 10n ** BigInt(decimals);
    const magnitude = (this.isNegative ? -this.numerator : this.numerator) * scale;
    const below = magnitude / this.denominator;
    const twice = 2n * (magnitude % this.denominator);
    const isUp =
      rounding !== 'down' &&
      (twice > this.denominator ||
        (twice === this.denominator && (rounding === 'half_up' || (rounding === 'half_even' && below % 2n === 1n))));
    const units = isUp ? below + 1n : below;
    return new Rational(this.isNegative ? -units : units, scale);
  }

  /** Returns the closest number. @throws if the fraction has more than 4 decimals, which no amount of a result has */
  toNumber(): number {
    const units = this.numerator * 10_000n;
    if (units % this.denominator !== 0n) throw new RangeError(`${this} has more than 4 decimals.`);
    const magnitude = (this.isNegative ? -units : units) / this.denominator;
    const digits = String(magnitude).padStart(5, '0');
    return Number(`${this.isNegative ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`);
  }

  toString(): string {
    return `${this.numerator}/${this.denominator}`;
  }
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  let [larger, smaller] = [one < 0n ? -one : one, other < 0n ? -other : other];
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}
