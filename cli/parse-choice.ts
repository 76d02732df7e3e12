import { Failure } from './failure.ts'

/** One of several allowed values; undefined if the option is absent. */
export function parseChoice<T extends string>(
  label: string,
  allowed: readonly T[],
  value: string | undefined,
): T | undefined {
  const found = allowed.find((option) => option === value)
  if (value !== undefined && !found)
    throw new Failure('usage', `Invalid ${label} ${value}: use ${allowed.join(', ')}`)
  return found
}
