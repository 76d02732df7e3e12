import { useState } from 'react'

/** Returns whether a row appeared after the first rendering, so that it is highlighted briefly. */
export function useNewKeys(keys: string[]): (key: string) => boolean {
  const [initialKeys] = useState(() => new Set(keys))
  return (key) => !initialKeys.has(key)
}
