import { useEffect, useRef, useState } from 'react'

type Save = (list: string[]) => unknown

/**
 * A list that every edit saves. Until the last save has ended, the edited list is shown, not the loaded one: a reply
 * that was sent before a save must not undo an edit. Saves run one after another, and edits made meanwhile are one save.
 */
export function useSavedList(loaded: string[], save: Save) {
  const [edited, setEdited] = useState<string[]>()
  const queue = useRef<{ save: Save; saving: boolean; next?: string[] }>({ save, saving: false })
  useEffect(() => {
    queue.current.save = save
  }, [save])
  const edit = async (list: string[]) => {
    const { current } = queue
    setEdited(list)
    current.next = list
    if (current.saving) return
    current.saving = true
    try {
      while (current.next) {
        const next = current.next
        current.next = undefined
        await current.save(next)
      }
    } finally {
      current.saving = false
      setEdited(undefined)
    }
  }
  return { list: edited ?? loaded, edit }
}
