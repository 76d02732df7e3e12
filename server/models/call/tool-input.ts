export type ToolInput = { input: unknown; problem: null } | { input: string; problem: string }

/** The input of a tool call; without any, an empty object. Names that would change the prototype of an object are refused. */
export function parseToolInput(text: string): ToolInput {
  if (text.trim() === '') return { input: {}, problem: null }
  try {
    return { input: JSON.parse(text, refusePrototype), problem: null }
  } catch (error) {
    return { input: text, problem: `The input is not valid JSON: ${(error as Error).message}` }
  }
}

function refusePrototype(key: string, value: unknown): unknown {
  const isConstructor = key === 'constructor' && typeof value === 'object' && value !== null
  if (key === '__proto__' || (isConstructor && Object.hasOwn(value, 'prototype')))
    throw new SyntaxError(`the name ${key} is not allowed`)
  return value
}
