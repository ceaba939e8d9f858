/**
 * Currencies that payments can be made in: the active ISO 4217 codes with a minor unit, including funds codes. Excluded are
 * metals, units of account without a minor unit (XDR, XSU, XUA), XTS and XXX.
 *
 * Source: ISO 4217, list one (SIX Financial Information, maintenance agency), as of 2026-01-01, after the withdrawal of BGN
 * on that day. `Intl` is not suitable: it follows CLDR, which gives HUF, AFN and IQD no decimals, and lists withdrawn codes.
 */

/** Codes by number of decimals. */
const BY_DECIMALS: readonly (readonly [number, string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP
     COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR
     JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN
     NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL
     THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG`,
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];

/** Number of decimals by code. */
export const CURRENCIES: ReadonlyMap<string, number> = new Map(
  BY_DECIMALS.flatMap(([decimals, codes]) => codes.split(/\s+/).map((code) => [code, decimals] as const)).sort(
    ([one], [other]) => (one < other ? -1 : 1),
  ),
);

/** Amounts in unknown (withdrawn) currencies have full precision and are not rounded. */
const DECIMALS_UNKNOWN = 4;

export function decimalsOf(currency: string): number {
  return CURRENCIES.get(currency) ?? DECIMALS_UNKNOWN;
}
