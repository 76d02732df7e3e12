import { useEffect, useRef, useState } from 'react'
import type { FileEntry } from '../files-queries.ts'
import { KindIcon } from '../listing/kind-icon.tsx'
import { hasThumbnail, thumbnailOf } from './make-thumbnail.ts'

const AHEAD_PX = 300

/** The picture of a file once it is near the screen; its icon until then, and for other types. */
export function Thumbnail({ file }: { file: FileEntry }) {
  const frame = useRef<HTMLSpanElement>(null)
  const [url, setUrl] = useState<string | null>(null)
  const isDrawn = hasThumbnail(file) && file.targetMissing !== true
  useEffect(() => {
    if (!isDrawn) return
    let isCurrent = true
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        observer.disconnect()
        void thumbnailOf(file).then((made) => isCurrent && setUrl(made))
      },
      { rootMargin: `${AHEAD_PX}px` },
    )
    observer.observe(frame.current!)
    return () => {
      isCurrent = false
      observer.disconnect()
    }
  }, [file, isDrawn])
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
