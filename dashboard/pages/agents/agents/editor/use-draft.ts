import { useState } from 'react'
import { changedSettings, type Draft } from './draft.ts'

/**
 * The edits over the saved settings. A setting that is not edited shows the changes of others; `version` is the
 * version that the user saw at the first edit.
 */
export function useDraft(saved: Draft, savedVersion: number) {
  const [edits, setEdits] = useState<Partial<Draft>>({})
  const [version, setVersion] = useState<number | null>(null)
  const draft = { ...saved, ...edits }
  const changed = changedSettings(saved, draft)
  return {
    draft,
    changed,
    isChanged: Object.keys(changed).length > 0,
    version: version ?? savedVersion,
    update: (change: Partial<Draft>) => {
      setVersion((seen) => seen ?? savedVersion)
      setEdits((previous) => ({ ...previous, ...change }))
    },
    discard: () => {
      setEdits({})
      setVersion(null)
    },
  }
}
