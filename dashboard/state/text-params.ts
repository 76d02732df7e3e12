/** Ignores all other parameters. */
export function textParams<Name extends string>(search: Record<string, unknown>, ...names: Name[]) {
  // The router parses digits as a number, and a code can be all digits.
  const found = names.filter((name) => /^(string|number)$/.test(typeof search[name]))
  return Object.fromEntries(found.map((name) => [name, String(search[name])])) as { [N in Name]?: string }
}
