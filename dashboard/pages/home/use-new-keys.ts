import { useState } from 'react'

/** Tells which rows appeared after the first rendering, so that they are marked for a moment. */
export function useNewKeys(keys: string[]): (key: string) => boolean {
  const [first] = useState(() => new Set(keys))
  return (key) => !first.has(key)
}
