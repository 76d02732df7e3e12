import { useEffect, useState } from 'react'
import { useCanvas } from '../canvas-context.ts'
import type { Block } from '../store/items.ts'

/** Where the bytes of what a block shows are. */
export const bytesUrl = ({ projectId, id }: Pick<Block, 'projectId' | 'id'>) =>
  `/api/v1/projects/${projectId}/blocks/${id}/file`

/** The picture of a block. A guest shows a ticket with every call, which an image cannot, so theirs is fetched first. */
export function usePicture(block: Block, isSaved: boolean) {
  const { isGuest, headers } = useCanvas()
  const [fetched, setFetched] = useState<string>()
  const [broken, setBroken] = useState<string>()
  const { projectId, id, fileId } = block
  const address = fileId && isSaved ? `${bytesUrl({ projectId, id })}#${fileId}` : undefined

  useEffect(() => {
    if (!isGuest || !address) return
    const stop = new AbortController()
    let made: string | undefined
    const load = async () => {
      const response = await fetch(address, { headers: headers(), signal: stop.signal })
      if (!response.ok) throw new Error('refused')
      made = URL.createObjectURL(await response.blob())
      setFetched(made)
    }
    load().catch(() => {
      if (!stop.signal.aborted) setBroken(address)
    })
    return () => {
      stop.abort()
      if (made) URL.revokeObjectURL(made)
    }
  }, [isGuest, address, headers])

  return {
    url: isGuest ? fetched : address,
    isBroken: address !== undefined && broken === address,
    onBroken: () => setBroken(address),
  }
}
