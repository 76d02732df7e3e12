import { useEffect, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { useCanvas } from '../canvas-context.ts'
import type { Block } from '../store/items.ts'

export const fileUrl = ({ projectId, id }: Pick<Block, 'projectId' | 'id'>) =>
  `/api/v1/projects/${projectId}/blocks/${id}/file`

/** In the order of size. */
const SIDES = [320, 640, 1568] as const
export type ThumbnailSide = (typeof SIDES)[number]

/** That shows the block sharply while the canvas isn't enlarged. */
export const thumbnailSide = ({ width, height }: { width: number; height: number }): ThumbnailSide =>
  SIDES.find((side) => side >= Math.max(width, height) * devicePixelRatio) ?? SIDES.at(-1)!

/**
 * The file, or its thumbnail if a side is given. Guests, animations and files that the server can't scale have none.
 * Guest requests need a token header, which an `img` can't send, so this fetches the image.
 */
export function useBlockImage(block: Block, isSaved: boolean, side?: ThumbnailSide) {
  const { isGuest, headers } = useCanvas()
  const [fetchedUrl, setFetchedUrl] = useState<string>()
  const [brokenUrl, setBrokenUrl] = useState<string>()
  const { projectId, id, fileId } = block
  const [refusedThumbnail, setRefusedThumbnail] = useState<string>()
  const full = fileId && isSaved ? `${fileUrl({ projectId, id })}#${fileId}` : undefined
  const hasThumbnail = full && side && !isGuest && block.metadata.mimeType !== 'image/gif'
  const thumbnail = hasThumbnail ? `/api/v1/files/${fileId}/thumbnail?size=${side}` : undefined
  const src = thumbnail && thumbnail !== refusedThumbnail ? thumbnail : full

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
    onBroken: () => (src === thumbnail ? setRefusedThumbnail(src) : setBrokenUrl(src)),
  }
}
