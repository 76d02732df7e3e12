import { memo, type ReactNode, useEffect, useState } from 'react'

type ReadFormula = (tex: string, isDisplay: boolean) => ReactNode | null

/** Loaded with the first formula. */
let read: ReadFormula | null = null

/** Shows its source until KaTeX has loaded, and if it isn't valid. */
export const Formula = memo(function Formula({ tex, isDisplay }: { tex: string; isDisplay: boolean }) {
  const [isLoaded, setLoaded] = useState(read !== null)
  useEffect(() => {
    if (isLoaded) return
    let isCurrent = true
    import('./read-formula.ts').then(
      ({ readFormula }) => {
        read = readFormula
        if (isCurrent) setLoaded(true)
      },
      // Without a connection the source stays.
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [isLoaded])
  const formula = isLoaded && read ? read(tex, isDisplay) : null
  if (formula === null) return <code>{tex}</code>
  return <span className={isDisplay ? 'formula-block' : 'formula'}>{formula}</span>
})
