import { useState } from 'react'

/** Returns the rows that appeared after the first rendering, so that they are highlighted briefly. */
export function useNewKeys(keys: string[]): (key: string) => boolean {
  const [first] = useState(() => new Set(keys))
  return (key) => !first.has(key)
}
