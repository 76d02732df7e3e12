import { useEffect, useRef, useState } from 'react'

type Save = (list: string[]) => unknown

/**
 * A list that every edit saves. Until the last save has ended, the edited list is shown, not the loaded one: a
 * response that was sent before a save must not undo an edit. Saves run one after another; edits during a save are one
 * further save.
 */
export function useSavedList(loaded: string[], save: Save) {
  const [edited, setEdited] = useState<string[]>()
  const queue = useRef<{ save: Save; saving: boolean; next?: string[] }>({ save, saving: false })
  useEffect(() => {
    queue.current.save = save
  }, [save])
  const saveAll = async () => {
    const { current } = queue
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
  const edit = (list: string[]) => {
    setEdited(list)
    queue.current.next = list
    if (!queue.current.saving) void saveAll()
  }
  return { list: edited ?? loaded, edit }
}
