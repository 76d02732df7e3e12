import { useEffect, useRef } from 'react'

const HIGHLIGHTED_MS = 1000

/** A ref for a table row, which is highlighted for a second after its version has changed. */
export function useHighlight(version: string | undefined) {
  const row = useRef<HTMLTableRowElement>(null)
  const previous = useRef(version)
  useEffect(() => {
    if (previous.current === version) return
    previous.current = version
    const element = row.current
    element?.classList.add('animate-wash')
    const timer = setTimeout(() => element?.classList.remove('animate-wash'), HIGHLIGHTED_MS)
    return () => clearTimeout(timer)
  }, [version])
  return row
}
