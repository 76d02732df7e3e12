import { useEffect, useRef, useState } from 'react'
import { IMAGE_SOURCE_BYTES_MAX } from '../../../../../contract/files/image-options.ts'
import { KindIcon } from '../file-kind.tsx'
import type { FileEntry } from '../files-queries.ts'

/** Distance from the viewport. */
const LOAD_DISTANCE_PX = 300

export function Thumbnail({ file }: { file: FileEntry }) {
  const frame = useRef<HTMLSpanElement>(null)
  const [url, setUrl] = useState<string | null>(null)
  const isDrawable = hasThumbnail(file) && file.targetMissing !== true
  useEffect(() => {
    if (!isDrawable) return
    let isCurrent = true
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        observer.disconnect()
        void thumbnailOf(file).then((thumbnailUrl) => isCurrent && setUrl(thumbnailUrl))
      },
      { rootMargin: `${LOAD_DISTANCE_PX}px` },
    )
    observer.observe(frame.current!)
    return () => {
      isCurrent = false
      observer.disconnect()
    }
  }, [file, isDrawable])
  return (
    <span ref={frame} className="flex size-full items-center justify-center overflow-hidden">
      {url ? (
        <img
          src={url}
          alt=""
          draggable={false}
          className="animate-appear size-full object-cover object-top"
        />
      ) : (
        <KindIcon file={file} size={48} />
      )}
    </span>
  )
}

const CONCURRENCY_MAX = 3
const THUMBNAILS_MAX = 300

/** Object URLs by content. The oldest are released. */
const thumbnails = new Map<string, Promise<string | null>>()

const hasThumbnail = ({ mimeType, size, sha256 }: FileEntry): boolean =>
  (mimeType.startsWith('image/') || mimeType === 'application/pdf') &&
  size <= IMAGE_SOURCE_BYTES_MAX &&
  sha256 !== null

/** Null if the server can't draw the file. */
function thumbnailOf(file: FileEntry): Promise<string | null> {
  const key = file.sha256!
  const cached = thumbnails.get(key)
  if (cached) return cached
  const thumbnail = withPermit(() => load(file)).catch(() => null)
  thumbnails.set(key, thumbnail)
  if (thumbnails.size > THUMBNAILS_MAX) release(thumbnails.keys().next().value!)
  return thumbnail
}

function release(key: string) {
  void thumbnails.get(key)?.then((url) => url && URL.revokeObjectURL(url))
  thumbnails.delete(key)
}

/** Twice a tile's width, for sharp screens. */
async function load({ id }: FileEntry): Promise<string | null> {
  const response = await fetch(`/api/v1/files/${id}/thumbnail?size=640`)
  return response.ok ? URL.createObjectURL(await response.blob()) : null
}

let running = 0
const waiting: (() => void)[] = []

async function withPermit<T>(run: () => Promise<T>): Promise<T> {
  if (running >= CONCURRENCY_MAX) await new Promise<void>((resolve) => waiting.push(resolve))
  running++
  try {
    return await run()
  } finally {
    running--
    waiting.shift()?.()
  }
}
