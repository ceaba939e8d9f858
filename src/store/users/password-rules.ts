/** Rules of passwords of users (access.md §3): their length, and those that attackers try first. */
import { messages, type Violations } from '../../engine/index.ts';

/** Code points in the normalization form NFC. */
const LENGTH_MIN = 12;
const LENGTH_MAX = 128;

/** The list is sorted by frequency. */
const COMMON_COUNT = 10_000;

/** Adds a violation if the password cannot be set. */
export async function rejectPassword(password: string, path: string, violations: Violations): Promise<void> {
  const text = password.normalize('NFC');
  const { length } = [...text];
  if (!password.isWellFormed()) violations.add(path, 'format', 'The value must be valid Unicode.');
  else if (length < LENGTH_MIN) violations.add(path, 'too_short', messages.tooShort(LENGTH_MIN));
  else if (length > LENGTH_MAX) violations.add(path, 'too_long', messages.tooLong(LENGTH_MAX));
  else if (isCommon(text, await commonPasswords()))
    violations.add(
      path,
      'conflict',
      'This password is one of the most common ones, or a variation of one. Choose another.',
    );
}

/** Whether a password is a common one in any case, possibly repeated or followed by digits. */
function isCommon(text: string, common: ReadonlySet<string>): boolean {
  const lower = text.toLowerCase();
  for (let end = lower.length; end > 0; end -= 1) {
    if (isRepeated(lower.slice(0, end), common)) return true;
    if (!/\d/.test(lower[end - 1]!)) return false;
  }
  return false;
}

/** Whether a text is a common password, or repeats one or a single character. */
function isRepeated(text: string, common: ReadonlySet<string>): boolean {
  for (let length = 1; length <= text.length; length += 1) {
    const unit = text.slice(0, length);
    const isKnown = common.has(unit) || (length === 1 && text.length > 1);
    if (isKnown && text.length % length === 0 && unit.repeat(text.length / length) === text) return true;
  }
  return false;
}

let known: Promise<ReadonlySet<string>> | undefined;

/** Loads the list when the first password is set. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  known ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].slice(0, COMMON_COUNT)),
  );
  return known;
}
