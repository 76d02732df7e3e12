/** A reviver for `JSON.parse`: rejects names that would change an object's prototype. */
export function refusePrototype(key: string, value: unknown): unknown {
  const isConstructor = key === 'constructor' && typeof value === 'object' && value !== null
  if (key === '__proto__' || (isConstructor && Object.hasOwn(value, 'prototype')))
    throw new SyntaxError(`the name ${key} is not allowed`)
  return value
}
