/** The regular expressions of the program, and whether matching each takes linear time, as the checker proves with automata. */
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { checkSync } from 'recheck';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';

/** No program of its own, no thread, no clock: the same verdict on every machine. */
process.env.RECHECK_SYNC_BACKEND = 'pure';
const WITHOUT_CLOCK = { timeout: null, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };

/** The checker whose verdicts these are. */
export const CHECKER = `recheck ${createRequire(import.meta.url)('recheck/package.json').version}`;

export type Verdict = 'linear' | 'slow';

/** Proves it anew, which takes up to seconds. @param text of the literal */
export function provenVerdict(text: string): Verdict {
  const end = text.lastIndexOf('/');
  const { status } = checkSync(text.slice(1, end), text.slice(end + 1), WITHOUT_CLOCK);
  return status === 'safe' ? 'linear' : 'slow';
}

export interface Pattern {
  readonly file: string;
  readonly text: string;
}

/** Every literal of the sources, and every place that makes a pattern of texts. */
export function collectPatterns(): { literals: readonly Pattern[]; made: readonly Pattern[] } {
  const compiler = new API();
  const [project] = compiler.updateSnapshot({ openProjects: ['tsconfig.json'] }).getProjects();
  const literals: Pattern[] = [];
  const made: Pattern[] = [];
  for (const path of project!.rootFiles) {
    const file = relative('.', path);
    if (!file.startsWith('src/')) continue;
    const visit = (node: Node): void => {
      if (node.kind === SyntaxKind.RegularExpressionLiteral) literals.push({ file, text: node.getText() });
      if (node.kind === SyntaxKind.Identifier && node.getText() === 'RegExp')
        made.push({ file, text: node.parent.getText() });
      node.forEachChild(visit);
    };
    visit(project!.program.getSourceFile(path)!);
  }
  compiler.close();
  return { literals, made };
}
