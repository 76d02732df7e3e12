import { useEffect, useRef, useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { inlineUrl } from '../file-actions.ts'
import { KindIcon, viewKind } from '../file-kind.tsx'
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

/** Twice a tile's width, for sharp screens. */
const WIDTH_PX = 440
/** Larger files show their icon: a photo folder would otherwise load gigabytes. */
const BYTES_MAX = { image: 12_582_912, pdf: 26_214_400 }
const CONCURRENCY_MAX = 3
const THUMBNAILS_MAX = 300

/** Object URLs by content. The oldest are released. */
const thumbnails = new Map<string, Promise<string | null>>()

const hasThumbnail = (file: FileEntry): boolean => {
  const kind = viewKind(file)
  return (kind === 'image' || kind === 'pdf') && file.size <= BYTES_MAX[kind] && file.sha256 !== null
}

/** Null if the file can't be drawn. */
function thumbnailOf(file: FileEntry): Promise<string | null> {
  const key = file.sha256!
  const cached = thumbnails.get(key)
  if (cached) return cached
  const thumbnail = withPermit(() => draw(file)).catch(() => null)
  thumbnails.set(key, thumbnail)
  if (thumbnails.size > THUMBNAILS_MAX) release(thumbnails.keys().next().value!)
  return thumbnail
}

function release(key: string) {
  void thumbnails.get(key)?.then((url) => url && URL.revokeObjectURL(url))
  thumbnails.delete(key)
}

const draw = (file: FileEntry) => (viewKind(file) === 'pdf' ? drawPdf(file) : drawImage(file))

async function drawImage(file: FileEntry): Promise<string> {
  const image = await loadImage(inlineUrl(file))
  const scale = Math.min(1, WIDTH_PX / image.naturalWidth)
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(image.naturalWidth * scale))
  canvas.height = Math.max(1, Math.round(image.naturalHeight * scale))
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height)
  return urlOf(canvas, 'image/webp')
}

/** Not `createImageBitmap`, which rejects some damaged images that every browser displays. */
const loadImage = (url: string) =>
  new Promise<HTMLImageElement>((resolve, reject) => {
    const image = new Image()
    image.onload = () => resolve(image)
    image.onerror = () => reject(new Error(t`The image can’t be displayed`))
    image.src = url
  })

async function drawPdf(file: FileEntry): Promise<string> {
  const { openPdf, drawPage } = await import('../viewer/open-pdf.ts')
  const controller = new AbortController()
  try {
    const pdf = await openPdf(inlineUrl(file), controller.signal)
    const canvas = document.createElement('canvas')
    await drawPage(await pdf.getPage(1), canvas, WIDTH_PX, 1)
    return await urlOf(canvas, 'image/png')
  } finally {
    controller.abort()
  }
}

const urlOf = (canvas: HTMLCanvasElement, type: string) =>
  new Promise<string>((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(URL.createObjectURL(blob)) : reject(new Error(t`No image`))),
      type,
      0.8,
    ),
  )

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
