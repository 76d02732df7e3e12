import { useEffect, useRef, useState } from 'react'
import type { FileEntry } from '../files-queries.ts'
import { KindIcon } from '../listing/kind-icon.tsx'
import { hasThumbnail, thumbnailOf } from './make-thumbnail.ts'

/** A thumbnail is loaded at this distance from the viewport. */
const LOAD_DISTANCE_PX = 300

/** The thumbnail of a file when it is near the viewport; before, and for other types, the icon of its type. */
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
        <span className="scale-200">
          <KindIcon file={file} />
        </span>
      )}
    </span>
  )
}
