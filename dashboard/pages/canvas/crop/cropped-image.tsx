import { useState } from 'react'
import { type Crop, isWhole } from './crop.ts'

interface CroppedImageProps {
  url: string
  alt: string
  crop: Crop
  onError: () => void
}

/** The visible part of an image. The inner document clips it; the outer one fits it into the block. */
export function CroppedImage({ url, alt, crop, onError }: CroppedImageProps) {
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
