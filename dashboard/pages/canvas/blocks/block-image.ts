import { useEffect, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { useCanvas } from '../canvas-context.ts'
import type { Block } from '../store/items.ts'

export const fileUrl = ({ projectId, id }: Pick<Block, 'projectId' | 'id'>) =>
  `/api/v1/projects/${projectId}/blocks/${id}/file`

/** Guest requests need a token header, which an `img` can't send, so this fetches the image. */
export function useBlockImage(block: Block, isSaved: boolean) {
  const { isGuest, headers } = useCanvas()
  const [fetchedUrl, setFetchedUrl] = useState<string>()
  const [brokenUrl, setBrokenUrl] = useState<string>()
  const { projectId, id, fileId } = block
  const src = fileId && isSaved ? `${fileUrl({ projectId, id })}#${fileId}` : undefined

  useEffect(() => {
    if (!isGuest || !src) return
    const controller = new AbortController()
    let objectUrl: string | undefined
    const load = async () => {
      const response = await fetch(src, { headers: headers(), signal: controller.signal })
      if (!response.ok) throw new Error(t`Couldn’t load the image`)
      objectUrl = URL.createObjectURL(await response.blob())
      setFetchedUrl(objectUrl)
    }
    load().catch(() => {
      if (!controller.signal.aborted) setBrokenUrl(src)
    })
    return () => {
      controller.abort()
      if (objectUrl) URL.revokeObjectURL(objectUrl)
    }
  }, [isGuest, src, headers])

  return {
    url: isGuest ? fetchedUrl : src,
    isBroken: src !== undefined && brokenUrl === src,
    onBroken: () => setBrokenUrl(src),
  }
}
