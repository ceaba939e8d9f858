/** Address of an S3 store as in the settings: `s3://bucket/prefix?endpoint=https://host&region=name`. */

export interface S3Address {
  readonly bucket: string;
  /** Empty, or with a trailing `/`. */
  readonly prefix: string;
  /** Scheme, host and port. */
  readonly endpoint: string;
  readonly region: string;
}

export const S3_FORM = 's3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION';

const ADDRESS = /^s3:\/\/([A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9])(?:\/([A-Za-z0-9._/-]*))?(?:\?([^#]*))?$/;

/** @returns undefined if the address is invalid or contains credentials */
export function readS3Address(text: string): S3Address | undefined {
  const [, bucket, path = '', query = ''] = ADDRESS.exec(text) ?? [];
  const segments = path.split('/').filter((segment) => segment !== '');
  const parameters = new URLSearchParams(query);
  const isKnown = [...parameters.keys()].every((name) => name === 'endpoint' || name === 'region');
  const region = parameters.get('region') ?? 'us-east-1';
  const endpoint = originOf(parameters.get('endpoint') ?? `https://s3.${region}.amazonaws.com`);
  const isRight = isKnown && /^[A-Za-z0-9-]{1,64}$/.test(region) && !segments.some((each) => /^\.\.?$/.test(each));
  if (bucket === undefined || endpoint === undefined || !isRight) return undefined;
  return { bucket, prefix: segments.map((segment) => `${segment}/`).join(''), endpoint, region };
}

/** Formats the address for messages and logs. */
export function shownS3Address({ bucket, prefix, endpoint }: S3Address): string {
  return `s3://${bucket}/${prefix} at ${endpoint}`;
}

function originOf(text: string): string | undefined {
  const url = URL.parse(text);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && !/[?#@]/.test(text);
  return isOrigin ? url.origin : undefined;
}
