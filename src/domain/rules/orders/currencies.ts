/**
 * The currencies that something can be charged in: the active codes of ISO 4217 that have a minor unit, funds codes among
 * them. Metals, units of account without a minor unit (XDR, XSU, XUA), XTS and XXX are none.
 *
 * Source: ISO 4217, list one (SIX Financial Information, maintenance agency), as it stands on 2026-01-01, with the
 * withdrawal of BGN on that day. The runtime's `Intl` is no source: it follows CLDR, which gives HUF, AFN and IQD no
 * decimals, and it lists withdrawn codes.
 */

/** Codes by how many decimals an amount in them can have. */
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

/** Each code with its decimals, by code. */
export const CURRENCIES: ReadonlyMap<string, number> = new Map(
  BY_DECIMALS.flatMap(([decimals, codes]) => codes.split(/\s+/).map((code) => [code, decimals] as const)).sort(
    ([one], [other]) => (one < other ? -1 : 1),
  ),
);

/** A currency that is not in the table was taken before there was one: its amounts are not rounded. */
const DECIMALS_UNKNOWN = 4;

export function decimalsOf(currency: string): number {
  return CURRENCIES.get(currency) ?? DECIMALS_UNKNOWN;
}
