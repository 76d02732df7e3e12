import { useState } from 'react'
import { t } from '../../../../../contract/text.ts'

interface ImageViewProps {
  url: string
  name: string
  onBroken: () => void
}

export function ImageView({ url, name, onBroken }: ImageViewProps) {
  const [isFull, setFull] = useState(false)
  return (
    <div className={`flex min-h-0 w-full flex-1 ${isFull ? 'overflow-auto' : 'overflow-hidden'}`}>
      <button
        type="button"
        aria-pressed={isFull}
        aria-label={isFull ? t`Fit to screen` : t`Show actual size`}
        onClick={() => setFull(!isFull)}
        className={`m-auto flex items-center justify-center p-16 -outline-offset-2 ${isFull ? 'cursor-zoom-out' : 'size-full cursor-zoom-in'}`}
      >
        <img
          src={url}
          alt={name}
          onError={onBroken}
          className={isFull ? 'max-w-none' : 'max-h-full max-w-full object-contain'}
        />
      </button>
    </div>
  )
}
