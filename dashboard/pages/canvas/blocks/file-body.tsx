import { FileQuestion } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { formatSize } from '../../../components/amounts.ts'
import { FileFace, typeOfName } from '../../files/files/file-kind.tsx'
import { typeName } from '../../files/files/file-labels.ts'
import { useIsSaved } from '../canvas-context.ts'
import { type Crop, isWhole, readCrop } from '../model/crop.ts'
import { thumbnailSide, useBlockImage } from './block-image.ts'
import type { BodyProps } from './body-props.ts'
import { TextEditor } from './text-editor.tsx'

export function FileBody({ block, editing }: BodyProps) {
  const { mimeType: knownType, size } = block.metadata as { mimeType?: string; size?: number }
  const mimeType = knownType ?? typeOfName(block.title ?? '')
  return (
    <div className="flex size-full items-center gap-12 overflow-hidden p-12">
      {block.fileId ? (
        <FileFace file={{ mimeType }} size={40} />
      ) : (
        <span className="flex size-32 shrink-0 items-center justify-center rounded-control bg-neutral-3">
          <FileQuestion aria-hidden className="icon text-neutral-11" />
        </span>
      )}
      <div className="min-w-0 flex-1">
        {editing ? (
          <TextEditor block={block} field="title" label="File name" className="h-24 font-medium" />
        ) : (
          <p className="truncate font-medium" title={block.title ?? undefined}>
            {block.title || t`File`}
          </p>
        )}
        <p className="truncate text-12 text-neutral-11">
          {block.fileId
            ? [typeName(mimeType), typeof size === 'number' && formatSize(size)].filter(Boolean).join(' · ')
            : t`No file`}
        </p>
      </div>
    </div>
  )
}

export function ImageBody({ block, editing }: BodyProps) {
  const isSaved = useIsSaved(block.id)
  const crop = readCrop(block)
  const whole = { width: block.width / crop.width, height: block.height / crop.height }
  const { url, isBroken, onBroken } = useBlockImage(block, isSaved, thumbnailSide(whole))
  return (
    <figure className="relative flex size-full flex-col overflow-hidden rounded-panel">
      <div className="flex min-h-0 flex-1 items-center justify-center bg-neutral-3">
        {url && !isBroken ? (
          <CroppedImage url={url} alt={block.title ?? ''} crop={crop} onError={onBroken} />
        ) : (
          <span className="px-12 text-12 text-neutral-11">
            {isBroken || !block.fileId ? t`Image unavailable` : t`Loading…`}
          </span>
        )}
      </div>
      {(editing || block.title) && (
        <figcaption className="h-32 shrink-0 truncate border-neutral-6 border-t px-12 py-4 text-12 text-neutral-11">
          {editing ? <TextEditor block={block} field="title" label="Image caption" /> : block.title}
        </figcaption>
      )}
    </figure>
  )
}

interface CroppedImageProps {
  url: string
  alt: string
  crop: Crop
  onError: () => void
}

/** The inner document clips the image; the outer one fits it into the block. */
function CroppedImage({ url, alt, crop, onError }: CroppedImageProps) {
  const [size, setSize] = useState<{ url: string; width: number; height: number }>()
  if (isWhole(crop) || size?.url !== url) {
    return (
      <img
        src={url}
        alt={alt}
        draggable={false}
        onError={onError}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setSize({ url, width: naturalWidth, height: naturalHeight })
        }
        className={`size-full object-contain ${isWhole(crop) ? '' : 'opacity-0'}`}
      />
    )
  }
  const [width, height] = [crop.width * size.width, crop.height * size.height]
  return (
    <svg role="img" aria-label={alt} viewBox={`0 0 ${width} ${height}`} className="size-full">
      <svg
        aria-hidden
        width={width}
        height={height}
        viewBox={`${crop.x * size.width} ${crop.y * size.height} ${width} ${height}`}
      >
        <image href={url} width={size.width} height={size.height} />
      </svg>
    </svg>
  )
}
