/** How declarations that contradict themselves or each other stop the start: with a sentence that names the remedy. */

/** Why declarations cannot be served. */
class ContradictoryDeclaration extends Error {
  override readonly name = 'ContradictoryDeclaration';
}

/** @throws {ContradictoryDeclaration} */
export function contradict(resource: string, what: string, remedy: string): never {
  throw new ContradictoryDeclaration(`${resource}, ${what}; ${remedy}.`);
}
