/** Renders and checks the templates of mails. Variables are texts, so templates need no sections. */
import mustache from 'mustache';
import { messages, Violations } from '../../../engine/index.ts';
import { isToStaff, type TemplateName, VARIABLES } from './built-in.ts';
import type { Template } from './layout.ts';

/** Templates change, so parsed ones are not retained. */
mustache.templateCache = undefined;

type Variables = Readonly<Record<string, string>>;

export function rendered({ subject, text, html }: Template, variables: Variables): Template {
  const plain = (part: string): string => mustache.render(part, variables, {}, { escape: String });
  // A line break would begin another header.
  return {
    subject: plain(subject).replace(/\s+/g, ' ').trim(),
    text: plain(text),
    html: mustache.render(html, variables),
  };
}

/** What previews show instead of the values of a mail. */
export function exampleVariables(name: TemplateName, store: string): Variables {
  const path = isToStaff(name) ? 'admin' : name;
  const examples = { ...EXAMPLES, store, link: `https://shop.example/${path}#token=example` };
  return Object.fromEntries(VARIABLES[name].map((each) => [each, examples[each]]));
}

const EXAMPLES = { name: 'Ada Lovelace', login: 'ada@example.com', order: '100042' };

const LENGTHS_MAX = { subject: 255, text: 50_000, html: 200_000 } as const;

type Part = keyof typeof LENGTHS_MAX;

/** @returns the violations of a template; none if it can be used */
export function rejectTemplate(name: TemplateName, sent: Readonly<Record<string, unknown>>): Violations {
  const violations = new Violations();
  for (const part of Object.keys(LENGTHS_MAX) as Part[]) {
    const value = sent[part];
    if (value === undefined) violations.add(part, 'required', messages.blank);
    else if (typeof value !== 'string') violations.add(part, 'type', messages.type('string'));
    else if (value.trim() === '') violations.add(part, 'blank', messages.blank);
    else if (value.length > LENGTHS_MAX[part])
      violations.add(part, 'too_long', `The value must have at most ${LENGTHS_MAX[part]} characters.`);
    else {
      const fault = faultIn(value, VARIABLES[name], part !== 'subject');
      if (fault !== undefined) violations.add(part, 'format', fault);
    }
  }
  return violations;
}

/** @param needsLink the part is useless without the link, if the mail has one */
function faultIn(template: string, variables: readonly string[], needsLink: boolean): string | undefined {
  let tags: readonly (readonly unknown[])[];
  try {
    tags = mustache.parse(template) as unknown as readonly (readonly unknown[])[];
  } catch (error) {
    return `The template is not valid: ${(error as Error).message}.`;
  }
  for (const [kind, value] of tags) {
    if (kind === 'text' || kind === '!') continue;
    if (kind !== 'name')
      return 'The template may contain only variables such as {{name}} and comments. Remove sections, partials and unescaped variables.';
    if (!variables.includes(value as string))
      return `The variable “${value as string}” does not exist. Use ${variables.join(', ')}.`;
  }
  const hasLink = tags.some(([kind, value]) => kind === 'name' && value === 'link');
  return needsLink && !hasLink && variables.includes('link') ? 'The template must contain {{link}}.' : undefined;
}
