import type { Answer } from '../definition/definition.ts'
import { valueAt } from './template.ts'

/** The part of an answer that a model receives. */
export function extract(answer: Answer | undefined, body: unknown): unknown {
  if (!answer) return body
  const { at, pick, map } = answer
  const part = at === undefined ? body : valueAt(body, at)
  const picked = pick && typeof part === 'object' && part !== null ? pickFrom(part, pick.map(split)) : part
  return map ? map(picked) : picked
}

const split = (path: string): string[] => path.split('.')

/** The fields at these paths, nested as in the answer. In a list, those of each item. */
function pickFrom(value: unknown, paths: readonly string[][]): unknown {
  if (Array.isArray(value)) return value.map((item) => pickFrom(item, paths))
  if (typeof value !== 'object' || value === null) return value
  const names = [...new Set(paths.map(([name]) => name!))].filter((name) => Object.hasOwn(value, name))
  return Object.fromEntries(
    names.map((name) => {
      const below = paths.filter(([first]) => first === name).map(([, ...rest]) => rest)
      const child = (value as Record<string, unknown>)[name]
      return [name, below.some((rest) => rest.length === 0) ? child : pickFrom(child, below)]
    }),
  )
}
