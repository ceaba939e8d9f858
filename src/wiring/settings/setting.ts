export interface Setting<T> {
  readonly name: string;
  readonly default: string;
  readonly description: string;
  /** The setting can also be the content of a file, which a setting with the suffix `_FILE` names. */
  readonly isSecret?: true;
  /** @throws {Error} whose message completes "NAME must be …" */
  readonly read: (text: string) => T;
}

/** A setting that is empty by default, and can be in a file. */
export function secret(name: string, description: string, read: (text: string) => string): Setting<string> {
  return { ...setting(name, '', `${description}; ${name}_FILE names a file with it`, read), isSecret: true };
}

/** @param read the parser of its value, one of `values.ts` */
export function setting<T>(name: string, fallback: string, description: string, read: (text: string) => T): Setting<T> {
  return { name, default: fallback, description, read };
}
