/** Whether a parsed JSON value contains more than `max` values. */
export function hasMoreValues(value: unknown, max: number): boolean {
  const waiting = [value]
  let count = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const inner: unknown[] = Array.isArray(next) ? next : Object.values(next)
    count += inner.length
    if (count > max) return true
    for (const each of inner) if (typeof each === 'object' && each !== null) waiting.push(each)
  }
  return false
}
